#pragma once

#include "drivers/stencil_bench/nchw_shapes.hpp"

namespace stencil::bench {

/// Returns whether this build supports GPUs and this machine has a GPU.
bool have_nchw_gpu();

/// Prints the table of all shapes on the GPU. @return whether all results agree
bool compare_nchw_on_gpu();

}  // namespace stencil::bench
