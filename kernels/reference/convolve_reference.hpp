#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"

namespace stencil {

/// Computes the sums of convolve_cpu (kernels/cpu/convolve_cpu.hpp) by plain loops in double
/// precision, as the reference for tests. Separable stencils are summed with the outer product of
/// their factors, or with the sum of these products.
template <class T>
void convolve_reference(const Stencil<T>& stencil, FieldView<const T> source,
                        FieldView<double> target);

}  // namespace stencil
