#include "kernels/cuda/device_array.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/cuda/check.hpp"

namespace stencil::cuda {
namespace {

template <class T>
__global__ void fill_with_noise(T* data, std::size_t count, unsigned seed) {
  const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t k = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += step) {
    unsigned h = unsigned(k) * 2654435761u ^ unsigned(k >> 32) ^ seed * 40503u;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    data[k] = T(h >> 8) / T(1 << 24) - T(0.5);
  }
}

}  // namespace

DeviceArray::DeviceArray(std::size_t bytes) : bytes_(bytes) {
  check(cudaMalloc(&data_, bytes), "allocation of " + std::to_string(bytes) + " bytes");
}

DeviceArray::~DeviceArray() {
  cudaFree(data_);
}

void DeviceArray::upload(const void* from) {
  check(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice),
        "copy of " + std::to_string(bytes_) + " bytes to the GPU");
}

void DeviceArray::download(void* to) const {
  check(cudaMemcpy(to, data_, bytes_, cudaMemcpyDeviceToHost),
        "copy of " + std::to_string(bytes_) + " bytes from the GPU");
}

template <class T>
void DeviceArray::fill_random(unsigned seed) {
  fill_with_noise<<<4096, 256>>>(static_cast<T*>(data_), bytes_ / sizeof(T), seed);
  check_launch("fill_with_noise");
}
template void DeviceArray::fill_random<float>(unsigned);
template void DeviceArray::fill_random<double>(unsigned);

bool have_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

double median_seconds(const std::function<void(CUstream_st*)>& order, int repeats) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<double> seconds;
  for (int k = 0; k < repeats; ++k) {
    check(cudaEventRecord(begin), "cudaEventRecord");
    order(nullptr);
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "the timed work");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    seconds.push_back(milliseconds / 1e3);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
  return seconds[repeats / 2];
}

}  // namespace stencil::cuda
