#pragma once

#include "framework/device/device_blocks.hpp"

namespace stencil {

/// Size in bytes of the header before the data in a buffer for another rank: the counters, padded
/// so that rows are aligned.
inline constexpr Index peer_buffer_header = 256;

/// Size in bytes of a buffer into which another rank writes `bytes` of data.
inline Index peer_buffer_bytes(Index bytes) {
  return in_device_blocks(checked_add(bytes, peer_buffer_header));
}

}  // namespace stencil
