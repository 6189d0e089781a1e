#pragma once

#include <string_view>

namespace stencil {

/// Method of sending halos between ranks: through host memory, by an MPI library that accepts
/// device memory, by NCCL, or by writing directly into the device memory of another rank on the
/// same host.
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
