#pragma once

namespace stencil::cuda {

/// A number to divide by, without the division of 64 bits that a GPU makes of a hundred
/// instructions.
struct Divisor {
  long by;
  double inverse;

  explicit Divisor(long divisor) : by(divisor), inverse(1 / double(divisor)) {}
};

}  // namespace stencil::cuda
