#pragma once

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/parallel/transport.hpp"

struct ncclComm;

namespace stencil {

/// Messages by NCCL between device memories, queued on the exchange lane without waiting on the
/// host. The NCCL communicator of all ranks outlives the transport and is reused by the next
/// transport. If two transports exist at the same time on different GPUs of one process, the second
/// destroys the NCCL communicator of the first.
class NcclTransport : public Transport {
 public:
  /// Collective. @pre every rank has a separate GPU
  /// @throws MachineError  NCCL failed; the message contains the error text of NCCL
  NcclTransport(const Communicator& communicator, cuda::CudaExecutor& executor);
  ~NcclTransport() override;
  NcclTransport(const NcclTransport&) = delete;
  NcclTransport& operator=(const NcclTransport&) = delete;

  std::string name() const override { return "nccl"; }
  std::unique_ptr<Channel> open(const std::vector<Parcel>& sends,
                                const std::vector<Parcel>& receives, int tag) override;

 private:
  const Communicator& communicator_;
  cuda::CudaExecutor& executor_;
  ncclComm* nccl_ = nullptr;
};

}  // namespace stencil
