#pragma once

#include <memory>

#include "drivers/stencil_bench/ways_device.hpp"

namespace stencil::bench {

/// The first GPU: seconds between events on its stream. Kernels that are compiled at run time
/// are treated as compiled before, as the cache of the user keeps them.
///
/// @throws MachineError  no GPU, or a build without CUDA
std::unique_ptr<WaysDevice> ways_on_gpu();

}  // namespace stencil::bench
