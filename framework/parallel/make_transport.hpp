#pragma once

#include <memory>
#include <string>

#include "framework/parallel/transport.hpp"
#include "framework/parallel/transport_request.hpp"

namespace stencil {

/// What was chosen for `run.transport`, and why.
struct TransportChoice {
  std::unique_ptr<Transport> transport;
  std::string reason;  ///< one line for the plan and the report
};

/// Makes the transport that is asked for; mpi only where the library proves that it takes device
/// memory. On the CPU all memory is the host's: automatic and host.
///
/// Collective over the communicator, which has to outlive the transport; so has the executor.
/// @throws Error  agreed on by all ranks. Status::words: it does not go with the executor, or with
///                this build; Status::machine: asked for by name, and these ranks or devices cannot
///                do it
TransportChoice make_transport(TransportRequest request, const Communicator& communicator,
                               Executor& executor);

}  // namespace stencil
