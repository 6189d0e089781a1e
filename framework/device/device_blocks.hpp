#pragma once

#include "framework/grid/shape.hpp"

namespace stencil {

/// CUDA allocates memory of a GPU in blocks of this size. Small allocations share a block, and only
/// a whole block can be exported to another process.
inline constexpr Index device_block = Index{2} << 20;

/// Bytes of the blocks that hold `bytes`.
inline Index in_device_blocks(Index bytes) {
  return checked_add(bytes, device_block - 1) / device_block * device_block;
}

}  // namespace stencil
