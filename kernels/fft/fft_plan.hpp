#pragma once

#include <vector>

#include "kernels/fft/fft_blocks.hpp"
#include "kernels/fft/fft_eight.hpp"

namespace stencil {

/// Everything that is computed once for one mask and one transform length: twiddles and the mask's
/// spectrum, computed in double precision, then rounded to T.
///
/// A transform of N points is composed of the transforms of its 8 interleaved sequences l, each
/// with M = N / 8 points x[l], x[l + 8], x[l + 16], ..., so that vectors hold neighbouring points:
///
///     X[k + m M] = sum_l exp(-2 pi i m l / 8) exp(-2 pi i l k / N) X_l[k]
///
/// The forward transform of a sequence uses decimation in frequency: pass after pass over smaller
/// and smaller parts, each of `n` points and radix r:
///
///     y[j + m n/r] = exp(-2 pi i m j / n) sum_k exp(-2 pi i m k / r) x[j + k n/r]
///
/// This leaves the frequencies k in a permuted order. The tables have the same order, and the
/// inverse passes undo the forward ones in reverse, so nothing has to be sorted.
template <class T>
struct FftPlan {
  FftBlocks blocks;
  /// 8 or 4 each, of a sequence's passes from the largest to the smallest part. The last one is 8.
  std::vector<int> radices{};
  /// For each pass but the last (all of whose twiddles are 1), for j in [0, n/r), for m in [1, r):
  /// real and imaginary part of `exp(-2 pi i m j / n)`.
  std::vector<T> twiddles{};
  /// `exp(-2 pi i l k / N)`: element l of the octet that has the place of k.
  std::vector<FftEight<T>> turns{};
  /// `conj(DFT(taps)) / N` (a correlation) at frequency k + m M: with p the place of k, element
  /// p mod 8 of octet p - p mod 8 + m.
  std::vector<FftEight<T>> spectrum{};
  /// That of the taps' absolute values, where missing points are left out by taps of both signs.
  std::vector<FftEight<T>> absolute{};

  /// Keeps blocks and radices alone, where the tables are elsewhere.
  void drop_tables() { twiddles = {}, turns = {}, spectrum = {}, absolute = {}; }
};

/// What a plan holds.
enum class FftTables {
  made,
  spectrum,  ///< that of the mask alone, beside the plan of another mask with the same blocks
  left_out,  ///< none of the tables: the stencil can be named but not summed
};

/// @param tables  left out: the blocks alone
template <class T>
FftPlan<T> make_fft_plan(const std::vector<T>& taps, const FftBlocks& blocks,
                         FftTables tables = FftTables::made);

}  // namespace stencil
