#pragma once

#include <string>
#include <vector>

namespace stencil::bench {

/// `stencil_bench nchw [cpu]`: benchmarks of multi-channel masks on images of random points,
/// float32.
///
/// On a GPU, compares with cuDNN, if the build has it, on the same numbers in the same run. Times
/// are medians of 15 sweeps between events on the device. `TFLOP/s` counts two operations per tap.
/// `of limit` is the ratio of the measured rate to the rate that limits the shape: the rate of
/// fused multiply-adds, or that of copying each input and output once, both measured in the same
/// run. cuDNN uses its fastest forward algorithm, in float32 (CUDNN_FMA_MATH) and with TF32, which
/// rounds inputs to 10 bits.
///
/// Without a GPU, or with the argument `cpu`, times only the CPU kernels, on fewer images.
///
/// @return the exit status: 0; 2 for invalid arguments; 1 if the results differ by more than
/// rounding
int compare_nchw(const std::vector<std::string>& words);

}  // namespace stencil::bench
