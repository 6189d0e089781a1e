#pragma once

#include <vector>

#include "kernels/fft/fft_blocks.hpp"
#include "kernels/fft/fft_eight.hpp"

namespace stencil {

/// The tables that are computed once for one mask and one transform length: twiddles and the mask's
/// spectrum. They are computed in double precision and rounded to T.
///
/// A transform of N points is composed of the transforms of its 8 interleaved sequences l, each
/// with M = N / 8 points x[l], x[l + 8], x[l + 16], ..., so that vectors contain adjacent points:
///
///     X[k + m M] = sum_l exp(-2 pi i m l / 8) exp(-2 pi i l k / N) X_l[k]
///
/// The forward transform of a sequence uses decimation in frequency. Each pass works on smaller
/// parts than the pass before, with `n` points per part and radix r:
///
///     y[j + m n/r] = exp(-2 pi i m j / n) sum_k exp(-2 pi i m k / r) x[j + k n/r]
///
/// The frequencies k are then in a permuted order. The tables have the same order, and the inverse
/// passes reverse the forward passes, so no sorting is needed.
template <class T>
struct FftPlan {
  FftBlocks blocks;
  /// Radices, 8 or 4, of the passes of a sequence from the largest to the smallest part; the last
  /// is 8.
  std::vector<int> radices{};
  /// Real and imaginary part of `exp(-2 pi i m j / n)` for each pass except the last (all of whose
  /// twiddles are 1), for j in [0, n/r), for m in [1, r).
  std::vector<T> twiddles{};
  /// `exp(-2 pi i l k / N)`: element l of the octet at the permuted position of k.
  std::vector<FftEight<T>> turns{};
  /// `conj(DFT(taps)) / N` (for a correlation) at frequency k + m M: with p the permuted position
  /// of k, element p mod 8 of octet p - p mod 8 + m.
  std::vector<FftEight<T>> spectrum{};
  /// Spectrum of the absolute values of the taps; used for missing points if taps have both signs.
  std::vector<FftEight<T>> absolute{};

  /// Deletes the tables and keeps blocks and radices, after the tables have been copied elsewhere.
  void drop_tables() { twiddles = {}, turns = {}, spectrum = {}, absolute = {}; }
};

/// The tables that a plan contains.
enum class FftTables {
  made,
  spectrum,  ///< the spectrum only, for use with the plan of another mask with the same blocks
  left_out,  ///< no tables, for a stencil of which only the kernel's name is needed
};

/// Computes the tables of a mask.
///
/// @param tables  if left_out, the plan has only blocks
template <class T>
FftPlan<T> make_fft_plan(const std::vector<T>& taps, const FftBlocks& blocks,
                         FftTables tables = FftTables::made);

}  // namespace stencil
