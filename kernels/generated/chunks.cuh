// Loads and stores of 16 bytes, as the kernels that are compiled at run time need them.
#pragma once

namespace stencil::generated {

__device__ __forceinline__ void load_chunk(const float* from, float* to) {
  const float4 v = *reinterpret_cast<const float4*>(from);
  to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}
__device__ __forceinline__ void load_chunk(const double* from, double* to) {
  const double2 v = *reinterpret_cast<const double2*>(from);
  to[0] = v.x, to[1] = v.y;
}
__device__ __forceinline__ void store_chunk(float* to, const float* v) {
  *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
}
__device__ __forceinline__ void store_chunk(double* to, const double* v) {
  *reinterpret_cast<double2*>(to) = make_double2(v[0], v[1]);
}

}  // namespace stencil::generated
