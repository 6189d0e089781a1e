#include "kernels/cpu/fft_tile_walk.hpp"

#include <omp.h>

#include <algorithm>
#include <vector>

#include "kernels/cpu/fft_tile_reach.hpp"
#include "kernels/cpu/fft_tile_view.hpp"
#include "kernels/cpu/fft_valid.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/sum_pieces.hpp"

namespace stencil::cpu {
namespace {

/// Number of elements for the counts of the valid inputs under each output of a tile.
Index counts_of(const FftTiles& tiles) {
  return tiles.y.outputs() * tiles.x.outputs() + tiles.x.points;
}

template <class T>
class FftTileWalk {
 public:
  FftTileWalk(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
              FieldView<T> target, const Anchor& anchor)
      : stencil_(stencil),
        plan_(*stencil.fft_tiles),
        kernels_(kernels),
        source_(source),
        target_(target),
        view_(plan_.tiles, source, target, stencil.stride, anchor),
        valid_(stencil),
        reach_(reach_of(plan_.tiles, valid_.wanted())),
        pitch_(room_pitch(plan_.tiles)),
        tables_{plan_.rows(),
                plan_.tiles.x.points,
                plan_.row_radices.data(),
                plan_.column_radices.data(),
                plan_.row_twiddles.data(),
                plan_.column_twiddles.data(),
                plan_.weights.data(),
                plan_.spectrum.data()} {}

  void run() const {
    const Index tiles = target_.extent[batch_axis] * view_.count();
    const int threads = int(std::min<Index>(omp_get_max_threads(), tiles));
    const Scratch<T> memory(threads, fft_tile_memory(tables_.rows, tables_.columns));
    const Scratch<T> rooms(threads, 2 * tables_.rows * pitch_);
    std::vector<unsigned char> bad(tiles);
    // One thread computes adjacent tiles. Otherwise two threads would write to the same cache
    // lines, or one of them would prefetch lines that the other one writes.
    const Index share = std::clamp<Index>(tiles / (8 * threads), 1, 64);
#pragma omp parallel for schedule(dynamic, share) num_threads(threads)
    for (Index n = 0; n < tiles; ++n) {
      const int thread = omp_get_thread_num();
      bad[n] = sum(view_.tile(n), memory.of_thread(thread), rooms.of_thread(thread)) ? 0 : 1;
    }
    std::vector<Index> again;
    for (Index n = 0; n < tiles; ++n)
      if (bad[n] != 0) again.push_back(n);
    if (!again.empty()) mend(again, memory, rooms);
  }

 private:
  using Tile = typename FftTileView<T>::Tile;

  /// @return  whether all results are finite and no input is missing
  bool sum(const Tile& tile, T* memory, T* room) const {
    if (valid_.wanted() && !is_whole(tile)) return false;
    FftTile<T> work = view_.in_room(room);
    if (view_.reads_all(tile)) {
      work.lead = plan_.tiles.x.lead;
      work.source = view_.input(tile);
      work.source_pitch = source_.row_pitch;
    } else {
      view_.copy_inputs(tile, room);
    }
    const bool straight = view_.wants_all(tile);
    if (straight) {
      work.target = view_.output(tile);
      work.target_pitch = target_.row_pitch;
    }
    if (kernels_.convolve_tile(tables_, work, memory)) return false;
    if (!straight) view_.take(tile, room);
    return true;
  }

  /// Returns whether the ordinary sums of a tile equal the renormalized sums.
  bool is_whole(const Tile& tile) const {
    bool whole = valid_.keeps_whole();
    const T* from = view_.input(tile);
    for (Index row = 0; row < tile.y.inputs && whole; ++row)
      whole = kernels_.all_finite(from + row * source_.row_pitch, tile.x.inputs);
    return whole;
  }

  /// Returns the division of a tile into cells. Cells of renormalized tiles are smaller: in such
  /// tiles, outputs along the whole edge of a region of missing points may need direct sums.
  static FftTileReach reach_of(const FftTiles& tiles, bool renormalized) {
    return renormalized ? FftTileReach(tiles, 8, 32) : FftTileReach(tiles);
  }

  /// Computes the tiles that sum() has not computed, because they have missing points or because
  /// some of their results are not finite. Each of these tiles is transformed with 0 in place of
  /// NaN and Inf. If missing points are left out, the results are then renormalized.
  ///
  /// Outputs that depend on an Inf, or on a NaN that is not left out, are summed directly. So are
  /// outputs for which FftValid::rescale requests direct sums. All outputs of a tile are summed
  /// directly if the transform overflows, or if the tile is renormalized and the taps sum to 0.
  void mend(const std::vector<Index>& numbers, const Scratch<T>& memory,
            const Scratch<T>& rooms) const {
    const Index tiles = Index(numbers.size()), cells = reach_.cells();
    std::vector<unsigned char> reached(tiles * cells);
    const Scratch<int> counts(memory.threads(), reach_.counts());
    const Index room_elements = plan_.tiles.y.points * pitch_;
    const Scratch<T> marks(memory.threads(), valid_.wanted() ? room_elements : 0);
    const Scratch<T> shares(memory.threads(), valid_.mixed() ? room_elements : 0);
    const Scratch<int> seen(memory.threads(), valid_.wanted() ? counts_of(plan_.tiles) : 0);
#pragma omp parallel for schedule(dynamic) num_threads(memory.threads())
    for (Index k = 0; k < tiles; ++k) {
      const int thread = omp_get_thread_num();
      const Tile some = view_.tile(numbers[k]);
      unsigned char* of_tile = reached.data() + k * cells;
      T* room = rooms.of_thread(thread);
      view_.copy_inputs(some, room);
      if (valid_.wanted()) leave_out(room, marks.of_thread(thread), seen.of_thread(thread));
      reach_.clean(room + plan_.tiles.x.lead, pitch_, counts.of_thread(thread), of_tile);
      const bool is_bad =
          kernels_.convolve_tile(tables_, view_.in_room(room), memory.of_thread(thread)) ||
          (valid_.wanted() && !valid_.keeps_whole());
      if (is_bad) {
        std::fill_n(of_tile, cells, 1);
        continue;
      }
      if (valid_.wanted())
        renormalize({room, marks.of_thread(thread), shares.of_thread(thread)},
                    seen.of_thread(thread), memory.of_thread(thread), of_tile);
      view_.take(some, room);
    }
    std::vector<Box> pieces;
    for (Index k = 0; k < tiles; ++k)
      view_.add_pieces(view_.tile(numbers[k]), reach_, reached.data() + k * cells, pieces);
    sum_pieces(stencil_, kernels_, view_.under_outputs(), target_, pieces, plan_.tiles.x.outputs());
  }

  /// Sets the missing inputs of a tile to 0, marks the valid inputs with 1, and counts them.
  ///
  /// @param seen  number of valid inputs under each output
  void leave_out(T* room, T* marks, int* seen) const {
    for (Index row = 0; row < plan_.tiles.y.points; ++row) {
      T* inputs = room + row * pitch_;
      kernels_.mark_valid(inputs, marks + row * pitch_, plan_.tiles.x.points);
      kernels_.copy_valid(inputs, inputs, plan_.tiles.x.points);
    }
    valid_.count(marks + plan_.tiles.x.lead, pitch_, plan_.tiles.y.outputs(),
                 plan_.tiles.x.outputs(), seen);
  }

  /// Memory for tiles that are transformed one after the other: sums of the valid inputs, marks,
  /// and a copy of the marks if the taps have both signs.
  struct Rooms {
    T *sums, *marks, *shares;
  };
  /// Rescales the sums of a tile.
  ///
  /// @param seen     counts from leave_out
  /// @param reached  array in which the cells that must be summed directly are marked
  void renormalize(const Rooms& rooms, const int* seen, T* memory, unsigned char* reached) const {
    if (valid_.mixed()) {
      std::copy_n(rooms.marks, plan_.tiles.y.points * pitch_, rooms.shares);
      FftTileTables<T> absolute = tables_;
      absolute.spectrum = plan_.absolute.data();
      kernels_.convolve_tile(absolute, view_.in_room(rooms.shares), memory);
    }
    kernels_.convolve_tile(tables_, view_.in_room(rooms.marks), memory);
    for (Index row = 0; row < plan_.tiles.y.outputs(); ++row)
      valid_.rescale(kernels_, rooms.sums + row * pitch_, rooms.marks + row * pitch_,
                     valid_.mixed() ? rooms.shares + row * pitch_ : nullptr,
                     seen + row * plan_.tiles.x.outputs(), plan_.tiles.x.outputs(),
                     reached + row / reach_.cell_rows() * reach_.columns(), reach_.cell_columns());
  }

  const Stencil<T>& stencil_;
  const FftTilePlan<T>& plan_;
  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  FftTileView<T> view_;
  FftValid<T> valid_;
  FftTileReach reach_;
  Index pitch_;
  FftTileTables<T> tables_;
};

}  // namespace

Index fft_tile_scratch(const FftTiles& tiles, bool renormalizes) {
  const Index room = checked_multiply(tiles.y.points, room_pitch(tiles));
  const Index of_valid =  // marks, shares, and counts of 4 bytes
      renormalizes ? checked_add(checked_multiply(2, room), counts_of(tiles)) : 0;
  return checked_add(fft_tile_memory(tiles.y.points / 2, tiles.x.points),
                     checked_add(room, of_valid));
}

template <class T>
void walk_fft_tiles(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                    FieldView<const T> source, FieldView<T> target, const Anchor& anchor) {
  FftTileWalk<T>(stencil, kernels, source, target, anchor).run();
}

template void walk_fft_tiles(const Stencil<float>&, const RowKernels<float>&,
                             FieldView<const float>, FieldView<float>, const Anchor&);
template void walk_fft_tiles(const Stencil<double>&, const RowKernels<double>&,
                             FieldView<const double>, FieldView<double>, const Anchor&);

}  // namespace stencil::cpu
