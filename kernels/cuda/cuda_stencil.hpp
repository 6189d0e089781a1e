#pragma once

#include <memory>

#include "framework/device/cuda/cuda_executor.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil::cuda {

/// Implements bind_stencil for a GPU, to whose memory it copies the taps. See bind_stencil for the
/// arguments and errors.
template <class T>
std::unique_ptr<BoundStencil<T>> bind_cuda_stencil(CudaExecutor& executor,
                                                   const Stencil<T>& stencil);

}  // namespace stencil::cuda
