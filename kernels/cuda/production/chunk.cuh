#pragma once

#include "kernels/cuda/production/arithmetic.cuh"

namespace stencil::cuda {

/// Elements in 16 bytes, the widest access of a thread.
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

/// Writes one chunk to shared memory. @pre `to` is aligned to 16 bytes
__device__ __forceinline__ void put_chunk(float* to, const float* v) {
  *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
}
__device__ __forceinline__ void put_chunk(double* to, const double* v) {
  *reinterpret_cast<double2*>(to) = make_double2(v[0], v[1]);
}

/// Writes one chunk of results, which nobody reads soon. @pre `to` is aligned to 16 bytes
__device__ __forceinline__ void stream_chunk(float* to, const float* v) {
  __stcs(reinterpret_cast<float4*>(to), make_float4(v[0], v[1], v[2], v[3]));
}
__device__ __forceinline__ void stream_chunk(double* to, const double* v) {
  __stcs(reinterpret_cast<double2*>(to), make_double2(v[0], v[1]));
}

/// Writes the results at columns [at, at + chunk) of a tile, as far as they are in [first, last).
///
/// @param row  the tile's first column in memory
template <class T>
__device__ __forceinline__ void store_results(T* row, int at, int first, int last, bool aligned,
                                              bool finish, T* v) {
  if (finish) {
#pragma unroll
    for (int e = 0; e < chunk<T>; ++e) v[e] = clean(v[e]);
  }
  if (aligned && at >= first && at + chunk<T> <= last) return stream_chunk(row + at, v);
#pragma unroll
  for (int e = 0; e < chunk<T>; ++e) {
    if (at + e >= first && at + e < last) row[at + e] = v[e];
  }
}

/// Reads back what store_results wrote, to go on with the sums.
template <class T>
__device__ __forceinline__ void load_results(const T* row, int at, int first, int last, T* v) {
#pragma unroll
  for (int e = 0; e < chunk<T>; ++e) {
    if (at + e >= first && at + e < last) v[e] = row[at + e];
  }
}

}  // namespace stencil::cuda
