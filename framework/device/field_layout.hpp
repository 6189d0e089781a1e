#pragma once

#include <cstddef>

#include "framework/grid/subdomain.hpp"

namespace stencil {

/// Memory layout of the ghosted box of a subdomain.
struct FieldLayout {
  Index offset = 0;     ///< bytes from the start of the allocation to local point (0, 0, 0)
  Index row_pitch = 0;  ///< number of elements from one row to the next; in bytes, a multiple of 64
  std::size_t bytes = 0;

  /// Computes the layout. @throws ShapeError  the number of bytes overflows 64 bits
  static FieldLayout of(const Subdomain& subdomain, std::size_t element_size);
};

}  // namespace stencil
