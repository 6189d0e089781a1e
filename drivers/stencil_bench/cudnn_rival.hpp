#pragma once

#include <optional>

#include "drivers/stencil_bench/nchw_shapes.hpp"

namespace stencil::bench {

/// What cuDNN needed for one shape.
struct RivalResult {
  double seconds = 0;
  std::string algorithm;
};

/// `cuDNN 9.19.0`, or why there is none.
std::string rival_name();

/// Runs cuDNN's forward convolution by the fastest of its algorithms, found by trying them all.
///
/// @param source, mask, target  in device memory, dense `[n, c, y, x]` and `[out, in, h, w]`
/// @param tf32  whether tensor cores may round the inputs
/// @returns nothing where the build has no cuDNN, or it has no algorithm for the shape
std::optional<RivalResult> run_rival(const NchwShape& shape, const float* source, const float* mask,
                                     float* target, bool tf32);

}  // namespace stencil::bench
