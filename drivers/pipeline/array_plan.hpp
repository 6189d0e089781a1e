#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "drivers/pipeline/array_chain.hpp"
#include "drivers/pipeline/stage.hpp"

namespace stencil {

/// A chain for arrays, in one of the two precisions.
using ArrayPlan = std::variant<ArrayChain<float>, ArrayChain<double>>;

/// Returns a key that contains, as bytes, all settings on which a plan depends. Stages, shapes and
/// types that have the same plan have equal keys.
std::string plan_key(const std::vector<Stage>& stages, const Point& shape, Precision precision);

/// Returns the plan of some stages for inputs of a shape. A cache, shared by all threads of the
/// process, keeps the most recently used plans, except those of large masks.
///
/// @param shape  {batch, y, x}
/// @throws ShapeError  see make_chain()
std::shared_ptr<const ArrayPlan> array_plan(const std::vector<Stage>& stages, const Point& shape,
                                            Precision precision);

}  // namespace stencil
