#pragma once

#include <vector>

#include "framework/grid/exchange_plan.hpp"
#include "framework/parallel/transport_request.hpp"

namespace stencil {

/// One packed message to or from another rank.
struct Parcel {
  int peer = 0;
  Index bytes = 0;
};

/// Returns the parcel of each message. @param element  size of one point in bytes
std::vector<Parcel> parcels_of(const std::vector<GhostMessage>& messages, Index element);

/// Returns the largest number of bytes of device memory that a channel needs for the parcels of one
/// rank; 0 if the parcels are sent through host memory.
///
/// @param request  the requested transport; for automatic, the result is the maximum over the
///                 transports that may be chosen
Index device_bytes_of_channel(TransportRequest request, const std::vector<Parcel>& sends,
                              const std::vector<Parcel>& receives);

}  // namespace stencil
