#pragma once

#include "kernels/cpu/walk.hpp"

namespace stencil::cpu {

/// Sums any direct stencil tap by tap. NaN is treated like any other value; min_valid is ignored.
template <class T>
Walk<T> direct_walk(const Stencil<T>& stencil);

}  // namespace stencil::cpu
