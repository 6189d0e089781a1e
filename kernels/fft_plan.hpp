#pragma once

#include <vector>

#include "kernels/fft_blocks.hpp"

namespace stencil {

/// Everything about one mask and one transform length that is computed once: twiddles and the
/// mask's spectrum, in double precision or better and rounded once.
///
/// The forward transform is decimation in frequency: pass after pass over ever smaller parts, each
/// of `n` points and radix r:
///
///     y[j + m n/r] = exp(-2 pi i m j / n) sum_k exp(-2 pi i m k / r) x[j + k n/r]
///
/// which leaves the frequencies in a permuted order. The spectrum is stored in that order, and the
/// inverse passes undo the forward ones in reverse, so nothing is ever sorted.
template <class T>
struct FftPlan {
  FftBlocks blocks;
  std::vector<int> radices;  ///< 8 or 4 each, of the passes from the largest to the smallest part
  /// For each pass but the last (all of whose twiddles are 1), for j in [0, n/r), for m in [1, r):
  /// real and imaginary part of `exp(-2 pi i m j / n)`.
  std::vector<T> twiddles;
  /// `conj(DFT(taps)) / points` (a correlation), real and imaginary parts, in permuted order.
  std::vector<T> spectrum;
};

template <class T>
FftPlan<T> make_fft_plan(const std::vector<T>& taps, const FftBlocks& blocks);

/// Place at which the forward transform leaves a frequency.
Index permuted(Index frequency, Index points, const std::vector<int>& radices);

}  // namespace stencil
