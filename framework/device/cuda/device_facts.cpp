#include "framework/device/cuda/device_facts.hpp"

#include <cuda_runtime.h>
#include <fmt/format.h>

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

namespace {

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// Least compute capability, times 10, for which the program was compiled.
constexpr int least_capability = STENCIL_LEAST_CAPABILITY;

}  // namespace

Devices find_devices() {
  Devices devices;
  const cudaError_t status = cudaGetDeviceCount(&devices.count);
  if (status != cudaSuccess) {
    (void)cudaGetLastError();  // clears the error: the next launch would report it otherwise
    devices.count = 0;
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0 || status == cudaErrorNoDevice)
      return devices;  // a machine without driver or device, such as a laptop, is not an error
    devices.trouble =
        status == cudaErrorInsufficientDriver
            ? fmt::format("the driver is made for CUDA {} and this program for CUDA {}: update it",
                          version_text(driver), version_text(CUDART_VERSION))
            : fmt::format("CUDA says `{}`: check nvidia-smi", cudaGetErrorString(status));
    return devices;
  }
  for (int device = 0; device < devices.count; ++device) {
    int major = 0, minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    const int capability = 10 * major + minor;
    if (capability >= least_capability) continue;
    const std::string remedy =
        capability < 80 ? "GPUs need 8.0 or newer"
                        : fmt::format("build it with CMAKE_CUDA_ARCHITECTURES={}", capability);
    return {
        0, fmt::format("{} is older than compute {}.{}, for which this program was built: {}, or "
                       "hide this GPU with CUDA_VISIBLE_DEVICES if there are newer ones",
                       device_facts(device), least_capability / 10, least_capability % 10, remedy)};
  }
  return devices;
}

int device_count() {
  return find_devices().count;
}

std::vector<std::string> device_facts() {
  std::vector<std::string> facts;
  const int count = device_count();
  for (int device = 0; device < count; ++device) facts.push_back(device_facts(device));
  return facts;
}

}  // namespace stencil::cuda
