#pragma once

#include <cstddef>
#include <vector>

#include "framework/parallel/communicator.hpp"

namespace stencil::storage {

/// Sends a message to every rank and receives a message from every rank; both include the calling
/// rank. Collective.
///
/// @param outgoing  one message for each rank, of any length; empty messages cost almost nothing
/// @returns the messages of ranks 0, 1, ..., each padded with zeros to a multiple of 64 bytes
/// @throws MachineError  on all ranks: there is no memory for the messages
std::vector<std::vector<std::byte>> exchange_messages(const Communicator& communicator,
                                                      std::vector<std::vector<std::byte>> outgoing);

/// Sends a message of any length to one rank, or receives such a message from one rank.
void send_bytes(const Communicator& communicator, const std::byte* from, Index bytes, int to);
void receive_bytes(const Communicator& communicator, std::byte* to, Index bytes, int from);

}  // namespace stencil::storage
