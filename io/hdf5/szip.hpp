#pragma once

#include <cstddef>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// Whether the parameters of an szip filter are within the limits of its coding. With others
/// decoders overrun memory or loop forever.
bool has_sound_szip_values(const std::vector<unsigned>& values, Index element_bytes);

/// Decodes szip with libaec. Its own szip interface returns uninitialised memory if a stream ends
/// early.
///
/// @param values  valid parameters of the filter: options, points per block, bits per point, points
///                per line
/// @param to      room for `bytes`; not within `from`
/// @returns whether the stream contained all `bytes`
bool unpack_szip(const std::vector<unsigned>& values, const std::byte* from, Index from_bytes,
                 std::byte* to, Index bytes);

}  // namespace stencil::storage
