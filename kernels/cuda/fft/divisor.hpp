#pragma once

namespace stencil::cuda {

/// A divisor with its inverse, for quotient(). A division of 64-bit integers takes about a hundred
/// instructions on a GPU.
struct Divisor {
  long by;
  double inverse;

  explicit Divisor(long divisor) : by(divisor), inverse(1 / double(divisor)) {}
};

}  // namespace stencil::cuda
