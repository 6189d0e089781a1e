#pragma once

#include "kernels/cpu/walk.hpp"

namespace stencil::cpu {

/// Sums over the valid points only, rescaled (Stencil::min_valid), with the walk that the stencil
/// would use without missing points.
/// @pre min_valid; the conditions of plain_walk (walks.hpp)
///
/// @param extent  extent of the outputs
template <class T>
Walk<T> valid_walk(const Stencil<T>& stencil, const Point& extent);

}  // namespace stencil::cpu
