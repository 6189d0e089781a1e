#pragma once

#include <string>

namespace stencil::cuda {

/// Throws unless `status` (a cudaError_t) is success.
///
/// @param what  the action that was tried: `copy of 4096 bytes to the GPU`
/// @throws MemoryError   the GPU has no memory for it; the message quotes CUDA
/// @throws MachineError  any other error
void check(int status, const std::string& what);

/// Checks the launch of a kernel that was made just before. @throws  as check()
void check_launch(const std::string& kernel);

}  // namespace stencil::cuda
