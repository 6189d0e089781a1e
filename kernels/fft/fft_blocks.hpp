#pragma once

#include "framework/grid/box.hpp"

namespace stencil {

/// How overlap-save divides one axis into blocks. The division is the same for every rank, piece of
/// work and processor, so that the bits of an output depend only on the inputs of its own pair.
///
/// Outputs are numbered before striding, from output 0 of the whole axis. One complex transform of
/// `points` points contains two real blocks of `outputs()` outputs each, one as the real and one as
/// the imaginary part: pair q gives the outputs `[2 q L, 2 (q + 1) L)` with `L = outputs()`,
/// computed from the inputs `[2 q L, 2 (q + 1) L + width - 1)`. Inputs are numbered from the first
/// one under output 0; inputs after the last one that an output of the axis reads are replaced by
/// +0.
///
/// Example: 3 taps in transforms of 64 points have L = 48, and pair 1 computes the outputs 96 ...
/// 191 from the inputs 96 ... 193.
struct FftBlocks {
  Index points = 0;  ///< of one transform, a power of two; 0: no blocks
  Index width = 1;   ///< taps

  /// Outputs of one block: a multiple of 16, so that vectors of any width tile it.
  Index outputs() const { return (points - width + 1) / 16 * 16; }
  Index pair() const { return 2 * outputs(); }
  /// Inputs of a whole pair.
  Index reach() const { return pair() + width - 1; }

  /// Pairs that the outputs `[first, last)` of the strided axis lie in.
  Interval pairs(const Interval& outputs, Index stride) const;
  /// The inputs of the pairs that contain these outputs.
  /// @param axis_outputs  strided outputs of the whole axis
  Interval reads(const Interval& outputs, Index stride, Index axis_outputs) const;
};

/// Smallest and largest transform.
inline constexpr Index least_fft_points = 256;
inline constexpr Index most_fft_points = Index{1} << 26;

/// Blocks of least cost for a mask of `width` taps on one axis.
///
/// @param dense_outputs  of the whole axis before striding
/// @param lines          number of lines of the world along the mask
/// @throws ShapeError  a mask too wide for the largest transform
FftBlocks choose_fft_blocks(Index width, Index dense_outputs, Index lines);

/// Taps of a direct sum that take as long as the transforms, for one output before striding.
double fft_cost_in_taps(const FftBlocks& blocks, Index dense_outputs, Index lines);

/// 2 for an even stride, which needs only the even outputs of a block, else 1. With 2, an overflow
/// in an odd output does not make the pair one that is summed directly.
inline int fft_every(Index stride) {
  return stride % 2 == 0 ? 2 : 1;
}

/// Number of pairs that CPUs transform back together (RowKernels::decimate_pairs): 1, or 2 unless
/// the transforms are so long that they would need much more memory.
inline int fft_together(Index points, Index stride) {
  return points <= Index{1} << 16 ? fft_every(stride) : 1;
}

}  // namespace stencil
