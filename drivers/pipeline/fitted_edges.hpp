#pragma once

#include <memory>

#include "drivers/pipeline/bound_stage.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// A kernel that replaces the outputs at the edges of a stage's world according to its `edge_fit`:
/// sums in float64 over the points at the edge, in one order, so that they have the same bits for
/// all ranks and windows. Sources are those of `stage.reads`. For the memory of the host.
template <class T>
std::unique_ptr<BoundStencil<T>> with_fitted_edges(std::unique_ptr<BoundStencil<T>> kernel,
                                                   const BoundStage& stage);

}  // namespace stencil
