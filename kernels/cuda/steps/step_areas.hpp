#pragma once

#include <vector>

#include "kernels/generated/step_arguments.hpp"
#include "kernels/generated/step_spec.hpp"
#include "kernels/step_edges.hpp"

namespace stencil::cuda {

/// A rectangle of outputs of a block, as half-open intervals.
struct StepArea {
  Interval y, x;

  bool empty() const { return y.empty() || x.empty(); }
};

/// Division of the outputs of a sweep into areas.
struct StepAreas {
  StepArea strips;              ///< outputs independent of points beyond the world; may be empty
  std::vector<StepArea> frame;  ///< all other outputs, at most four areas
};

/// Divides the outputs of a sweep.
///
/// @param rows, columns  rows and columns of the block
/// @param whole          columns of strips begin and end with multiples of this number
StepAreas cut_sweep(const StepEdges& edges, Index rows, Index columns, Index steps, Index whole);

/// Cuts areas into tiles such that two levels of a tile's points fit into the shared memory of a
/// block.
///
/// @returns arguments in which depth, value, areas, tiles, rules and world are set
template <class T>
generated::TileArguments<T> cut_tiles(const std::vector<StepArea>& areas, const StepEdges& edges,
                                      const generated::StepMask& mask, int depth);

/// Number of bytes of shared memory that a block of these tiles needs.
template <class T>
std::size_t tile_bytes(const generated::TileArguments<T>& tiles, const generated::StepMask& mask);

}  // namespace stencil::cuda
