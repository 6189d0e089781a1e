#include "framework/parallel/parcel.hpp"

#include <algorithm>

#include "framework/parallel/cuda/peer_buffer.hpp"

namespace stencil {

std::vector<Parcel> parcels_of(const std::vector<GhostMessage>& messages, Index element) {
  std::vector<Parcel> parcels;
  for (const GhostMessage& message : messages)
    parcels.push_back({message.peer, checked_multiply(message.elements, element)});
  return parcels;
}

Index device_bytes_of_channel(TransportRequest request, const std::vector<Parcel>& sends,
                              const std::vector<Parcel>& receives) {
  if (request == TransportRequest::host) return 0;
  Index plain = 0, peer = 0;
  for (const auto* parcels : {&sends, &receives})
    for (const Parcel& parcel : *parcels)
      plain = checked_add(plain, in_device_blocks(parcel.bytes));
  for (const Parcel& parcel : receives) peer = checked_add(peer, peer_buffer_bytes(parcel.bytes));
  for (std::size_t i = 0; i < sends.size(); ++i) peer = checked_add(peer, peer_buffer_bytes(0));
  if (request == TransportRequest::peer) return peer;
  return request == TransportRequest::automatic ? std::max(plain, peer) : plain;
}

}  // namespace stencil
