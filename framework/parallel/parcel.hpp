#pragma once

#include <string>
#include <vector>

#include "framework/parallel/exchange_plan.hpp"

namespace stencil {

/// One packed message to or from another rank.
struct Parcel {
  int peer = 0;
  Index bytes = 0;
};

/// @param element  bytes of one point
std::vector<Parcel> parcels_of(const std::vector<GhostMessage>& messages, Index element);

/// Device memory that a channel takes on a rank for its parcels, at most; 0 where they travel
/// through the host.
///
/// @param word  as make_transport takes it; of the transports that `auto` may choose the one that
///              takes most counts
Index device_bytes_of_channel(const std::string& word, const std::vector<Parcel>& sends,
                              const std::vector<Parcel>& receives);

}  // namespace stencil
