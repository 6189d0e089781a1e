#pragma once

#include <memory>

#include "drivers/stencil_bench/ways_device.hpp"

namespace stencil::bench {

/// This processor: seconds of the thread if OpenMP has one thread, otherwise those of the clock.
std::unique_ptr<WaysDevice> ways_on_cpu();

}  // namespace stencil::bench
