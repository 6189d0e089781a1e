#pragma once

#include <cstddef>

#include "framework/grid/subdomain.hpp"

namespace stencil {

/// How the ghosted box of a subdomain lies in memory.
struct FieldLayout {
  Index offset = 0;     ///< bytes from the start of the allocation to local point (0, 0, 0)
  Index row_pitch = 0;  ///< elements from row to row, a multiple of 64 bytes
  std::size_t bytes = 0;

  /// @throws ShapeError  the bytes do not fit into 64 bits.
  static FieldLayout of(const Subdomain& subdomain, std::size_t element_size);
};

}  // namespace stencil
