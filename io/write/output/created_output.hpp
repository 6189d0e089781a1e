#pragma once

#include "framework/grid/shape.hpp"
#include "io/write/carry/skipped.hpp"

namespace stencil::storage {

/// Result of creating an output file.
struct CreatedOutput {
  Skipped skipped;       ///< attributes and scales of the input that are not copied
  Index first_byte = 0;  ///< file offset of the dataset in bytes, if it is not compressed
  Index times_byte = 0;  ///< file offset of the times of snapshots in bytes
};

}  // namespace stencil::storage
