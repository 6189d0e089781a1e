#include "kernels/cuda/limits.hpp"

#include <cuda_runtime.h>

#include <algorithm>

#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/device_array.hpp"
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/measure.hpp"

namespace stencil::cuda {
namespace {

constexpr int chains = 16, rounds = 2048;

__global__ void copy_wide(const float4* source, float4* target, long count) {
  const long k = long(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < count) target[k] = source[k];
}

/// Computes chains of multiply-adds. The chains have different addends, so that the compiler cannot
/// merge them.
template <class T>
__global__ void __launch_bounds__(256) multiply_adds(T factor, T* result) {
  T sum[chains], step[chains];
#pragma unroll
  for (int k = 0; k < chains; ++k) {
    sum[k] = T(threadIdx.x + k);
    step[k] = factor + T(k) * T(1e-3);
  }
  for (int n = 0; n < rounds; n += 8) {
#pragma unroll
    for (int m = 0; m < 8; ++m) {
#pragma unroll
      for (int k = 0; k < chains; ++k) sum[k] = fma(sum[k], factor, step[k]);
    }
  }
  T all = 0;
#pragma unroll
  for (int k = 0; k < chains; ++k) all += sum[k];
  if (all == T(-1.25)) *result = all;
}

}  // namespace

double measure_copy(const void* from, void* to, std::size_t bytes) {
  constexpr int repeats = 15, threads = 256;
  const long count = long(bytes / sizeof(float4));
  const auto blocks = unsigned((count + threads - 1) / threads);
  const double by_kernel = median_seconds(
      [&](CUstream_st* stream) {
        copy_wide<<<blocks, threads, 0, stream>>>(static_cast<const float4*>(from),
                                                  static_cast<float4*>(to), count);
      },
      repeats);
  check_launch("copy_wide");
  const std::size_t copied = std::size_t(count) * sizeof(float4);
  const double by_runtime =
      median_seconds([&](CUstream_st* stream) { copy_bytes(from, to, copied, stream); }, repeats);
  return 2.0 * double(copied) / std::min(by_kernel, by_runtime);
}

template <class T>
CudaLimits measure_cuda_limits() {
  const std::size_t bytes = std::size_t(1) << 30;
  DeviceArray source(bytes), target(bytes);
  const Index floats = static_cast<Index>(bytes / sizeof(float));
  fill_random<float>({static_cast<float*>(source.data()), {1, 1, floats}, floats, floats}, 1);
  const double copy = measure_copy(source.data(), target.data(), bytes);
  const int blocks = multiprocessors() * 8 * 4;
  const double adds = median_seconds(
      [&](CUstream_st* stream) {
        multiply_adds<T><<<blocks, 256, 0, stream>>>(T(0.5), static_cast<T*>(target.data()));
      },
      15);
  check_launch("multiply_adds");
  return {copy, double(blocks) * 256 * chains * rounds / adds};
}

template CudaLimits measure_cuda_limits<float>();
template CudaLimits measure_cuda_limits<double>();

}  // namespace stencil::cuda
