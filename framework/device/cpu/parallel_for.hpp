#pragma once

#include <functional>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Calls body(0) ... body(count - 1), distributed evenly over the OpenMP threads; returns when all
/// calls have returned. For headers that users compile, with or without OpenMP.
///
/// @param body  called by several threads at once; must not throw
void parallel_for(Index count, const std::function<void(Index)>& body);

}  // namespace stencil
