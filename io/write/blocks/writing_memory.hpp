#pragma once

#include <limits>

#include "io/write/output_spec.hpp"

namespace stencil {

/// Upper bound of the bytes that an OutputFile allocates on one rank: blocks being converted and
/// packed, parts of blocks being sent, packed chunks in memory, and reading back. Blocks that are
/// completed only by later calls are not included.
///
/// @param most_split  bytes of blocks at a time that are only partly in what a rank writes
Index writing_bytes(const OutputSpec& spec, Index most_split = std::numeric_limits<Index>::max());

/// The same of the memory that snapshots wait in, besides.
///
/// @param most_owned  points that the rank writes
Index snapshot_bytes(const OutputSpec& spec, Index most_owned, Index ranks);

/// The same for windows that are written by an OutputFile::Stream each.
///
/// @param window     bytes of a window in the type of the output
/// @param at_a_time  number of streams
Index streaming_bytes(const OutputSpec& spec, Index window, Index at_a_time);

}  // namespace stencil
