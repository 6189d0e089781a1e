#pragma once

#include <memory>

#include "drivers/pipeline/bound_stage.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// Returns a kernel that replaces the outputs at the edges of a stage's world by values of the
/// polynomial fit `stage.edge_fit`. Fits are summed in float64 over the points at the edge, always
/// in the same order, so the outputs have the same bits for all ranks and windows. Sources must
/// contain the points of `stage.reads`. For host memory only.
template <class T>
std::unique_ptr<BoundStencil<T>> with_fitted_edges(std::unique_ptr<BoundStencil<T>> kernel,
                                                   const BoundStage& stage);

}  // namespace stencil
