#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"

namespace stencil {

/// The sum of convolve_cpu (kernels/cpu/convolve_cpu.hpp) as plain loops in double precision: the
/// definition of correct. Separable stencils are summed as the outer product of their factors, or
/// as the sum of these products.
template <class T>
void convolve_reference(const Stencil<T>& stencil, FieldView<const T> source,
                        FieldView<double> target);

}  // namespace stencil
