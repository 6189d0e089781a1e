#pragma once

#include <vector>

#include "framework/device/cuda/cuda_executor.hpp"

namespace stencil::cuda {

/// The twiddles of a transform (twiddles_of) in device memory. Those of a butterfly are neighbours,
/// preceded by a 1: rows that begin at multiples of 16 bytes.
///
/// @throws MachineError  not enough memory
template <class T>
Memory uploaded_twiddles(CudaExecutor& executor, const std::vector<T>& twiddles,
                         const std::vector<int>& radices, Index points);

}  // namespace stencil::cuda
