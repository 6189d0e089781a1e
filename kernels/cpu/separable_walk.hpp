#pragma once

#include "kernels/cpu/walk.hpp"

namespace stencil::cpu {

/// As column_walk (column_walk.hpp), for separable masks with strides or with taps of 0 that are
/// skipped.
template <class T>
Walk<T> separable_walk(const Stencil<T>& stencil);

}  // namespace stencil::cpu
