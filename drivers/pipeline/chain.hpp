#pragma once

#include <optional>
#include <vector>

#include "drivers/pipeline/bound_stage.hpp"
#include "framework/device/backend.hpp"
#include "framework/grid/box.hpp"
#include "framework/grid/decomposition.hpp"

namespace stencil {

/// A sequence of stages, bound to the shape of a world and to a type: everything that is decided
/// before fields and kernels exist. Plain values, the same on every rank.
struct Chain {
  std::vector<BoundStage> stages;
  Precision precision = Precision::float32;
  Backend backend = Backend::cpu;  ///< or cuda
  /// Number of consecutive inputs along the batch axis that stay on one rank: 2 for the parts of
  /// complex numbers.
  Index batch_parts = 1;

  /// Shape of the inputs and of the final outputs, {batch, y, x}.
  const Point& input_shape() const { return stages.front().input.shape(); }
  const Point& output_shape() const { return stages.back().output.shape(); }

  /// Total number of steps of all stages.
  Index steps() const;

  /// The batch axis of the inputs may only be cut at multiples of this number, so that each rank
  /// has all channels of its images and both parts of its complex numbers. The number is
  /// `batch_parts` if no stage mixes channels. It is the whole
  /// extent of the batch axis if an earlier stage along the batch axis makes any such cut
  /// impossible.
  Index batch_unit() const;

  /// The smallest box of inputs that contains all inputs of a box of final outputs, composed
  /// backwards through all stages and steps. Worked example: 3 taps, then a box of 5 at every
  /// second point, on 100 points: outputs [10, 20) need [17, 42). Beyond the edges of the world the
  /// boundary rules determine which inputs are needed, so with `wrap` the box may span the whole
  /// axis.
  ///
  /// @param outputs  in global indices of the last stage's outputs
  Box reads(const Box& outputs) const;
};

/// Number of outputs that a chain computes for each batch of inputs, not counting channels: the
/// filters of its bank.
Index filters_of(const Chain& chain);

/// Binds stages to a world that is a single block; split() cuts it.
///
/// @param shape  the shape of the inputs, {batch, y, x}
/// @throws ShapeError  no stages, or an error of bind_to_shape(), with the name of the stage
Chain make_chain(const std::vector<Stage>& stages, const Point& shape, Precision precision,
                 Backend backend = Backend::cpu);

/// Cuts the world of a chain over ranks, and sets the number of steps per sweep and the halo
/// widths; chain.backend must be set.
///
/// @param blocks  of the inputs
/// @throws ShapeError  the blocks separate channels of an image, see Chain::batch_unit(); an axis
///                     has fewer points than a polynomial is fitted to at its edges
void split(Chain& chain, const Decomposition& blocks);

/// Checks that a chain, which may have been set by hand, can run in this precision on `ranks`
/// ranks.
///
/// @throws ShapeError  no stages, another precision, a batch axis that is cut between the channels
///                     of an image, or more blocks than ranks
void require_runs(const Chain& chain, Precision precision, int ranks);

/// The decomposition of least cost for a chain on at most `ranks` ranks; keeps the channels of an
/// image together.
Decomposition choose_blocks(const Chain& chain, int ranks);

}  // namespace stencil
