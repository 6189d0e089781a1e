#pragma once

#include <memory>

#include "drivers/pipeline/bound_stage.hpp"
#include "framework/device/executor.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// Binds the masks in `stage.rows` to an executor. The outputs of each row are direct sums with the
/// mask of this row. Sources have the points of the widest mask, `stage.choice.mask`. For host
/// memory only.
template <class T>
std::unique_ptr<BoundStencil<T>> bind_row_masks(Executor& executor, const BoundStage& stage);

}  // namespace stencil
