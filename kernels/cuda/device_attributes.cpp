#include "kernels/cuda/device_attributes.hpp"

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include "framework/device/cuda/check.hpp"
#include "framework/grid/error.hpp"

namespace stencil::cuda {
namespace {

int attribute_of_device(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "asking for the current GPU");
  check(cudaDeviceGetAttribute(&value, attribute, device), "asking the GPU what it has");
  return value;
}

/// Shared memory of GPUs by compute capability (CUDA C++ Programming Guide, table of technical
/// specifications), in bytes.
struct SharedLimits {
  std::size_t of_block, of_multiprocessor;
};
SharedLimits shared_limits(const Capability& of) {
  const bool small = of.major == 8 && (of.minor == 6 || of.minor == 9);
  if (small) return {99 << 10, 100 << 10};
  if (of.major == 8) return {163 << 10, 164 << 10};
  return {227 << 10, 228 << 10};
}

}  // namespace

Capability capability() {
  const Capability of_gpu{attribute_of_device(cudaDevAttrComputeCapabilityMajor),
                          attribute_of_device(cudaDevAttrComputeCapabilityMinor)};
  const char* const word = std::getenv("STENCIL_GPU_ARCHITECTURE");
  if (word == nullptr || *word == 0 || std::string_view(word) == "auto") return of_gpu;
  for (const Capability known : {Capability{8, 0}, {8, 6}, {8, 9}, {9, 0}}) {
    if (fmt::format("compute_{}{}", known.major, known.minor) != word) continue;
    if (std::pair(known.major, known.minor) > std::pair(of_gpu.major, of_gpu.minor))
      throw WordsError(
          fmt::format("STENCIL_GPU_ARCHITECTURE = {}: the GPU has compute capability "
                      "{}.{}: name a lower one, or unset the variable",
                      word, of_gpu.major, of_gpu.minor));
    return {known.major, known.minor, true};
  }
  throw WordsError(fmt::format(
      "STENCIL_GPU_ARCHITECTURE = {}: it is auto, compute_80, compute_86, compute_89 or "
      "compute_90: use one of them, or unset it",
      word));
}

std::string gpu_architecture() {
  const Capability of = capability();
  return fmt::format("{}_{}{}", of.selected ? "compute" : "sm", of.major, of.minor);
}

int multiprocessors() {
  return attribute_of_device(cudaDevAttrMultiProcessorCount);
}

std::size_t most_shared_bytes() {
  const std::size_t bytes =
      std::size_t(attribute_of_device(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  const Capability of = capability();
  return of.selected ? std::min(bytes, shared_limits(of).of_block) : bytes;
}

std::size_t shared_bytes_of_one_of(int blocks) {
  std::size_t all = std::size_t(attribute_of_device(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
  if (const Capability of = capability(); of.selected)
    all = std::min(all, shared_limits(of).of_multiprocessor);
  const std::size_t reserved =
      std::size_t(attribute_of_device(cudaDevAttrReservedSharedMemoryPerBlock));
  // 128 bytes are left for static shared memory
  return (all / blocks - reserved) / 128 * 128 - 128;
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
  return capability().major == 9;
}

}  // namespace stencil::cuda
