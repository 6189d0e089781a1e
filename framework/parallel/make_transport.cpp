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

[[noreturn, maybe_unused]] void refuse(const std::string& word, const std::string& why) {
  throw MachineError(
      fmt::format("run.transport = {}: {}: use run.transport = auto or host", word, why));
}

#ifdef STENCIL_HAS_CUDA

TransportChoice between_gpus(const std::string& word, const Communicator& communicator,
                             cuda::CudaExecutor& executor) {
  const bool is_auto = word == "auto";
  const DeviceLayout layout = device_layout(communicator, executor);
  if (word == "mpi") {
    const std::string obstacle = device_messages_obstacle(communicator, executor);
    if (!obstacle.empty()) refuse(word, obstacle);
    return {std::make_unique<MpiTransport>(communicator, executor, true),
            "a message between device memories arrived"};
  }
  if (communicator.size() == 1 && is_auto) return host(communicator, executor, "one rank");
  if (!layout.own_devices) {
    if (!is_auto) refuse(word, "ranks share a GPU, and it needs one each");
    return host(communicator, executor, "ranks share a GPU");
  }
  const bool peers = layout.one_host && PeerTransport::reaches_all(communicator, executor);
  if (word == "peer" && !peers)
    refuse(word, layout.one_host ? "the ranks do not reach each other's GPU memory (Slurm's "
                                   "--gpus-per-task hides GPUs: use --gpus-per-node; ranks in "
                                   "containers of their own cannot map it)"
                                 : "the ranks are on several hosts");
  if (peers && word != "nccl")
    return {
        std::make_unique<PeerTransport>(communicator, executor),
        word == "peer" ? "asked for" : "all GPUs are of one host and reach each other's memory"};
#ifdef STENCIL_HAS_NCCL
  return {std::make_unique<NcclTransport>(communicator, executor),
          word == "nccl"    ? "asked for"
          : layout.one_host ? "GPUs do not all map each other's memory"
                            : "several hosts"};
#else
  if (word == "nccl") refuse(word, "this program was built without NCCL");
  return host(communicator, executor, "no NCCL in this build");
#endif
}

#endif

}  // namespace

TransportChoice make_transport(const std::string& word, const Communicator& communicator,
                               Executor& executor) {
  if (executor.is_host()) {
    if (word != "auto" && word != "host")
      throw WordsError(fmt::format(
          "run.transport = {}: it moves halos between GPUs, and this run computes on {}: use "
          "run.transport = auto or host",
          word, executor.name()));
    return host(communicator, executor, "memory is the host's");
  }
  if (word == "host") return host(communicator, executor, "asked for");
#ifdef STENCIL_HAS_CUDA
  if (auto* gpu = dynamic_cast<cuda::CudaExecutor*>(&executor))
    return between_gpus(word, communicator, *gpu);
#endif
  return host(communicator, executor, "no other for this executor");
}

}  // namespace stencil
