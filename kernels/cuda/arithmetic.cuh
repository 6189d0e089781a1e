#pragma once

namespace stencil::cuda {

/// a * b + c, rounded once.
__device__ __forceinline__ float fused(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
__device__ __forceinline__ double fused(double a, double b, double c) {
  return __fma_rn(a, b, c);
}

/// The one NaN that results may be.
template <class T>
__device__ __forceinline__ T quiet_nan() {
  if constexpr (sizeof(T) == 4) {
    return __int_as_float(0x7fc00000);
  } else {
    return __longlong_as_double(0x7ff8000000000000LL);
  }
}

/// Replaces -0 by +0; all other values stay. A sum that begins with +0 is -0 only if a product
/// underflowed, and a later product with 0 makes it +0. So its sign would depend on how many zeros
/// a kernel adds.
__device__ __forceinline__ double unsigned_zero(double value) {
  return __dadd_rn(value, 0.0);
}

/// A sum as results store it: put of kernels/cpu/vector/pack.hpp for one point.
///
/// In float32 the NaN of any arithmetic is 0x7fffffff (PTX ISA, fma), which as a whole number is
/// above quiet_nan and everything else is not: one instruction instead of two.
template <class T>
__device__ __forceinline__ T clean(T value) {
  if constexpr (sizeof(T) == 4) {
    return __int_as_float(min(__float_as_int(value), __float_as_int(quiet_nan<T>())));
  } else {
    return value == value ? unsigned_zero(value) : quiet_nan<T>();
  }
}

}  // namespace stencil::cuda
