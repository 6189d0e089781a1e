#pragma once

namespace stencil {

/// Peak rates of this machine, measured on the calling thread's OpenMP team with the vector
/// extension in use. Every sweep is limited by one of these rates.
struct CpuLimits {
  double copy_bytes_per_second =
      0;  ///< bytes read and written, by streaming stores, with arrays much larger than the caches
  double multiply_adds_per_second = 0;  ///< fused multiply-adds in registers, of the element type
};

/// Measures both rates. The measurement takes some hundredths of a second and 128 MiB of temporary
/// memory.
///
/// @throws MachineError  not enough memory for the copy
template <class T>
CpuLimits measure_cpu_limits();

/// Returns the number of fused multiply-adds of the element type per second, of all threads
/// together. The measurement takes some hundredths of a second.
template <class T>
double measure_multiply_adds();

/// Copies `bytes` bytes with streaming stores, on all threads. `bytes` is a multiple of 64, and
/// both addresses are aligned to 64 bytes.
void streaming_copy(const void* source, void* target, long bytes);

}  // namespace stencil
