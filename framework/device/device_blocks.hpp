#pragma once

#include "framework/grid/shape.hpp"

namespace stencil {

/// Size in bytes of the blocks in which CUDA allocates GPU memory. Small allocations share a block,
/// and only a whole block can be exported to another process.
inline constexpr Index device_block = Index{2} << 20;

/// Rounds `bytes` up to whole blocks.
inline Index in_device_blocks(Index bytes) {
  return checked_add(bytes, device_block - 1) / device_block * device_block;
}

}  // namespace stencil
