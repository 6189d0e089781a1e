#pragma once

#include <complex>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

// Fourier transforms for the computation of tables, with the same bits on every machine.

/// Returns `exp(-2 pi i k / n)` for k in [0, n). Each number is rounded once; its other errors are
/// some thousandths of the rounding error.
/// @pre n is a power of two
std::vector<std::complex<double>> roots_of_one(Index n);

/// Transforms n values in place and in order:
///
///     y[k] = sum_j exp(-2 pi i j k / n) v[j]
///
/// The values are treated as a matrix. Its rows are transformed, multiplied by twiddles and
/// transposed, then its columns are transformed (Bailey, FFTs in external or hierarchical memory,
/// 1990). Thus the inner loops are contiguous in memory.
///
/// @pre           n is a power of two
/// @param roots   roots_of_one of a multiple of n
void transform(std::complex<double>* values, Index n,
               const std::vector<std::complex<double>>& roots);

/// Like transform(), for n values that are rows of `width` numbers each. The result is in place,
/// but its rows are permuted: row k is at `bit_reversed(k, n)`.
///
/// @param values  `[n, width]`
void transform_rows(std::complex<double>* values, Index n, Index width,
                    const std::vector<std::complex<double>>& roots);

/// Returns the number whose bits are those of k in reverse order.
/// @pre 0 <= k < n, n is a power of two
Index bit_reversed(Index k, Index n);

/// Returns the radices of the passes of a transform of `points` points: zero, one or two passes of
/// radix 4, then passes of radix 8.
/// @pre points is a power of two, at least 8
std::vector<int> radices_of(Index points);

/// Returns the position of frequency k after passes with these radices.
Index permuted(Index k, Index points, const std::vector<int>& radices);

/// Returns the twiddles of all passes except the last, whose twiddles are all 1. For a pass over
/// parts of n points with radix r, for j in [0, n/r), for m in [1, r): real and imaginary part of
/// `exp(-2 pi i m j / n)`.
///
/// @param roots  roots_of_one of a multiple of `points`
template <class T>
std::vector<T> twiddles_of(Index points, const std::vector<int>& radices,
                           const std::vector<std::complex<double>>& roots);

}  // namespace stencil
