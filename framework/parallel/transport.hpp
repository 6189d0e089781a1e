#pragma once

#include <memory>
#include <string>
#include <vector>

#include "framework/device/executor.hpp"
#include "framework/parallel/communicator.hpp"
#include "framework/parallel/parcel.hpp"

namespace stencil {

/// The messages of one phase of a halo exchange, the same in every exchange. Each round has the
/// order `prepare`, pack into send buffers, `start`, `finish`, unpack from receive buffers,
/// `release`; packing and unpacking are work on Lane::exchange. All ranks of the phase run the same
/// rounds.
class Channel {
 public:
  virtual ~Channel() = default;

  /// The buffers to pack into and to unpack from; valid as long as the channel.
  virtual std::byte* send_buffer(std::size_t send) const = 0;
  virtual std::byte* receive_buffer(std::size_t receive) const = 0;

  /// After it, work on Lane::exchange may write the send buffers.
  virtual void prepare() = 0;
  /// Sends what the work ordered on Lane::exchange until now has packed.
  virtual void start() = 0;
  /// After it, work on Lane::exchange sees the receive buffers filled.
  virtual void finish() = 0;
  /// The work ordered on Lane::exchange until now was the last that needs the receive buffers.
  virtual void release() = 0;
};

/// How packed halos travel between ranks.
class Transport {
 public:
  virtual ~Transport() = default;

  /// `host`, `mpi`, `nccl` or `peer`.
  virtual std::string name() const = 0;
  /// Opens a channel. Ranks that name each other call it in the same order with the same bytes. A
  /// rank sends at most one parcel to the same peer.
  ///
  /// @param tag  the tag of the messages, the axis of the phase
  /// @throws MachineError  no memory for the buffers
  virtual std::unique_ptr<Channel> open(const std::vector<Parcel>& sends,
                                        const std::vector<Parcel>& receives, int tag) = 0;
};

}  // namespace stencil
