#pragma once

#include <vector>

#include "io/metadata/convention.hpp"

namespace stencil::storage {

/// Rows of the table of conventions for distributed acoustic, strain and temperature sensing along
/// fibres.
const std::vector<Convention>& fibre_conventions();

}  // namespace stencil::storage
