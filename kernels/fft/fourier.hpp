#pragma once

#include <complex>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

// Fourier transforms that tables are made with, the same bits on every machine.

/// `exp(-2 pi i k / n)` for k in [0, n), rounded once, except for errors of some thousandths of
/// that rounding.
/// @pre n is a power of two
std::vector<std::complex<double>> roots_of_one(Index n);

/// Transforms n values in place and in order:
///
///     y[k] = sum_j exp(-2 pi i j k / n) v[j]
///
/// The values are treated as a matrix whose rows are transformed, multiplied by twiddles and
/// transposed, followed by its columns (Bailey, FFTs in external or hierarchical memory, 1990), so
/// that the inner loops are contiguous in memory.
///
/// @pre           n is a power of two
/// @param roots   roots_of_one of a multiple of n
void transform(std::complex<double>* values, Index n,
               const std::vector<std::complex<double>>& roots);

/// Like transform(), for n values that are rows of `width` numbers each. The result is in place but
/// not in order: its row k is at `bit_reversed(k, n)`.
///
/// @param values  `[n, width]`
void transform_rows(std::complex<double>* values, Index n, Index width,
                    const std::vector<std::complex<double>>& roots);

/// The number whose bits are those of k in reverse. @pre 0 <= k < n, a power of two
Index bit_reversed(Index k, Index n);

/// The passes of a transform of `points` points: no, one or two of radix 4, then those of radix 8.
/// @pre points is a power of two, at least 8
std::vector<int> radices_of(Index points);

/// Place at which passes of these radices leave frequency k.
Index permuted(Index k, Index points, const std::vector<int>& radices);

/// The factors of all passes but the last, whose factors are all 1. For a pass over parts of n
/// points with radix r, for j in [0, n/r), for m in [1, r): real and imaginary part of
/// `exp(-2 pi i m j / n)`.
///
/// @param roots  roots_of_one of a multiple of `points`
template <class T>
std::vector<T> twiddles_of(Index points, const std::vector<int>& radices,
                           const std::vector<std::complex<double>>& roots);

}  // namespace stencil
