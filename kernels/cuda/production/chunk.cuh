#pragma once

#include "kernels/cuda/production/arithmetic.cuh"

namespace stencil::cuda {

/// Number of elements in 16 bytes, the widest access of a thread.
template <class T>
inline constexpr int chunk = 16 / int(sizeof(T));

/// Reads one chunk. @pre `from` is aligned to 16 bytes
__device__ __forceinline__ void load_chunk(const float* from, float* to) {
  const float4 v = *reinterpret_cast<const float4*>(from);
  to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}
__device__ __forceinline__ void load_chunk(const double* from, double* to) {
  const double2 v = *reinterpret_cast<const double2*>(from);
  to[0] = v.x, to[1] = v.y;
}

/// Writes one chunk. @pre `to` is aligned to 16 bytes
__device__ __forceinline__ void put_chunk(float* to, const float* v) {
  *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
}
__device__ __forceinline__ void put_chunk(double* to, const double* v) {
  *reinterpret_cast<double2*>(to) = make_double2(v[0], v[1]);
}

/// Writes one chunk of results with a streaming store, because the results are not read soon.
/// @pre `to` is aligned to 16 bytes
__device__ __forceinline__ void stream_chunk(float* to, const float* v) {
  __stcs(reinterpret_cast<float4*>(to), make_float4(v[0], v[1], v[2], v[3]));
}
__device__ __forceinline__ void stream_chunk(double* to, const double* v) {
  __stcs(reinterpret_cast<double2*>(to), make_double2(v[0], v[1]));
}

}  // namespace stencil::cuda
