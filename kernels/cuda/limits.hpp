#pragma once

#include <cstddef>

namespace stencil::cuda {

/// What the current GPU can do at most. Every sweep is bound by one of them.
struct CudaLimits {
  double copy_bytes_per_second = 0;     ///< read + write, arrays far beyond the caches
  double multiply_adds_per_second = 0;  ///< fused, in registers, of the element type
};

/// The rate of a copy within the device's memory, by a kernel or by the runtime, whichever is
/// faster.
///
/// @param from, to  aligned to 16 bytes; `to` is overwritten
/// @returns bytes read and written per second
double measure_copy(const void* from, void* to, std::size_t bytes);

/// Measures both; takes some hundredths of a second and 2 GiB of device memory for a while.
///
/// @throws MachineError  no memory for the copy, or no GPU
template <class T>
CudaLimits measure_cuda_limits();

}  // namespace stencil::cuda
