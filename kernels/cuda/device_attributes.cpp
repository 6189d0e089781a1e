#include "kernels/cuda/device_attributes.hpp"

#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <utility>

#include "framework/device/cuda/check.hpp"

namespace stencil::cuda {
namespace {

int attribute_of_device(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "asking for the current GPU");
  check(cudaDeviceGetAttribute(&value, attribute, device), "asking the GPU what it has");
  return value;
}

}  // namespace

int multiprocessors() {
  return attribute_of_device(cudaDevAttrMultiProcessorCount);
}

std::size_t most_shared_bytes() {
  return std::size_t(attribute_of_device(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

std::size_t shared_bytes_of_one_of(int blocks) {
  const int all = attribute_of_device(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  const int reserved = attribute_of_device(cudaDevAttrReservedSharedMemoryPerBlock);
  // 128 bytes are left for static shared memory
  return std::size_t(all / blocks - reserved) / 128 * 128 - 128;
}

int allow_shared_bytes(const void* kernel, std::size_t bytes) {
  static std::mutex mutex;
  static std::map<std::pair<int, const void*>, std::size_t> allowed;
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device); error != cudaSuccess) return error;
  const std::lock_guard lock(mutex);
  std::size_t& most = allowed[{device, kernel}];
  if (bytes <= most) return cudaSuccess;
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  if (error == cudaSuccess) most = bytes;
  return error;
}

bool has_ordered_tensor_cores() {
  return attribute_of_device(cudaDevAttrComputeCapabilityMajor) == 9;
}

}  // namespace stencil::cuda
