#pragma once

#include <cstddef>
#include <string>

namespace stencil::cuda {

// Attributes of the current GPU.
// @throws MachineError  an attribute cannot be queried
// @throws WordsError    STENCIL_GPU_ARCHITECTURE is invalid

/// Compute capability for which kernels are compiled at run time. The environment variable
/// STENCIL_GPU_ARCHITECTURE can select one that is lower than that of the GPU, to test the kernels
/// of older GPUs on a newer one (`compute_80`). The limits of shared memory below are then those of
/// this capability.
struct Capability {
  int major = 0, minor = 0;
  bool selected = false;  ///< by STENCIL_GPU_ARCHITECTURE
};
Capability capability();

/// Architecture for which kernels are compiled at run time, in the notation of the compiler:
/// `sm_90`, or `compute_80` if STENCIL_GPU_ARCHITECTURE selects it, whose code the driver
/// translates for the GPU.
std::string gpu_architecture();

int multiprocessors();

/// Largest number of bytes of shared memory of a block.
std::size_t most_shared_bytes();

/// Number of bytes of shared memory that each block has to request so that at most `blocks` blocks
/// run at once on a multiprocessor.
std::size_t shared_bytes_of_one_of(int blocks);

/// Allows a kernel this amount of dynamic shared memory. Never lowers an earlier limit, because
/// another thread may be about to launch the kernel with more shared memory.
/// @returns a cudaError_t
int allow_shared_bytes(const void* kernel, std::size_t bytes);

/// Returns whether tensor cores are known to add float64 products one by one, in order, like fused
/// multiply-adds. This has been tested on Hopper only.
bool has_ordered_tensor_cores();

}  // namespace stencil::cuda
