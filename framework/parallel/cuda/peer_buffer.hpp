#pragma once

#include "framework/device/device_blocks.hpp"

namespace stencil {

/// Bytes of a buffer for another rank before its data: the counters, and alignment for rows.
inline constexpr Index peer_buffer_header = 256;

/// Bytes of a buffer that another rank writes `bytes` of data into.
inline Index peer_buffer_bytes(Index bytes) {
  return in_device_blocks(checked_add(bytes, peer_buffer_header));
}

}  // namespace stencil
