#pragma once

#include <vector>

#include "io/metadata/convention.hpp"

namespace stencil::storage {

/// Rows of the table of conventions for gravitational waves, seismometers, electrodes and optodes.
const std::vector<Convention>& signal_conventions();

}  // namespace stencil::storage
