#pragma once

#include <algorithm>

#include "framework/device/field_view.hpp"
#include "kernels/cpu/fft_pair.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Number of elements between two adjacent pairs of a panel. It is an odd multiple of 16, so that
/// equal positions of adjacent pairs do not compete for the same sets of the cache.
inline Index fft_panel_pitch(const FftBlocks& blocks) {
  return ((blocks.reach() + 15) / 16 | 1) * 16;
}

/// Number of elements of the part of a panel for one line: a buffer of results, followed by inputs.
inline Index fft_line_pitch(const FftBlocks& blocks) {
  return FftBuffer::elements(blocks.outputs()) + fft_panel_pitch(blocks);
}

template <class T>
void copy(const T* from, T* to, Index count) {
  std::copy_n(from, count, to);
}

/// Calls `copy(from, to, count)` for each run of outputs that are adjacent in a buffer. All runs
/// together contain the outputs `results`; output `results.first` is copied to `to`.
template <class T, class Copy>
void empty_buffer(const FftTables<T>& tables, const T* buffer, Interval results, T* to,
                  const Copy& copy) {
  const FftBuffer places(tables.points, tables.radices[0], tables.outputs);
  for (Index k = results.first; k < results.last;) {
    const Index count = std::min(places.run(k), results.last - k);
    copy(buffer + places.at(k), to + (k - results.first), count);
    k += count;
  }
}

/// Largest number of pieces of a bundle: the number of bits of the bit mask that marks the columns
/// to sum directly.
inline constexpr Index fft_most_bundle = 64;

/// Number of pieces that a thread computes at once. Along x, this is the number of pairs that are
/// transformed together. Along y, it is a number of columns that fill whole cache lines and still
/// fit into the caches.
///
/// @param pairs  number of pairs that are transformed together; not used along y
inline Index fft_bundle(const FftBlocks& blocks, int pairs, std::size_t element, bool along_x) {
  constexpr Index panel_bytes = 1 << 19, line_bytes = 64, most_lines = 4;
  if (along_x) return pairs;
  static_assert(most_lines * line_bytes / sizeof(float) <= fft_most_bundle);
  const Index line = line_bytes / Index(element), bytes = fft_panel_pitch(blocks) * line_bytes;
  return line * std::clamp<Index>(panel_bytes / bytes, 1, most_lines);
}

/// The pairs of blocks that contain the outputs of one view, as numbered pieces of work. For masks
/// along x, the pairs of a row are consecutive; for masks along y, the columns of a pair are
/// consecutive.
template <class T>
class FftWork {
 public:
  FftWork(const Stencil<T>& stencil, FieldView<const T> source, FieldView<T> target,
          const Anchor& anchor)
      : along_x(stencil.height == 1),
        stride(stencil.stride[along_x ? 1 : 0]),
        blocks(stencil.fft->blocks),
        source_(source),
        target_(target),
        across_stride_(stencil.stride[along_x ? 0 : 1]),
        across_(target.extent[along_x ? y_axis : x_axis]),
        outputs_{anchor.first_output,
                 anchor.first_output + target.extent[along_x ? x_axis : y_axis]},
        pairs_(blocks.pairs(outputs_, stride)),
        axis_inputs_(((anchor.axis_outputs > 0 ? anchor.axis_outputs : outputs_.last) - 1) *
                         stride +
                     blocks.width) {}

  /// One pair of one line.
  struct Piece {
    Index b, across;   ///< batch, and index of the row or column
    Index begin;       ///< index of the pair's first output before striding
    Index inputs;      ///< number of inputs from `begin` on; later inputs are replaced by +0
    Interval outputs;  ///< strided outputs of the view in the pair, by index along the whole axis

    /// Returns the interval from the first to the last of `outputs` as indices before striding by
    /// `step`, relative to `begin`.
    Interval dense(Index step) const {
      if (outputs.empty()) return {0, 0};
      return {outputs.first * step - begin, (outputs.last - 1) * step + 1 - begin};
    }
  };

  /// Number of bundles of at most `size` pieces. For masks along y, a bundle never has columns of
  /// different pairs, and the first bundle of a pair begins with the first column of the pair.
  Index bundles(Index size) const {
    return along_x ? (count() + size - 1) / size
                   : target_.extent[batch_axis] * pairs_.extent() * bundles_of_pair(size);
  }
  Interval bundle(Index number, Index size) const {
    if (along_x) return {number * size, std::min(count(), (number + 1) * size)};
    const Index pair = number / bundles_of_pair(size), k = number % bundles_of_pair(size);
    return {pair * across_ + k * size, pair * across_ + std::min(across_, (k + 1) * size)};
  }
  Piece piece(Index number) const;

  /// Returns the address of the input that is `position` elements after the first input of the
  /// piece.
  const T* input(const Piece& piece, Index position) const {
    const Index along = piece.begin - pairs_.first * blocks.pair() + position;
    const Index across = piece.across * across_stride_;
    return along_x ? &source_.at(piece.b, across, along) : &source_.at(piece.b, along, across);
  }
  /// Returns the address of the inputs of a piece along x. If some of its inputs do not exist, the
  /// existing inputs are copied to `place` and padded with +0.
  const T* inputs(const Piece& piece, T* place) const {
    const T* source = input(piece, 0);
    if (piece.inputs == blocks.reach()) return source;
    std::copy_n(source, piece.inputs, place);
    std::fill(place + piece.inputs, place + blocks.reach(), T(0));
    return place;
  }
  /// Returns whether all outputs of the pair are in the view.
  bool wants_all(const Piece& piece) const { return piece.outputs.extent() == blocks.pair(); }
  /// @param o  strided output, by index along the whole axis
  T* output(const Piece& piece, Index o) const {
    const Index along = o - outputs_.first;
    return along_x ? &target_.at(piece.b, piece.across, along)
                   : &target_.at(piece.b, along, piece.across);
  }
  /// Returns, as a box of the view, the outputs of this piece and of adjacent pieces of the same
  /// pair whose place along the mask's axis is in `dense`.
  /// @param dense   interval of indices before striding, along the whole axis
  /// @param across  rows or columns of the pieces, relative to the row or column of `piece`
  Box box(const Piece& piece, const Interval& dense, const Interval& across) const {
    const auto first_from = [&](Index place) { return (place + stride - 1) / stride; };
    const Interval along =
        intersect(piece.outputs, {first_from(dense.first), first_from(dense.last)});
    Box box;
    box.set(batch_axis, {piece.b, piece.b + 1});
    box.set(along_x ? y_axis : x_axis, {piece.across + across.first, piece.across + across.last});
    box.set(along_x ? x_axis : y_axis, {along.first - outputs_.first, along.last - outputs_.first});
    return box;
  }
  /// View of the inputs that begins with the input under the first tap for the first output.
  FieldView<const T> under_outputs() const {
    const Index before = outputs_.first * stride - pairs_.first * blocks.pair();
    FieldView<const T> source = source_;
    source.data = along_x ? &source_.at(0, 0, before) : &source_.at(0, before, 0);
    return source;
  }
  /// Number of elements from column to column of the inputs.
  Index column_step() const { return across_stride_; }

  const bool along_x;
  const Index stride;  ///< stride along the mask's axis
  const FftBlocks blocks;

 private:
  Index count() const { return target_.extent[batch_axis] * across_ * pairs_.extent(); }
  Index bundles_of_pair(Index size) const { return (across_ + size - 1) / size; }

  FieldView<const T> source_;
  FieldView<T> target_;
  Index across_stride_, across_;
  Interval outputs_;  ///< outputs of the view, by index along the whole axis
  Interval pairs_;
  Index axis_inputs_;
};

template <class T>
typename FftWork<T>::Piece FftWork<T>::piece(Index number) const {
  Piece piece{};
  const Index pairs = std::max<Index>(1, pairs_.extent());  // if there is a piece, there is a pair
  Index pair = 0;
  if (along_x) {
    pair = number % pairs;
    piece.across = number / pairs % across_;
  } else {
    piece.across = number % across_;
    pair = number / across_ % pairs;
  }
  piece.b = number / across_ / pairs;
  piece.begin = (pairs_.first + pair) * blocks.pair();
  piece.inputs = std::min(blocks.reach(), axis_inputs_ - piece.begin);
  const auto first_from = [&](Index dense) { return (dense + stride - 1) / stride; };
  piece.outputs =
      intersect(outputs_, {first_from(piece.begin), first_from(piece.begin + blocks.pair())});
  return piece;
}

}  // namespace stencil::cpu
