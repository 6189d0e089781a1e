#pragma once

#include "drivers/stencil_bench/nchw_shapes.hpp"

namespace stencil::bench {

/// Whether this build and this machine have a GPU to compare on.
bool have_nchw_gpu();

/// Prints the table of all shapes on the GPU. @return whether all results agree
bool compare_nchw_on_gpu();

}  // namespace stencil::bench
