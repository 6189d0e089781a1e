#pragma once

#include "kernels/cpu/walk.hpp"

namespace stencil::cpu {

/// Any direct stencil, tap by tap. NaN is data like any other: min_valid is not looked at.
template <class T>
Walk<T> direct_walk(const Stencil<T>& stencil);

}  // namespace stencil::cpu
