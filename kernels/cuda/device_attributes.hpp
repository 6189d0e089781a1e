#pragma once

#include <cstddef>

namespace stencil::cuda {

// What the current GPU has. @throws MachineError  it does not say

int multiprocessors();

/// Most bytes of shared memory that one block may have.
std::size_t most_shared_bytes();

/// Shared memory that a block has to ask for so that no more of them than `blocks` run at once on a
/// multiprocessor.
std::size_t shared_bytes_of_one_of(int blocks);

/// Lets a kernel have so much shared memory beside what the compiler knows of. Does not take back
/// what it was allowed before: another thread may be about to launch it with more.
/// @returns a cudaError_t
int allow_shared_bytes(const void* kernel, std::size_t bytes);

/// Whether tensor cores are known to add float64 products one by one, in order, as fused
/// multiply-adds do: tried on Hopper alone.
bool has_ordered_tensor_cores();

}  // namespace stencil::cuda
