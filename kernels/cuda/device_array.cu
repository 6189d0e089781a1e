#include "kernels/cuda/device_array.hpp"

#include <cuda_runtime.h>

#include <string>

#include "kernels/cuda/check.hpp"

namespace stencil::cuda {

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

bool have_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

}  // namespace stencil::cuda
