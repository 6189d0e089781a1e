#pragma once

#include "kernels/cpu/walk.hpp"

namespace stencil::cpu {

/// Computes rescaled sums over the valid points (Stencil::min_valid), with the walk that the
/// stencil would use if all points were valid.
/// @pre the stencil has min_valid and meets the conditions of plain_walk (walks.hpp)
///
/// @param extent  extent of the outputs
template <class T>
Walk<T> valid_walk(const Stencil<T>& stencil, const Point& extent);

}  // namespace stencil::cpu
