#pragma once

#include "io/write/output_spec.hpp"

namespace stencil {

/// Most bytes that an OutputFile holds on one rank beside the views it is given: blocks that are
/// being converted and packed, parts of blocks on their way to another rank, packed chunks that
/// wait for their place, and reading back. Blocks that are completed only by later calls come on
/// top.
Index writing_bytes(const OutputSpec& spec);

}  // namespace stencil
