#pragma once

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/parallel/transport.hpp"

namespace stencil {

/// Ranks of one host map each other's receive buffers (CUDA IPC) and pack directly into them over
/// NVLink or PCIe. Counters in device memory record which messages have arrived and which have been
/// unpacked. The exchange lane waits for the counters; the host does not.
class PeerTransport : public Transport {
 public:
  /// @pre every rank has a separate GPU, all on one host, and each GPU can access the memory of the
  ///      others
  PeerTransport(const Communicator& communicator, cuda::CudaExecutor& executor);

  /// Returns whether the devices of all ranks can access each other's memory. Collective.
  static bool reaches_all(const Communicator& communicator, const cuda::CudaExecutor& executor);

  std::string name() const override { return "peer"; }
  std::unique_ptr<Channel> open(const std::vector<Parcel>& sends,
                                const std::vector<Parcel>& receives, int tag) override;

 private:
  const Communicator& communicator_;
  cuda::CudaExecutor& executor_;
};

}  // namespace stencil
