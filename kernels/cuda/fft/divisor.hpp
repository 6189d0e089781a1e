#pragma once

namespace stencil::cuda {

/// A number to divide by, without the division of 64 bits that a GPU makes of a hundred
/// instructions.
struct Divisor {
  long by;
  double inverse;

  explicit Divisor(long divisor) : by(divisor), inverse(1 / double(divisor)) {}
};

#ifdef __CUDACC__
/// `n / d`, rounded down. @pre 0 <= n < 2^52
__device__ __forceinline__ long quotient(long n, const Divisor& d) {
  const long q = long(double(n) * d.inverse);  // off by one at most
  const long rest = n - q * d.by;
  return rest < 0 ? q - 1 : rest >= d.by ? q + 1 : q;
}
#endif

}  // namespace stencil::cuda
