#pragma once

#include "framework/grid/box.hpp"

namespace stencil {

/// Division of one axis into blocks for overlap-save. The division is the same for every rank,
/// piece of work and processor, so that the bits of an output depend only on the inputs of its pair
/// of blocks.
///
/// Outputs are numbered before striding, from output 0 of the whole axis. One complex transform of
/// `points` points contains two real blocks of `outputs()` outputs each, one as the real and one as
/// the imaginary part. Pair q computes the outputs `[2 q L, 2 (q + 1) L)` with `L = outputs()` from
/// the inputs `[2 q L, 2 (q + 1) L + width - 1)`. Inputs are numbered from the first input under
/// output 0. Inputs after the last one that an output of the axis reads are replaced by +0.
///
/// Example: for 3 taps and transforms of 64 points, L is 48, and pair 1 computes the outputs 96 ...
/// 191 from the inputs 96 ... 193.
struct FftBlocks {
  Index points = 0;  ///< points of one transform, a power of two; 0 if there are no blocks
  Index width = 1;   ///< number of taps

  /// Outputs of one block: a multiple of 16, so that vectors of any width divide it.
  Index outputs() const { return (points - width + 1) / 16 * 16; }
  Index pair() const { return 2 * outputs(); }
  /// Number of inputs of a pair.
  Index reach() const { return pair() + width - 1; }

  /// Returns the pairs that contain the outputs `[first, last)` of the strided axis.
  Interval pairs(const Interval& outputs, Index stride) const;
  /// Returns the inputs of the pairs that contain these outputs.
  /// @param axis_outputs  number of strided outputs of the whole axis
  Interval reads(const Interval& outputs, Index stride, Index axis_outputs) const;
};

/// Numbers of points of the smallest and the largest transform.
inline constexpr Index least_fft_points = 256;
inline constexpr Index most_fft_points = Index{1} << 26;

/// Returns the blocks with the lowest cost for a mask of `width` taps on one axis.
///
/// @param dense_outputs  number of outputs of the whole axis before striding
/// @param lines          number of lines of the world along the mask's axis
/// @throws ShapeError  the mask is too wide for the largest transform
FftBlocks choose_fft_blocks(Index width, Index dense_outputs, Index lines);

/// Returns the number of taps of a direct sum that takes as long as the transforms, per output
/// before striding.
double fft_cost_in_taps(const FftBlocks& blocks, Index dense_outputs, Index lines);

/// Returns 2 for an even stride, which needs only the even outputs of a block, else 1. With 2, an
/// overflow in an odd output does not cause a direct sum of the pair.
inline int fft_every(Index stride) {
  return stride % 2 == 0 ? 2 : 1;
}

/// Number of pairs for which CPUs compute one inverse transform (RowKernels::decimate_pairs): 2 for
/// an even stride, unless the transforms are so long that they would need much more memory, else 1.
inline int fft_together(Index points, Index stride) {
  return points <= Index{1} << 16 ? fft_every(stride) : 1;
}

}  // namespace stencil
