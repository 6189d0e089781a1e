#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "drivers/pipeline/array_chain.hpp"
#include "drivers/pipeline/stage.hpp"

namespace stencil {

/// A chain for arrays, of either precision.
using ArrayPlan = std::variant<ArrayChain<float>, ArrayChain<double>>;

/// All settings on which a plan depends, as bytes: equal for stages, shapes and types that have the
/// same plan.
std::string plan_key(const std::vector<Stage>& stages, const Point& shape, Precision precision);

/// The plan of some stages for inputs of a shape. The plans used last are kept, for all threads of
/// the process; plans of large masks are not.
///
/// @param shape  {batch, y, x}
/// @throws ShapeError  as make_chain()
std::shared_ptr<const ArrayPlan> array_plan(const std::vector<Stage>& stages, const Point& shape,
                                            Precision precision);

}  // namespace stencil
