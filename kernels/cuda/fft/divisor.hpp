#pragma once

namespace stencil::cuda {

/// A divisor that replaces divisions of 64 bits, which take a GPU about a hundred instructions.
struct Divisor {
  long by;
  double inverse;

  explicit Divisor(long divisor) : by(divisor), inverse(1 / double(divisor)) {}
};

}  // namespace stencil::cuda
