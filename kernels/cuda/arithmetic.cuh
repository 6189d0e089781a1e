#pragma once

namespace stencil::cuda {

/// Returns a * b + c, rounded once.
__device__ __forceinline__ float fused(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
__device__ __forceinline__ double fused(double a, double b, double c) {
  return __fma_rn(a, b, c);
}

/// Returns the only NaN that results contain.
template <class T>
__device__ __forceinline__ T quiet_nan() {
  if constexpr (sizeof(T) == 4) {
    return __int_as_float(0x7fc00000);
  } else {
    return __longlong_as_double(0x7ff8000000000000LL);
  }
}

/// Replaces -0 by +0; all other values are unchanged. A sum that begins with +0 becomes -0 only if
/// a product underflows, and a later product with 0 makes the sum +0 again. So without this
/// function the sign would depend on the number of zeros that a kernel adds.
__device__ __forceinline__ double unsigned_zero(double value) {
  return __dadd_rn(value, 0.0);
}

/// Converts a sum to a result, as put of kernels/cpu/vector/pack.hpp does for several points.
///
/// In float32 every NaN that arithmetic produces is 0x7fffffff (PTX ISA, fma). As an integer, this
/// NaN is greater than quiet_nan, and no other value is greater, so one `min` replaces two
/// instructions.
template <class T>
__device__ __forceinline__ T clean(T value) {
  if constexpr (sizeof(T) == 4) {
    return __int_as_float(min(__float_as_int(value), __float_as_int(quiet_nan<T>())));
  } else {
    return value == value ? unsigned_zero(value) : quiet_nan<T>();
  }
}

}  // namespace stencil::cuda
