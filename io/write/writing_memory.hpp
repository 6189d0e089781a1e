#pragma once

#include "io/write/output_spec.hpp"

namespace stencil {

/// Upper bound of the bytes that an OutputFile allocates on one rank: blocks being converted and
/// packed, parts of blocks being sent, packed chunks in memory, and reading back. Blocks that are
/// completed only by later calls are not included.
Index writing_bytes(const OutputSpec& spec);

}  // namespace stencil
