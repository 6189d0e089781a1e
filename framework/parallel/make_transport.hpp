#pragma once

#include <memory>
#include <string>

#include "framework/parallel/transport.hpp"

namespace stencil {

/// What was chosen for `run.transport`, and why.
struct TransportChoice {
  std::unique_ptr<Transport> transport;
  std::string reason;  ///< one line for the plan and the report
};

/// Makes the transport that a word asks for: `auto`, `host` (through host memory), `mpi` (device
/// memory handed to an MPI library that proves it can take it), `nccl`, `peer` (ranks of one host
/// write into each other's device memory). On the CPU all memory is the host's: `auto` and `host`.
///
/// Collective over the communicator, which has to outlive the transport; so has the executor.
/// @throws WordsError    the word does not go with the executor, or with this build
/// @throws MachineError  asked for by name, and these ranks or devices cannot do it
TransportChoice make_transport(const std::string& word, const Communicator& communicator,
                               Executor& executor);

}  // namespace stencil
