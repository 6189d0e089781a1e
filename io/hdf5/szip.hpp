#pragma once

#include <cstddef>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// Returns whether the parameters of an szip filter are within the limits of the szip coding. With
/// other parameters, decoders write beyond their memory or loop forever.
bool has_sound_szip_values(const std::vector<unsigned>& values, Index element_bytes);

/// Decodes szip with libaec. The szip interface of libaec is not used, because it returns
/// uninitialised memory if a stream ends early.
///
/// @param values  valid parameters of the filter: options, points per block, bits per point, points
///                per line
/// @param to      memory for `bytes` bytes; must not overlap `from`
/// @returns whether the stream contained `bytes` bytes
bool unpack_szip(const std::vector<unsigned>& values, const std::byte* from, Index from_bytes,
                 std::byte* to, Index bytes);

}  // namespace stencil::storage
