#pragma once

#include <vector>

#include "framework/device/cuda/cuda_executor.hpp"

namespace stencil::cuda {

/// Uploads the twiddles of a transform (twiddles_of) to device memory. The twiddles of a butterfly
/// are adjacent and preceded by a 1, so that they form rows aligned to 16 bytes.
///
/// @throws MachineError  not enough memory
template <class T>
Memory uploaded_twiddles(CudaExecutor& executor, const std::vector<T>& twiddles,
                         const std::vector<int>& radices, Index points);

}  // namespace stencil::cuda
