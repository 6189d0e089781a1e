#pragma once

#include <algorithm>

#include "kernels/cuda/ladder/geometry.hpp"
#include "kernels/cuda/ladder/sweep.hpp"

namespace stencil::cuda::ladder {

/// Calls `use(part)` with parts of a sweep, each for one launch: a grid has at most 2^31 - 1 blocks
/// along x, 65,535 along y and z.
template <class T>
void for_each_part(const Sweep<T>& sweep, const TileGeometry& g, const auto& use) {
  constexpr Index most_blocks = 65'535, most_blocks_x = 0x7fffffff;
  const Index most_y = most_blocks * g.tile_y, most_x = most_blocks_x * g.tile_x;
  for (Index b = 0; b < sweep.outputs_batch; b += most_blocks) {
    for (Index y = 0; y < sweep.outputs_y; y += most_y) {
      for (Index x = 0; x < sweep.outputs_x; x += most_x) {
        Sweep<T> part = sweep;
        part.source +=
            b * sweep.source_batch + y * sweep.stride_y * sweep.source_row + x * sweep.stride_x;
        part.target += b * sweep.target_batch + y * sweep.target_row + x;
        part.outputs_batch = std::min(most_blocks, sweep.outputs_batch - b);
        part.outputs_y = std::min(most_y, sweep.outputs_y - y);
        part.outputs_x = std::min(most_x, sweep.outputs_x - x);
        part.inputs_y = sweep.inputs_y - y * sweep.stride_y;
        part.inputs_x = sweep.inputs_x - x * sweep.stride_x;
        use(part);
      }
    }
  }
}

}  // namespace stencil::cuda::ladder
