#pragma once

#include <memory>

#include "drivers/pipeline/bound_stage.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// Returns a kernel that multiplies the results of `kernel` by the factors in `stage.rows`. The
/// product is computed in float64 and rounded to T. For host memory only.
template <class T>
std::unique_ptr<BoundStencil<T>> with_row_factors(std::unique_ptr<BoundStencil<T>> kernel,
                                                  const BoundStage& stage);

}  // namespace stencil
