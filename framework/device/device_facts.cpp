#include "framework/device/device_facts.hpp"

#ifdef STENCIL_HAS_CUDA
#include "framework/device/cuda/device_facts.hpp"
#endif

namespace stencil {

std::vector<std::string> gpu_facts() {
#ifdef STENCIL_HAS_CUDA
  return cuda::device_facts();
#else
  return {};
#endif
}

std::string gpu_trouble() {
#ifdef STENCIL_HAS_CUDA
  return cuda::find_devices().trouble;
#else
  return {};
#endif
}

}  // namespace stencil
