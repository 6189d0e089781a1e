#pragma once

#include <string>
#include <vector>

#include "framework/parallel/communicator.hpp"

namespace stencil {

/// How the ranks of a job share the device that this rank computes on.
struct DeviceShare {
  std::vector<int> ranks;  ///< all that compute on it, this one too, ascending
  int rank_on_device = 0;  ///< index of this rank in `ranks`
};

/// The device ids of all ranks, rank by rank. Collective.
/// @param device_id  Executor::device_id() of this rank; of at most 255 characters
std::vector<std::string> device_ids(const Communicator& communicator, const std::string& device_id);

/// The ranks that share this rank's device; this rank alone where its id is empty. Collective.
DeviceShare share_of_device(const Communicator& communicator, const std::string& device_id);

/// The sum of `value` over the ranks of a device. Collective over the whole communicator.
Index sum_on_device(const Communicator& communicator, const DeviceShare& share, Index value);

}  // namespace stencil
