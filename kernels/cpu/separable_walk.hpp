#pragma once

#include "kernels/cpu/walk.hpp"

namespace stencil::cpu {

/// Like column_walk (column_walk.hpp), for separable masks with strides or with skipped taps.
template <class T>
Walk<T> separable_walk(const Stencil<T>& stencil);

}  // namespace stencil::cpu
