#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/convert.hpp"

namespace stencil::cuda {
namespace {

constexpr int threads = 256;

/// The list of missing values is in device memory: a file may have any number of missing values,
/// but usually has one.
template <class Stored, class T>
__global__ void convert_rows(const Stored* stored, Index stored_batch, Index stored_row, T* target,
                             Index target_batch, Index target_row, Index nb, Index ny, Index nx,
                             const Stored* missing, int missing_count, T replacement,
                             unsigned long long* found) {
  unsigned mine = 0;
  for (Index row = blockIdx.y; row < nb * ny; row += gridDim.y) {
    const Index b = row / ny, y = row - b * ny;
    const Stored* from = stored + b * stored_batch + y * stored_row;
    T* to = target + b * target_batch + y * target_row;
    for (Index x = blockIdx.x * Index{threads} + threadIdx.x; x < nx;
         x += Index{gridDim.x} * threads) {
      const Stored value = from[x];
      bool is_missing = false;
      for (int k = 0; k < missing_count; ++k) is_missing |= value == missing[k];
      to[x] = is_missing ? replacement : static_cast<T>(value);
      mine += is_missing;
    }
  }
  if (mine > 0) atomicAdd(found, static_cast<unsigned long long>(mine));
}

}  // namespace

template <class Stored, class T>
Index convert(CudaExecutor& executor, FieldView<const Stored> stored, FieldView<T> target,
              const std::vector<Stored>& missing, T replacement) {
  if (points(target.extent) == 0) return 0;
  CUstream_st* stream = executor.stream(Lane::work);
  const std::size_t list_bytes = missing.size() * sizeof(Stored);
  const Memory list = executor.allocate(list_bytes), counter = executor.allocate(8);
  unsigned long long found = 0;
  check(cudaMemcpyAsync(list.get(), missing.data(), list_bytes, cudaMemcpyHostToDevice, stream),
        "converting the input");
  check(cudaMemsetAsync(counter.get(), 0, 8, stream), "converting the input");
  const auto [nb, ny, nx] = target.extent;
  const dim3 blocks(static_cast<unsigned>(std::min<Index>((nx + threads - 1) / threads, 4096)),
                    static_cast<unsigned>(std::min<Index>(nb * ny, 65535)));
  convert_rows<<<blocks, threads, 0, stream>>>(
      stored.data, stored.batch_pitch, stored.row_pitch, target.data, target.batch_pitch,
      target.row_pitch, nb, ny, nx, reinterpret_cast<const Stored*>(list.get()),
      static_cast<int>(missing.size()), replacement,
      reinterpret_cast<unsigned long long*>(counter.get()));
  check(cudaGetLastError(), "converting the input");
  check(cudaMemcpyAsync(&found, counter.get(), 8, cudaMemcpyDeviceToHost, stream),
        "converting the input");
  executor.synchronize(Lane::work);
  return static_cast<Index>(found);
}

#define STENCIL_INSTANTIATE(Stored)                                                 \
  template Index convert(CudaExecutor&, FieldView<const Stored>, FieldView<float>,  \
                         const std::vector<Stored>&, float);                        \
  template Index convert(CudaExecutor&, FieldView<const Stored>, FieldView<double>, \
                         const std::vector<Stored>&, double);
STENCIL_INSTANTIATE(std::int8_t)
STENCIL_INSTANTIATE(std::uint8_t)
STENCIL_INSTANTIATE(std::int16_t)
STENCIL_INSTANTIATE(std::uint16_t)
STENCIL_INSTANTIATE(std::int32_t)
STENCIL_INSTANTIATE(std::uint32_t)
STENCIL_INSTANTIATE(std::int64_t)
STENCIL_INSTANTIATE(std::uint64_t)
#undef STENCIL_INSTANTIATE

}  // namespace stencil::cuda
