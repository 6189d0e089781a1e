#pragma once

#include <string>
#include <vector>

#include "framework/parallel/communicator.hpp"

namespace stencil {

/// The ranks of a job that share the device of this rank.
struct DeviceShare {
  std::vector<int> ranks;  ///< all ranks that compute on the device, including this one, ascending
  int rank_on_device = 0;  ///< index of this rank in `ranks`
};

/// Returns the device ids of all ranks, indexed by rank. Collective.
/// @param device_id  Executor::device_id() of this rank, at most 255 characters
std::vector<std::string> device_ids(const Communicator& communicator, const std::string& device_id);

/// Returns the ranks that share this rank's device. If `device_id` is empty, these are only this
/// rank. Collective.
DeviceShare share_of_device(const Communicator& communicator, const std::string& device_id);

/// Returns the sum of `value` over the ranks of one device. Collective over the whole communicator.
Index sum_on_device(const Communicator& communicator, const DeviceShare& share, Index value);

}  // namespace stencil
