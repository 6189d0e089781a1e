#pragma once

#include "kernels/cpu/walk.hpp"

namespace stencil::cpu {

/// Returns the fastest of direct_walk, column_walk and separable_walk for a stencil. A stencil with
/// Method::fft is summed directly.
/// @pre at most one separable term
template <class T>
Walk<T> plain_walk(const Stencil<T>& stencil);

/// Cuts the outputs of a call into pieces and sums them by the calling thread's team.
template <class T>
void run(const Walk<T>& walk, const Stencil<T>& stencil, const RowKernels<T>& kernels,
         FieldView<const T> source, FieldView<T> target);

}  // namespace stencil::cpu
