#pragma once

#include <cstddef>

namespace stencil::cuda {

// What the current GPU has. @throws MachineError  it does not say

int multiprocessors();

/// Most bytes of shared memory that one block may have.
std::size_t most_shared_bytes();

/// Shared memory that each block has to request so that at most `blocks` blocks run at once on a
/// multiprocessor.
std::size_t shared_bytes_of_one_of(int blocks);

/// Allows a kernel this amount of dynamic shared memory. Never lowers an earlier limit, because
/// another thread may be about to launch the kernel with more.
/// @returns a cudaError_t
int allow_shared_bytes(const void* kernel, std::size_t bytes);

/// Whether tensor cores are known to add float64 products one by one, in order, as fused
/// multiply-adds do. This was tested on Hopper only.
bool has_ordered_tensor_cores();

}  // namespace stencil::cuda
