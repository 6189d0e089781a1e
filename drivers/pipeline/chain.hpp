#pragma once

#include <optional>
#include <vector>

#include "drivers/pipeline/bound_stage.hpp"
#include "framework/device/backend.hpp"
#include "framework/grid/box.hpp"
#include "framework/grid/decomposition.hpp"

namespace stencil {

/// A sequence of stages, bound to the shape of a world and to a compute type. Contains all
/// decisions that are made before fields and kernels exist, as plain values that are the same on
/// every rank.
struct Chain {
  std::vector<BoundStage> stages;
  Precision precision = Precision::float32;
  Backend backend = Backend::cpu;  ///< cpu or cuda
  /// Number of consecutive inputs along the batch axis that stay on one rank: 2 if they are the
  /// real and the imaginary part of a complex number, otherwise 1.
  Index batch_parts = 1;

  /// Shape of the inputs and of the final outputs, {batch, y, x}.
  const Point& input_shape() const { return stages.front().input.shape(); }
  const Point& output_shape() const { return stages.back().output.shape(); }

  /// Total number of steps of all stages.
  Index steps() const;

  /// Returns the number at whose multiples the batch axis of the inputs may be cut, so that each
  /// rank has all channels of its images and both parts of its complex numbers. The number is
  /// `batch_parts` if no stage mixes channels, and the whole extent of the batch axis if an earlier
  /// stage along this axis makes every such cut impossible.
  Index batch_unit() const;

  /// Returns the smallest box of inputs that contains all inputs which a box of final outputs
  /// needs, computed backwards through all stages and steps. Example: for 3 taps followed by a box
  /// of 5 taps with stride 2, on 100 points, outputs [10, 20) need inputs [17, 42). Beyond the
  /// edges of the world the boundary rules determine which inputs are needed, so with `wrap` the
  /// box may span the whole axis.
  ///
  /// @param outputs  in global indices of the last stage's outputs
  Box reads(const Box& outputs) const;
};

/// Returns the number of outputs that a chain computes for each batch of inputs: the number of
/// filters of its bank, or 1. Channels are not counted.
Index filters_of(const Chain& chain);

/// Binds stages to a global array, the world, that is a single block. split() divides the world
/// among ranks.
///
/// @param shape  the shape of the inputs, {batch, y, x}
/// @throws ShapeError  there are no stages, or bind_to_shape() throws; the message names the stage
Chain make_chain(const std::vector<Stage>& stages, const Point& shape, Precision precision,
                 Backend backend = Backend::cpu);

/// Cuts the world of a chain over ranks, and sets the number of steps per sweep and the halo
/// widths; chain.backend must be set.
///
/// @param blocks  decomposition of the inputs
/// @throws ShapeError  the blocks separate the channels of an image, see Chain::batch_unit(); or an
///                     axis has fewer points than the polynomial fit at its edges needs
void split(Chain& chain, const Decomposition& blocks);

/// Checks that a chain can run in this precision on `ranks` ranks. The chain may have been
/// assembled by the calling program instead of make_chain().
///
/// @throws ShapeError  there are no stages, the precision is different, the batch axis is cut
///                     between channels of an image, or there are more blocks than ranks
void require_runs(const Chain& chain, Precision precision, int ranks);

/// Returns the decomposition with the least cost for a chain on at most `ranks` ranks. Keeps the
/// channels of an image together.
Decomposition choose_blocks(const Chain& chain, int ranks);

}  // namespace stencil
