#pragma once

#include "kernels/cpu/walk.hpp"

namespace stencil::cpu {

/// Sums over the valid points only, rescaled (Stencil::min_valid), with the walk that would be used
/// for this stencil without missing points. @pre min_valid; as plain_walk (walks.hpp)
///
/// @param extent  the extent of the outputs
template <class T>
Walk<T> valid_walk(const Stencil<T>& stencil, const Point& extent);

}  // namespace stencil::cpu
