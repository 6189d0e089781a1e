// The only source that chooses between transports.
#include "framework/parallel/make_transport.hpp"

#include <fmt/core.h>

#include "framework/grid/error.hpp"
#include "framework/parallel/transport_mpi.hpp"
#ifdef STENCIL_HAS_CUDA
#include "framework/parallel/cuda/device_layout.hpp"
#include "framework/parallel/cuda/transport_peer.hpp"
#endif
#ifdef STENCIL_HAS_NCCL
#include "framework/parallel/cuda/transport_nccl.hpp"
#endif

namespace stencil {
namespace {

TransportChoice host(const Communicator& communicator, Executor& executor, std::string reason) {
  return {std::make_unique<MpiTransport>(communicator, executor, false), std::move(reason)};
}

/// Throws on all ranks. Every rank has reached the same decision, so no rank waits for another.
[[maybe_unused]] void refuse(const Communicator& communicator, TransportRequest request,
                             const std::string& why) {
  communicator.agree([&] {
    throw MachineError(
        fmt::format("transport = {}: {}: use transport = auto or host", to_string(request), why));
  });
}

#ifdef STENCIL_HAS_CUDA

TransportChoice between_gpus(TransportRequest request, const Communicator& communicator,
                             cuda::CudaExecutor& executor) {
  const bool is_auto = request == TransportRequest::automatic;
  const DeviceLayout layout = device_layout(communicator, executor);
  if (request == TransportRequest::mpi) {
    const std::string obstacle = device_messages_obstacle(communicator, executor);
    if (!obstacle.empty()) refuse(communicator, request, obstacle);
    return {std::make_unique<MpiTransport>(communicator, executor, true),
            "a message between device memories arrived"};
  }
  if (communicator.size() == 1 && is_auto) return host(communicator, executor, "one rank");
  if (!layout.own_devices) {
    if (!is_auto) refuse(communicator, request, "ranks share a GPU, and it needs one each");
    return host(communicator, executor, "ranks share a GPU");
  }
  const bool peers = layout.one_host && PeerTransport::reaches_all(communicator, executor);
  if (request == TransportRequest::peer && !peers)
    refuse(communicator, request,
           layout.one_host ? "the ranks do not reach each other's GPU memory (Slurm's "
                             "--gpus-per-task hides GPUs: use --gpus-per-node; ranks in "
                             "containers of their own cannot map it)"
                           : "the ranks are on several hosts");
  if (peers && request != TransportRequest::nccl)
    return {std::make_unique<PeerTransport>(communicator, executor),
            request == TransportRequest::peer
                ? "asked for"
                : "all GPUs are of one host and reach each other's memory"};
#ifdef STENCIL_HAS_NCCL
  return {std::make_unique<NcclTransport>(communicator, executor),
          request == TransportRequest::nccl ? "asked for"
          : layout.one_host                 ? "GPUs do not all map each other's memory"
                                            : "several hosts"};
#else
  if (request == TransportRequest::nccl)
    refuse(communicator, request, "this program was built without NCCL");
  return host(communicator, executor, "no NCCL in this build");
#endif
}

#endif

}  // namespace

TransportChoice make_transport(TransportRequest request, const Communicator& communicator,
                               Executor& executor) {
  if (executor.is_host()) {
    communicator.agree([&] {
      if (request != TransportRequest::automatic && request != TransportRequest::host)
        throw WordsError(fmt::format(
            "transport = {}: it moves halos between GPUs, and this run computes on {}: use "
            "transport = auto or host",
            to_string(request), executor.name()));
    });
    return host(communicator, executor, "memory is the host's");
  }
  if (request == TransportRequest::host) return host(communicator, executor, "asked for");
#ifdef STENCIL_HAS_CUDA
  if (auto* gpu = dynamic_cast<cuda::CudaExecutor*>(&executor))
    return between_gpus(request, communicator, *gpu);
#endif
  return host(communicator, executor, "no other for this executor");
}

}  // namespace stencil
