#pragma once

#include "kernels/convolve.hpp"
#include "kernels/cpu/row_kernels.hpp"

namespace stencil::cpu {

/// The walks behind convolve_cpu, with the inner loops of one vector extension. Arguments as
/// there; the target has no extent of 0.
template <class T>
void walk_direct(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
                 FieldView<T> target);

/// Whether walk_columns does it: separable masks and tall single columns, without strides and
/// without missing points.
template <class T>
bool can_walk_columns(const Stencil<T>& stencil);

/// Rows and columns in one walk: each thread keeps the row sums that the columns of some rows of
/// outputs read in a ring of rows that stays in the cache, so that the input is read once and the
/// output written once. @pre can_walk_columns
template <class T>
void walk_columns(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                  FieldView<const T> source, FieldView<T> target);

/// The same for separable masks with strides, missing points, or taps that do not meet their input.
template <class T>
void walk_separable(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                    FieldView<const T> source, FieldView<T> target);

/// The same for a sum of several separable terms, each of which has a ring of row sums.
template <class T>
void walk_sum_of_separables(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                            FieldView<const T> source, FieldView<T> target);

/// Pairs of blocks, one or two at once.
template <class T>
void walk_fft(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
              FieldView<T> target, const Anchor& anchor);

}  // namespace stencil::cpu
