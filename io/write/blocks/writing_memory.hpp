#pragma once

#include <limits>

#include "io/write/output_spec.hpp"

namespace stencil {

/// Upper bound of the bytes that an OutputFile allocates on one rank: blocks being converted and
/// packed, parts of blocks being sent, packed chunks in memory, and reading back. Blocks that are
/// completed only by later calls are not included.
///
/// @param most_split  bytes of blocks at a time of which a rank writes only a part
Index writing_bytes(const OutputSpec& spec, Index most_split = std::numeric_limits<Index>::max());

/// Additional bytes for the memory in which snapshots wait.
///
/// @param most_owned  points that the rank writes
Index snapshot_bytes(const OutputSpec& spec, Index most_owned, Index ranks);

/// Like writing_bytes(), for windows, each of which is written by an OutputFile::Stream.
///
/// @param window     bytes of a window in the type of the output
/// @param at_a_time  number of streams
Index streaming_bytes(const OutputSpec& spec, Index window, Index at_a_time);

}  // namespace stencil
