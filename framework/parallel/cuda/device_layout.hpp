#pragma once

#include <string>

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Distribution of the ranks of a job over GPUs and hosts.
struct DeviceLayout {
  bool own_devices = false;  ///< no two ranks use the same device
  bool one_host = false;
};

/// Collective; every rank gets the same result.
DeviceLayout device_layout(const Communicator& communicator, const cuda::CudaExecutor& executor);

/// Returns the reason why MPI cannot use device memory. The text is empty if the library reports
/// support for device memory and a test message from device memory to device memory has arrived.
/// Collective; every rank gets the same result.
std::string device_messages_obstacle(const Communicator& communicator,
                                     cuda::CudaExecutor& executor);

}  // namespace stencil
