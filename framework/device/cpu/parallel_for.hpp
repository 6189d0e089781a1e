#pragma once

#include <functional>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Calls body(0) ... body(count - 1), distributed evenly over the OpenMP threads; returns when all
/// calls have returned. Headers that users compile call this function, because a user's compiler
/// may not have OpenMP enabled.
///
/// @param body  called by several threads at once; must not throw
void parallel_for(Index count, const std::function<void(Index)>& body);

}  // namespace stencil
