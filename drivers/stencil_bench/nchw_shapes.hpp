#pragma once

#include <string>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::bench {

/// One shape of the table. The input is padded with zeros.
struct NchwShape {
  std::string name;
  Index images, in, out, groups;
  Index height, width;  ///< sides of the mask
  Index ny, nx;         ///< sides of the input
  Index pad, stride;    ///< along both axes

  Index out_ny() const { return (ny + 2 * pad - height) / stride + 1; }
  Index out_nx() const { return (nx + 2 * pad - width) / stride + 1; }
  Index inputs() const { return images * in * ny * nx; }
  Index outputs() const { return images * out * out_ny() * out_nx(); }
  double multiply_adds() const {
    const Index of_each_output = in / groups * height * width;
    return double(outputs()) * double(of_each_output);
  }
  /// Bytes of float32 if each input is read once and each output is written once.
  double bytes() const { return 4.0 * double(inputs() + outputs()); }
};

std::vector<NchwShape> nchw_shapes();

/// Returns random numbers from -0.5 to 0.5 that are the same on every machine.
std::vector<float> random_numbers(Index count, unsigned seed);

}  // namespace stencil::bench
