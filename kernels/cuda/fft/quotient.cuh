#pragma once

#include "kernels/cuda/fft/divisor.hpp"

namespace stencil::cuda {

/// Returns `n / d`, rounded down.
/// @pre 0 <= n < 2^52
__device__ __forceinline__ long quotient(long n, const Divisor& d) {
  const long q = long(double(n) * d.inverse);  // off by at most one
  const long rest = n - q * d.by;
  return rest < 0 ? q - 1 : rest >= d.by ? q + 1 : q;
}

}  // namespace stencil::cuda
