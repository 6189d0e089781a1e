#include "framework/device/cuda/device_facts.hpp"

#include <cuda_runtime.h>

#include <cstdio>

namespace stencil::cuda {

std::vector<std::string> device_facts() {
  int count = 0;
  // no driver or no device is not an error here: the laptop case
  if (cudaGetDeviceCount(&count) != cudaSuccess) return {};
  std::vector<std::string> facts;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp p{};
    if (cudaGetDeviceProperties(&p, device) != cudaSuccess) continue;
    char line[512];
    std::snprintf(line, sizeof line,
                  "%s, compute %d.%d, %d multiprocessors, %.1f GiB, L2 %.0f MiB, constant %zu KiB, "
                  "shared %zu KiB per block (%zu opt-in)",
                  p.name, p.major, p.minor, p.multiProcessorCount,
                  static_cast<double>(p.totalGlobalMem) / (1 << 30),
                  static_cast<double>(p.l2CacheSize) / (1 << 20), p.totalConstMem / 1024,
                  p.sharedMemPerBlock / 1024, p.sharedMemPerBlockOptin / 1024);
    facts.emplace_back(line);
  }
  return facts;
}

}  // namespace stencil::cuda
