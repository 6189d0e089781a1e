#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Computes the sums of convolve_cpu for a mask of several planes (Stencil::depth), direct or
/// separable.
template <class T>
void walk_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
                 FieldView<T> target);

/// Returns an upper bound on the temporary memory of walk_volume and walk_valid_volume in bytes,
/// for all threads of the calling thread's team.
///
/// @param stencil  its shape, strides and method are used; its taps are not read
/// @param element  bytes of the compute type
template <class T>
Index volume_scratch_bytes(const Stencil<T>& stencil, Index element, bool renormalizes);

}  // namespace stencil::cpu
