#pragma once

#include <optional>
#include <vector>

#include "drivers/pipeline/bound_stage.hpp"
#include "framework/device/backend.hpp"
#include "framework/grid/box.hpp"
#include "framework/grid/decomposition.hpp"
#include "kernels/cuda/ladder/strategy_name.hpp"

namespace stencil {

/// Stages, one after the other, bound to the shape of a world and to a type: everything that is to
/// be known before fields and kernels exist. Plain values, the same on every rank.
struct Chain {
  std::vector<BoundStage> stages;
  Precision precision = Precision::float32;
  Backend backend = Backend::cpu;      ///< or cuda
  std::optional<cuda::Strategy> rung;  ///< of the ladder, on cuda; none: the kernel that suits

  /// Shape of the inputs and of the final outputs, {batch, y, x}.
  const Point& input_shape() const { return stages.front().input.shape(); }
  const Point& output_shape() const { return stages.back().output.shape(); }

  /// Steps of all stages.
  Index steps() const;

  /// The smallest box of inputs that holds all that a box of final outputs is made of, composed
  /// backwards through all stages and steps. Worked example: 3 taps, then a box of 5 at every
  /// second point, on 100 points: outputs [10, 20) need [17, 42). Beyond the edges of the world the
  /// boundary rules say what is needed, so with `wrap` it may be the whole axis.
  ///
  /// @param outputs  in global indices of the last stage's outputs
  Box reads(const Box& outputs) const;
};

/// Binds stages to a world, in one block: split() cuts it.
///
/// @param shape  of the inputs, {batch, y, x}
/// @throws ShapeError  no stages, or bind_to_shape()'s reasons behind the name of the stage
Chain make_chain(const std::vector<Stage>& stages, const Point& shape, Precision precision);

/// Cuts the world of a chain over ranks, and decides how many steps a sweep takes and how deep the
/// ghosts are; chain.backend and chain.rung are set.
///
/// @param blocks  of the inputs
void split(Chain& chain, const Decomposition& blocks);

/// The decomposition of least cost for a chain on at most `ranks` ranks.
///
/// @param batch_unit  the batch axis is cut at multiples of it only: channels of an image
Decomposition choose_blocks(const Chain& chain, int ranks, Index batch_unit = 1);

}  // namespace stencil
