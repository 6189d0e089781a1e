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

/// @param element  bytes of one point
std::vector<Parcel> parcels_of(const std::vector<GhostMessage>& messages, Index element);

/// Device memory that a channel needs on a rank for its parcels, at most; 0 if they are sent
/// through the host.
///
/// @param request  with automatic, the largest amount of the transports that it may choose
Index device_bytes_of_channel(TransportRequest request, const std::vector<Parcel>& sends,
                              const std::vector<Parcel>& receives);

}  // namespace stencil
