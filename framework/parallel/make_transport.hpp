#pragma once

#include <memory>
#include <string>

#include "framework/parallel/transport.hpp"
#include "framework/parallel/transport_request.hpp"

namespace stencil {

/// The transport that was chosen for `run.transport`, and the reason.
struct TransportChoice {
  std::unique_ptr<Transport> transport;
  std::string reason;  ///< one line for the plan and the report
};

/// Makes the requested transport. The transport `mpi` is used only if a test shows that the library
/// accepts device memory. On the CPU all memory is host memory, so only automatic and host are
/// possible.
///
/// Collective over the communicator. The communicator and the executor have to outlive the
/// transport.
/// @throws Error  on all ranks. Status::words: the transport cannot be used with the
///                executor or in this build; Status::machine: the transport was requested by name,
///                but these ranks or devices cannot use it
TransportChoice make_transport(TransportRequest request, const Communicator& communicator,
                               Executor& executor);

}  // namespace stencil
