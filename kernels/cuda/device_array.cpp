#include "kernels/cuda/device_array.hpp"

#include <cuda_runtime.h>

#include <string>

#include "kernels/cuda/check.hpp"

namespace stencil::cuda {

DeviceArray::DeviceArray(std::size_t bytes) : bytes_(bytes) {
  const cudaError_t status = cudaMalloc(&data_, bytes);
  if (status != cudaSuccess) (void)cudaGetLastError();  // else the next launch is blamed for it
  check(status, "allocation of " + std::to_string(bytes) + " bytes");
}

DeviceArray::~DeviceArray() {
  cudaFree(data_);
}

void DeviceArray::upload(const void* from) {
  const std::string what = "copy of " + std::to_string(bytes_) + " bytes to the GPU";
  check(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice), what);
  // from pageable memory the last bytes may still be on their way
  check(cudaStreamSynchronize(nullptr), what);
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
