#pragma once

#include <string>

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Which GPUs the ranks of a job have.
struct DeviceLayout {
  bool own_devices = false;  ///< no two ranks share one
  bool one_host = false;
};

/// Collective; the same on every rank.
DeviceLayout device_layout(const Communicator& communicator, const cuda::CudaExecutor& executor);

/// Why MPI cannot be given device memory; empty if it can. MPI can if the library says so and a
/// test message from device memory to device memory arrives. Collective; the same on every rank.
std::string device_messages_obstacle(const Communicator& communicator,
                                     cuda::CudaExecutor& executor);

}  // namespace stencil
