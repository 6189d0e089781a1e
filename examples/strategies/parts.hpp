#pragma once

#include <algorithm>

#include "examples/strategies/geometry.hpp"
#include "examples/strategies/kernel_arguments.hpp"

namespace stencil::cuda::ladder {

/// Calls `use(part)` for parts of a sweep, each for one launch: a grid has at most 2^31 - 1 blocks
/// along x, and 65,535 along y and z.
template <class T>
void for_each_part(const KernelArguments<T>& arguments, const TileGeometry& g, const auto& use) {
  constexpr Index most_blocks = 65'535, most_blocks_x = 0x7fffffff;
  const Index most_y = most_blocks * g.tile_y, most_x = most_blocks_x * g.tile_x;
  for (Index b = 0; b < arguments.outputs_batch; b += most_blocks) {
    for (Index y = 0; y < arguments.outputs_y; y += most_y) {
      for (Index x = 0; x < arguments.outputs_x; x += most_x) {
        KernelArguments<T> part = arguments;
        part.source += b * arguments.source_batch + y * arguments.stride_y * arguments.source_row +
                       x * arguments.stride_x;
        part.target += b * arguments.target_batch + y * arguments.target_row + x;
        part.outputs_batch = std::min(most_blocks, arguments.outputs_batch - b);
        part.outputs_y = std::min(most_y, arguments.outputs_y - y);
        part.outputs_x = std::min(most_x, arguments.outputs_x - x);
        part.inputs_y = arguments.inputs_y - y * arguments.stride_y;
        part.inputs_x = arguments.inputs_x - x * arguments.stride_x;
        use(part);
      }
    }
  }
}

}  // namespace stencil::cuda::ladder
