#pragma once

#include <optional>

#include "drivers/stencil_bench/nchw_shapes.hpp"

namespace stencil::bench {

/// The time of cuDNN for one shape, and the algorithm that cuDNN used.
struct RivalResult {
  double seconds = 0;
  std::string algorithm;
};

/// Returns the name and version of cuDNN, such as `cuDNN 9.19.0`, or the reason why cuDNN is not
/// available.
std::string rival_name();

/// Runs cuDNN's forward convolution with its fastest algorithm, which is found by timing all
/// algorithms.
///
/// @param source, mask, target  in device memory, dense `[n, c, y, x]` and `[out, in, h, w]`
/// @param tf32  whether tensor cores may round the inputs
/// @returns std::nullopt if the build has no cuDNN, or cuDNN has no algorithm for the shape
std::optional<RivalResult> run_rival(const NchwShape& shape, const float* source, const float* mask,
                                     float* target, bool tf32);

}  // namespace stencil::bench
