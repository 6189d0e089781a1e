#pragma once

#include <memory>
#include <string>
#include <vector>

#include "framework/device/executor.hpp"
#include "framework/parallel/communicator.hpp"
#include "framework/parallel/parcel.hpp"

namespace stencil {

/// The messages of one phase of a halo exchange, which have the same sizes and peers in every
/// exchange. The steps of each round are `prepare`, pack into send buffers, `start`, `finish`,
/// unpack from receive buffers, `release`; packing and unpacking are work on Lane::exchange. All
/// ranks of the phase perform the same rounds.
class Channel {
 public:
  virtual ~Channel() = default;

  /// The buffers into which the caller packs and from which it unpacks; valid during the lifetime
  /// of the channel.
  virtual std::byte* send_buffer(std::size_t send) const = 0;
  virtual std::byte* receive_buffer(std::size_t receive) const = 0;

  /// After this call, work on Lane::exchange may write to the send buffers.
  virtual void prepare() = 0;
  /// Sends the data that the work queued on Lane::exchange before this call packs.
  virtual void start() = 0;
  /// After this call, work queued on Lane::exchange finds the received data in the receive buffers.
  virtual void finish() = 0;
  /// Declares that no work queued on Lane::exchange after this call reads the receive buffers.
  virtual void release() = 0;
};

/// The method by which packed halos are sent between ranks.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Name of the transport: `host`, `mpi`, `nccl` or `peer`.
  virtual std::string name() const = 0;
  /// Opens a channel. Two ranks that exchange parcels open their channels in the same order with
  /// the same numbers of bytes. A rank sends at most one parcel to each peer.
  ///
  /// @param tag  the tag of the messages, the axis of the phase
  /// @throws MachineError  no memory for the buffers
  virtual std::unique_ptr<Channel> open(const std::vector<Parcel>& sends,
                                        const std::vector<Parcel>& receives, int tag) = 0;
};

}  // namespace stencil
