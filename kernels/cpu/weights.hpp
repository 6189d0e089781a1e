#pragma once

#include "kernels/cpu/weight_values.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

template <class T>
Weights<T> make_weights(const Stencil<T>& stencil);

}  // namespace stencil::cpu
