#include "tests/gpu/device_grid.hpp"

#include <cuda_runtime.h>

#include <stdexcept>

namespace stencil::testing {
namespace {

void require(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

}  // namespace

std::string no_gpu() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) return cudaGetErrorString(status);
  return count == 0 ? "no CUDA device" : "";
}

void wait_for_device() {
  require(cudaGetLastError());
  require(cudaDeviceSynchronize());
}

template <class T>
DeviceArray<T>::DeviceArray(const std::vector<T>& host) : bytes_(host.size() * sizeof(T)) {
  require(cudaMalloc(&data_, bytes_));
  require(cudaMemcpy(data_, host.data(), bytes_, cudaMemcpyHostToDevice));
}

template <class T>
DeviceArray<T>::~DeviceArray() {
  cudaFree(data_);
}

template <class T>
void DeviceArray<T>::copy_to(std::vector<T>& host) const {
  require(cudaMemcpy(host.data(), data_, bytes_, cudaMemcpyDeviceToHost));
}

template class DeviceArray<float>;
template class DeviceArray<double>;

}  // namespace stencil::testing
