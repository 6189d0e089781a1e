#pragma once

#include <memory>

#include "drivers/stencil_bench/ways_device.hpp"

namespace stencil::bench {

/// Returns this processor as a device of measurements. The device measures processor time if OpenMP
/// has one thread, otherwise wall-clock time.
std::unique_ptr<WaysDevice> ways_on_cpu();

}  // namespace stencil::bench
