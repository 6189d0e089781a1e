#pragma once

#include <mpi.h>

#include "framework/parallel/transport.hpp"

namespace stencil {

/// Messages by persistent MPI requests, in host memory (`host`) or in device memory (`mpi`, for MPI
/// libraries that support CUDA).
class MpiTransport : public Transport {
 public:
  MpiTransport(const Communicator& communicator, Executor& executor, bool device_buffers)
      : communicator_(communicator), executor_(executor), device_buffers_(device_buffers) {}

  std::string name() const override { return device_buffers_ ? "mpi" : "host"; }
  std::unique_ptr<Channel> open(const std::vector<Parcel>& sends,
                                const std::vector<Parcel>& receives, int tag) override;

 private:
  const Communicator& communicator_;
  Executor& executor_;
  bool device_buffers_;
};

}  // namespace stencil
