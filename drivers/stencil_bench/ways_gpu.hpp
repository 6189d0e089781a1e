#pragma once

#include <memory>

#include "drivers/stencil_bench/ways_device.hpp"

namespace stencil::bench {

/// Returns the first GPU as a device of measurements. The device measures the time between two
/// events on the stream of the GPU. The time of compiling kernels at run time is excluded, because
/// the user's cache keeps compiled kernels.
///
/// @throws MachineError  there is no GPU, or the build has no CUDA
std::unique_ptr<WaysDevice> ways_on_gpu();

}  // namespace stencil::bench
