#pragma once

#include <vector>

#include "io/metadata/convention.hpp"

namespace stencil::storage {

/// Rows of the table of conventions for images, grids and radar.
const std::vector<Convention>& grid_conventions();

}  // namespace stencil::storage
