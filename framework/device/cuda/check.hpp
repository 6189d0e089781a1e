#pragma once

#include <string>

namespace stencil::cuda {

/// Throws unless `status` (a cudaError_t) is success.
///
/// @param what  the attempted action, for example `copy of 4096 bytes to the GPU`
/// @throws MemoryError   the GPU has not enough memory; the message quotes CUDA
/// @throws MachineError  any other error
void check(int status, const std::string& what);

/// Checks the kernel launch immediately before this call. @throws  like check()
void check_launch(const std::string& kernel);

}  // namespace stencil::cuda
