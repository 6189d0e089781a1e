// The only source that chooses between executors.
#include "framework/device/make_executor.hpp"

#include <fmt/core.h>

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"
#ifdef STENCIL_HAS_CUDA
#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/cuda/device_facts.hpp"
#endif

namespace stencil {

Backend resolve_backend(Backend backend) {
  if (backend == Backend::cpu) return backend;
#ifdef STENCIL_HAS_CUDA
  const cuda::Devices devices = cuda::find_devices();
  if (devices.count > 0) return Backend::cuda;
  if (backend == Backend::cuda)
    throw MachineError(fmt::format(
        "backend = cuda: {}: use backend = auto or cpu",
        devices.trouble.empty() ? "no GPU is visible to this rank (nvidia-smi shows what the "
                                  "driver sees; Slurm gives GPUs with --gpus-per-node)"
                                : devices.trouble));
#else
  if (backend == Backend::cuda)
    throw WordsError(
        "backend = cuda: this program was built without CUDA: build it with "
        "-D STENCIL_CUDA=ON where nvcc is found, or use backend = auto or cpu");
#endif
  return Backend::cpu;
}

std::unique_ptr<Executor> make_executor(Backend backend, int node_rank) {
#ifdef STENCIL_HAS_CUDA
  if (resolve_backend(backend) == Backend::cuda)
    return std::make_unique<cuda::CudaExecutor>(node_rank % cuda::device_count());
#else
  (void)node_rank;
  resolve_backend(backend);
#endif
  return std::make_unique<CpuExecutor>();
}

}  // namespace stencil
