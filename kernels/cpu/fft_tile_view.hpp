#pragma once

#include <algorithm>
#include <vector>

#include "kernels/cpu/fft_tile.hpp"
#include "kernels/cpu/fft_tile_reach.hpp"
#include "kernels/cpu/fft_tile_work.hpp"

namespace stencil::cpu {

/// Distance between the rows of a copied tile, in elements. It is not a power of two, so that rows
/// do not compete for the same sets of the cache.
inline Index room_pitch(const FftTiles& tiles) {
  return tiles.x.points + fft_tile_unit;
}

/// The tiles of one view of inputs and outputs. Copies the inputs of a tile to a buffer, and the
/// results of a tile from the buffer to the view.
template <class T>
class FftTileView {
 public:
  FftTileView(const FftTiles& tiles, FieldView<const T> source, FieldView<T> target,
              const std::array<Index, 2>& stride, const Anchor& anchor)
      : tiles_(tiles),
        source_(source),
        target_(target),
        y_(tiles.y, {anchor.first_row, anchor.first_row + target.extent[y_axis]}, stride[0],
           anchor.rows),
        x_(tiles.x, {anchor.first_output, anchor.first_output + target.extent[x_axis]}, stride[1],
           anchor.axis_outputs),
        pitch_(room_pitch(tiles)) {}

  struct Tile {
    Index b;
    FftTileSpan y, x;
  };

  /// Number of elements from row to row of a copied tile.
  Index pitch() const { return pitch_; }
  /// Number of tiles of one plane.
  Index count() const { return y_.count() * x_.count(); }
  /// Returns tile n. Tiles are numbered along x first, then along y, then along batch.
  Tile tile(Index n) const {
    const Index columns = std::max<Index>(1, x_.count()), rows = std::max<Index>(1, y_.count());
    return {n / columns / rows, y_.span(n / columns % rows), x_.span(n % columns)};
  }

  /// Returns the address of a tile's first input; `tile.b` is an index of a plane of inputs.
  const T* input(const Tile& tile) const {
    return &source_.at(tile.b, y_.input(tile.y), x_.input(tile.x));
  }
  /// Returns the address of the first output of the view in a tile; `tile.b` is an index of a plane
  /// of outputs.
  T* output(const Tile& tile) const {
    return &target_.at(tile.b, tile.y.outputs.first - y_.outputs().first,
                       tile.x.outputs.first - x_.outputs().first);
  }
  bool reads_all(const Tile& tile) const {
    return tile.y.inputs == tiles_.y.inputs() && tile.x.inputs == tiles_.x.inputs();
  }
  bool wants_all(const Tile& tile) const {
    return tile.y.outputs.extent() == tiles_.y.outputs() &&
           tile.x.outputs.extent() == tiles_.x.outputs();
  }

  /// Returns the arguments for a tile that has been copied to `room`, where its outputs replace its
  /// points.
  FftTile<T> in_room(T* room) const {
    return {0, room, pitch_, room, pitch_, tiles_.y.outputs(), tiles_.x.outputs()};
  }

  /// Adds to `pieces` the outputs in those cells of a tile for which `reached` is not 0. Cells that
  /// are adjacent along x become one box.
  void add_pieces(const Tile& tile, const FftTileReach& cells, const unsigned char* reached,
                  std::vector<Box>& pieces) const {
    const auto along = [](const FftTileSpans& axis, const FftTileSpan& span, Index first,
                          Index last) {
      const Interval all = axis.within(span, {first, last});
      return Interval{all.first - axis.outputs().first, all.last - axis.outputs().first};
    };
    for (Index y = 0; y < cells.rows(); ++y)
      for (Index x = 0, end = 0; x < cells.columns(); x = end + 1) {
        const unsigned char* row = reached + y * cells.columns();
        for (end = x; end < cells.columns() && row[end] != 0;) ++end;
        Box piece;
        piece.set(batch_axis, {tile.b, tile.b + 1});
        piece.set(y_axis, along(y_, tile.y, y * cells.cell_rows(), (y + 1) * cells.cell_rows()));
        piece.set(x_axis, along(x_, tile.x, x * cells.cell_columns(), end * cells.cell_columns()));
        if (!piece.empty()) pieces.push_back(piece);
      }
  }

  /// Copies the points of a tile to `room`. Points without an input are set to 0.
  void copy_inputs(const Tile& tile, T* room) const {
    const T* from = input(tile);
    const FftTileAxis& x = tiles_.x;
    for (Index row = 0; row < tiles_.y.points; ++row) {
      T* to = std::fill_n(room + row * pitch_, x.lead, T(0));
      const Index columns = row < tile.y.inputs ? tile.x.inputs : 0;
      if (columns > 0) std::copy_n(from + row * source_.row_pitch, columns, to);
      std::fill(to + columns, to + x.inputs(), T(0));
    }
  }

  /// Copies those results of a tile that belong to the view to the target.
  void take(const Tile& tile, const T* room) const {
    const Interval rows = tile.y.dense(y_.stride()), columns = tile.x.dense(x_.stride());
    T* to = output(tile);
    for (Index row = rows.first; row < rows.last; row += y_.stride(), to += target_.row_pitch) {
      const T* from = room + row * pitch_ + columns.first;
      for (Index k = 0; k < tile.x.outputs.extent(); ++k) to[k] = from[k * x_.stride()];
    }
  }

  /// Returns the view of the inputs that begins with the input under the first tap for the first
  /// output.
  FieldView<const T> under_outputs() const {
    FieldView<const T> source = source_;
    source.data = &source_.at(0, y_.first_input(), x_.first_input());
    return source;
  }

 private:
  FftTiles tiles_;
  FieldView<const T> source_;
  FieldView<T> target_;
  FftTileSpans y_, x_;
  Index pitch_;
};

}  // namespace stencil::cpu
