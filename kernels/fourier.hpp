#pragma once

#include <complex>
#include <type_traits>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

// Fourier transforms that tables are made with, the same bits on every machine.

/// The type with which tables of T are computed: they are rounded once.
template <class T>
using TableReal = std::conditional_t<sizeof(T) == 4, double, long double>;

/// `exp(-2 pi i k / n)` for k in [0, n), rounded once. @pre n is a power of two
template <class Real>
std::vector<std::complex<Real>> roots_of_one(Index n);

/// Transforms, in place, n values that are rows of `width` numbers each:
///
///     y[k][x] = sum_j exp(-2 pi i j k / n) v[j][x]
///
/// Row k of the result is left at `bit_reversed(k, n)`.
///
/// @param values  `[n, width]`; n is a power of two
/// @param roots   roots_of_one of a multiple of n
template <class Real>
void transform(std::complex<Real>* values, Index n, Index width,
               const std::vector<std::complex<Real>>& roots);

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
template <class T, class Real>
std::vector<T> twiddles_of(Index points, const std::vector<int>& radices,
                           const std::vector<std::complex<Real>>& roots);

}  // namespace stencil
