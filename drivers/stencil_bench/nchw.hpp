#pragma once

#include <string>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::bench {

/// `stencil_bench nchw [cpu]`: multi-channel masks on images of random points, float32.
///
/// On a GPU side by side with cuDNN where the build found it, both on the same numbers in the same
/// run: the median of 15 sweeps between events on the device. `TFLOP/s` counts two operations per
/// tap; `of limit` is the share of what binds the shape, fused multiply-adds or copying each input
/// and output once, both measured in the same run. cuDNN runs its fastest forward algorithm of all,
/// in float32 (CUDNN_FMA_MATH) and with TF32, which rounds inputs to 10 bits.
///
/// Without a GPU, or asked for with the word `cpu`: the CPU kernels alone, on fewer images.
///
/// @return the exit status: 0; 2 for other words; 1 when the results differ by more than rounding
int compare_nchw(const std::vector<std::string>& words);

/// One shape of the table; zeros lie beyond the edges.
struct NchwShape {
  std::string name;
  Index images, in, out, groups;
  Index height, width;  ///< of the mask
  Index ny, nx;         ///< of the input
  Index pad, stride;    ///< along both axes

  Index out_ny() const { return (ny + 2 * pad - height) / stride + 1; }
  Index out_nx() const { return (nx + 2 * pad - width) / stride + 1; }
  Index inputs() const { return images * in * ny * nx; }
  Index outputs() const { return images * out * out_ny() * out_nx(); }
  double multiply_adds() const {
    return double(outputs()) * double(in / groups) * double(height * width);
  }
  /// Bytes of float32 that are read and written once.
  double bytes() const { return 4.0 * double(inputs() + outputs()); }
};

std::vector<NchwShape> nchw_shapes();

/// Random numbers that are the same on every machine, -0.5 to 0.5.
std::vector<float> random_numbers(Index count, unsigned seed);

}  // namespace stencil::bench
