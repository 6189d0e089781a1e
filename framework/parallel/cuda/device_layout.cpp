#include "framework/parallel/cuda/device_layout.hpp"

#include <cuda_runtime.h>

#include <set>
#include <string>
#include <vector>

#include "framework/parallel/device_share.hpp"

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace stencil {
namespace {

bool library_takes_device_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;  // if the library does not report support, an attempt could crash
#endif
}

/// Sends a pattern around the ring of ranks, from device memory to device memory.
bool message_arrives(const Communicator& communicator, cuda::CudaExecutor& executor) {
  constexpr int count = 1 << 16;
  const int right = (communicator.rank() + 1) % communicator.size();
  const int left = (communicator.rank() + communicator.size() - 1) % communicator.size();
  const Memory from = executor.allocate(count), to = executor.allocate(count);
  std::vector<char> pattern(count), arrived(count);
  for (int i = 0; i < count; ++i) pattern[i] = static_cast<char>(i * 7 + communicator.rank());
  cuda::check(cudaMemcpy(from.get(), pattern.data(), count, cudaMemcpyDefault), "trying messages");
  cuda::check(cudaMemset(to.get(), 0, count), "trying messages");
  cuda::check(cudaDeviceSynchronize(), "trying messages");
  MPI_Sendrecv(from.get(), count, MPI_BYTE, right, 77, to.get(), count, MPI_BYTE, left, 77,
               communicator.handle(), MPI_STATUS_IGNORE);
  cuda::check(cudaMemcpy(arrived.data(), to.get(), count, cudaMemcpyDefault), "trying messages");
  for (int i = 0; i < count; ++i)
    if (arrived[i] != static_cast<char>(i * 7 + left)) return false;
  return true;
}

bool all_agree(const Communicator& communicator, bool mine) {
  int yes = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &yes, 1, MPI_INT, MPI_MIN, communicator.handle());
  return yes == 1;
}

}  // namespace

DeviceLayout device_layout(const Communicator& communicator, const cuda::CudaExecutor& executor) {
  const auto all = device_ids(communicator, executor.device_id());
  DeviceLayout layout;
  std::set<std::string> devices, hosts;
  for (const std::string& device_id : all) {
    hosts.insert(device_id.substr(0, device_id.find(' ')));
    devices.insert(device_id);
  }
  layout.own_devices = devices.size() == all.size();
  layout.one_host = hosts.size() == 1;
  return layout;
}

std::string device_messages_obstacle(const Communicator& communicator,
                                     cuda::CudaExecutor& executor) {
  if (!all_agree(communicator, library_takes_device_memory()))
    return "this MPI library does not say that it takes device memory";
  if (!all_agree(communicator, message_arrives(communicator, executor)))
    return "a message between device memories did not arrive as it was sent";
  return {};
}

}  // namespace stencil
