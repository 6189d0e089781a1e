#include "kernels/cuda/device_array.hpp"

#include <cuda_runtime.h>

#include <string>

#include "framework/device/cuda/check.hpp"
#include "framework/device/cuda/device_facts.hpp"

namespace stencil::cuda {

DeviceArray::DeviceArray(std::size_t bytes) : bytes_(bytes) {
  check(cudaMalloc(&data_, bytes), "allocation of " + std::to_string(bytes) + " bytes");
}

DeviceArray::~DeviceArray() {
  cudaFree(data_);
}

void DeviceArray::upload(const void* from) {
  const std::string what = "copy of " + std::to_string(bytes_) + " bytes to the GPU";
  check(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice), what);
  // a copy from pageable memory may return before the last bytes have arrived
  check(cudaStreamSynchronize(nullptr), what);
}

void DeviceArray::download(void* to) const {
  check(cudaMemcpy(to, data_, bytes_, cudaMemcpyDeviceToHost),
        "copy of " + std::to_string(bytes_) + " bytes from the GPU");
}

bool have_gpu() {
  return device_count() > 0;
}

}  // namespace stencil::cuda
