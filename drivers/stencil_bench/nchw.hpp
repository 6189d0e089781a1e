#pragma once

#include <string>
#include <vector>

namespace stencil::bench {

/// `stencil_bench nchw [cpu]`: multi-channel masks on images of random points, float32.
///
/// On a GPU compared with cuDNN if the build found it, both with the same numbers in the same run:
/// the median of 15 sweeps between events on the device. `TFLOP/s` counts two operations per tap;
/// `of limit` is the ratio to the rate that limits the shape, fused multiply-adds or copying each
/// input and output once, both measured in the same run. cuDNN runs its fastest forward algorithm
/// of all, in float32 (CUDNN_FMA_MATH) and with TF32, which rounds inputs to 10 bits.
///
/// Without a GPU, or with the argument `cpu`: only the CPU kernels, on fewer images.
///
/// @return the exit status: 0; 2 for invalid arguments; 1 when the results differ by more than
/// rounding
int compare_nchw(const std::vector<std::string>& words);

}  // namespace stencil::bench
