#pragma once

#include <vector>

#include "io/metadata/convention.hpp"

namespace stencil::storage {

/// All conventions, in the order in which they are tried. A new convention needs a row here and a
/// file in tests/scipy/conventions.py.
const std::vector<Convention>& conventions();

}  // namespace stencil::storage
