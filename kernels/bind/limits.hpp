#pragma once

#include "framework/device/executor.hpp"

namespace stencil {

/// Peak rates of a processor. Every sweep is limited by one of them.
struct Limits {
  double copy_bytes_per_second = 0;     ///< bytes read and written; arrays exceed the caches
  double multiply_adds_per_second = 0;  ///< fused multiply-adds in registers, of the element type
};

/// Measures both rates on the executor's device: on the threads of the calling rank, or on its
/// whole GPU. The measurement takes up to a tenth of a second, and temporarily 128 MiB of host
/// memory or 2 GiB of GPU memory.
///
/// @throws MachineError  not enough memory for the copy
template <class T>
Limits measure_limits(const Executor& executor);

}  // namespace stencil
