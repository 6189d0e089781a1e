#pragma once

namespace stencil::cuda {

/// What the current GPU can do at most. Every sweep is bound by one of them.
struct CudaLimits {
  double copy_bytes_per_second = 0;     ///< read + write, arrays far beyond the caches
  double multiply_adds_per_second = 0;  ///< fused, in registers, of the element type
};

/// Measures both; takes some hundredths of a second and 2 GiB of device memory for a while.
///
/// @throws MachineError  no memory for the copy, or no GPU
template <class T>
CudaLimits measure_cuda_limits();

}  // namespace stencil::cuda
