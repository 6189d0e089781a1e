#pragma once

namespace stencil {

/// The highest rates of this machine, measured on the calling thread's OpenMP team with the vector
/// extension in use. Every sweep is limited by one of them.
struct CpuLimits {
  double copy_bytes_per_second =
      0;  ///< read + write, streaming stores, arrays far beyond the caches
  double multiply_adds_per_second = 0;  ///< fused, in registers, of the element type
};

/// Measures both; takes some hundredths of a second and 128 MiB of temporary memory.
///
/// @throws MachineError  no memory for the copy
template <class T>
CpuLimits measure_cpu_limits();

/// Fused multiply-adds per second of the element type, of all threads; takes some hundredths of a
/// second.
template <class T>
double measure_multiply_adds();

/// Copies `bytes` (a multiple of 64, both ends 64-byte aligned) with streaming stores, on all
/// threads.
void streaming_copy(const void* source, void* target, long bytes);

}  // namespace stencil
