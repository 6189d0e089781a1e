#pragma once

#include <cstddef>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// Whether the values of an szip filter are within the limits of its coding, beyond which decoders
/// run on over memory, or for ever.
bool has_sound_szip_values(const std::vector<unsigned>& values, Index element_bytes);

/// Undoes szip by libaec, whose own interface for it hands on memory that nobody wrote where a
/// stream ends early.
///
/// @param values  of the filter, sound: options, points in a block, bits of a point, points in a
/// line
/// @param to      room for `bytes`; not within `from`
/// @returns whether the stream held all of `bytes`
bool unpack_szip(const std::vector<unsigned>& values, const std::byte* from, Index from_bytes,
                 std::byte* to, Index bytes);

}  // namespace stencil::storage
