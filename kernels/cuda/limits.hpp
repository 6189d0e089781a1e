#pragma once

#include <cstddef>

namespace stencil::cuda {

/// Peak rates of the current GPU. Every sweep is limited by one of these rates.
struct CudaLimits {
  double copy_bytes_per_second = 0;     ///< bytes read and written; arrays exceed the caches
  double multiply_adds_per_second = 0;  ///< fused multiply-adds in registers, of the element type
};

/// Measures the rate of a copy within device memory, by a kernel or by the runtime, whichever is
/// faster.
///
/// @param from, to  aligned to 16 bytes; `to` is overwritten
/// @returns bytes read and written per second
double measure_copy(const void* from, void* to, std::size_t bytes);

/// Measures both rates; takes some hundredths of a second and temporarily 2 GiB of device memory.
///
/// @throws MachineError  not enough memory for the copy, or no GPU
template <class T>
CudaLimits measure_cuda_limits();

}  // namespace stencil::cuda
