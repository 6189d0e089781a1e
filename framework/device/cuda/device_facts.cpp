#include "framework/device/cuda/device_facts.hpp"

#include <cuda_runtime.h>

#include <cstdio>

namespace stencil::cuda {

std::string in_gibibytes(Index bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
  return text;
}

std::string device_facts(int device) {
  cudaDeviceProp p{};
  if (cudaGetDeviceProperties(&p, device) != cudaSuccess) return "GPU";
  char line[512];
  std::snprintf(line, sizeof line,
                "%s, compute %d.%d, %d multiprocessors, %s, L2 %.0f MiB, constant %zu KiB, "
                "shared %zu KiB per block (%zu opt-in)",
                p.name, p.major, p.minor, p.multiProcessorCount,
                in_gibibytes(static_cast<Index>(p.totalGlobalMem)).c_str(),
                static_cast<double>(p.l2CacheSize) / (1 << 20), p.totalConstMem / 1024,
                p.sharedMemPerBlock / 1024, p.sharedMemPerBlockOptin / 1024);
  return line;
}

std::vector<std::string> device_facts() {
  int count = 0;
  // no driver or no device is not an error here: the laptop case
  if (cudaGetDeviceCount(&count) != cudaSuccess) return {};
  std::vector<std::string> facts;
  for (int device = 0; device < count; ++device) facts.push_back(device_facts(device));
  return facts;
}

}  // namespace stencil::cuda
