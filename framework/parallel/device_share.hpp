#pragma once

#include <string>
#include <vector>

#include "framework/parallel/communicator.hpp"

namespace stencil {

/// How the ranks of a job share the device that this rank computes on.
struct DeviceShare {
  std::vector<int> ranks;  ///< all that compute on it, this one too, ascending
  int place = 0;           ///< of this one among them
};

/// The places of the devices of all ranks, rank by rank. Collective.
/// @param place  Executor::place() of this rank; of at most 255 characters
std::vector<std::string> device_places(const Communicator& communicator, const std::string& place);

/// Who shares this rank's device; nobody where its place is empty. Collective.
DeviceShare share_of_device(const Communicator& communicator, const std::string& place);

/// The sum of what every rank of a device says. Collective over the whole communicator.
Index sum_on_device(const Communicator& communicator, const DeviceShare& share, Index value);

}  // namespace stencil
