#pragma once

#include <limits>

#include "io/write/output_spec.hpp"

namespace stencil {

/// Upper bound of the memory in bytes that an OutputFile allocates on one rank: for blocks that are
/// converted and packed, parts of blocks that are sent, packed chunks in memory, and reading back.
/// Blocks that are completed only by later calls are not included.
///
/// @param most_split  size in bytes of the blocks of which a rank writes only a part in one call
Index writing_bytes(const OutputSpec& spec, Index most_split = std::numeric_limits<Index>::max());

/// Additional memory in bytes for snapshots that wait to be written.
///
/// @param most_owned  number of points that the rank writes
Index snapshot_bytes(const OutputSpec& spec, Index most_owned, Index ranks);

/// Like writing_bytes(), for windows, each of which is written through an OutputFile::Stream.
///
/// @param window     size of a window in bytes, in the type of the output
/// @param at_a_time  number of streams
Index streaming_bytes(const OutputSpec& spec, Index window, Index at_a_time);

}  // namespace stencil
