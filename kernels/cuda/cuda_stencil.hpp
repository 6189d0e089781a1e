#pragma once

#include <memory>

#include "framework/device/cuda/cuda_executor.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil::cuda {

/// bind_stencil for a GPU: puts the taps into its memory. Arguments and errors as there.
template <class T>
std::unique_ptr<BoundStencil<T>> bind_cuda_stencil(CudaExecutor& executor,
                                                   const Stencil<T>& stencil);

}  // namespace stencil::cuda
