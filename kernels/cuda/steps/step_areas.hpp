#pragma once

#include <vector>

#include "kernels/generated/step_arguments.hpp"
#include "kernels/generated/step_spec.hpp"
#include "kernels/step_edges.hpp"

namespace stencil::cuda {

/// Outputs of a block, half open.
struct StepArea {
  Interval y, x;

  bool empty() const { return y.empty() || x.empty(); }
};

/// How the outputs of a sweep are shared.
struct StepAreas {
  StepArea strips;              ///< depends on no point beyond an edge of the world; may be empty
  std::vector<StepArea> frame;  ///< the others, at most four areas
};

/// @param rows, columns  the rows and columns of the block
/// @param whole  columns of strips begin and end with multiples of this
StepAreas cut_sweep(const StepEdges& edges, Index rows, Index columns, Index steps, Index whole);

/// Cuts areas into tiles whose points of two levels fit into the shared memory of a block.
///
/// @returns areas, tiles and world are set
template <class T>
generated::TileArguments<T> cut_tiles(const std::vector<StepArea>& areas, const StepEdges& edges,
                                      const generated::StepMask& mask, int depth);

/// Bytes of shared memory that a block of these tiles needs.
template <class T>
std::size_t tile_bytes(const generated::TileArguments<T>& tiles, const generated::StepMask& mask);

}  // namespace stencil::cuda
