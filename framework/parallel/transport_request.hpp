#pragma once

#include <string_view>

namespace stencil {

/// How halos are sent between ranks: through host memory, by an MPI library that accepts device
/// memory, by NCCL, or by ranks of one host that write into each other's device memory.
enum class TransportRequest { automatic, host, mpi, nccl, peer };

constexpr std::string_view to_string(TransportRequest transport) {
  switch (transport) {
    case TransportRequest::automatic:
      return "auto";
    case TransportRequest::host:
      return "host";
    case TransportRequest::mpi:
      return "mpi";
    case TransportRequest::nccl:
      return "nccl";
    case TransportRequest::peer:
      return "peer";
  }
  return "?";
}

}  // namespace stencil
