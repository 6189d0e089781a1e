#include "framework/parallel/cuda/transport_peer.hpp"

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <set>

#include "framework/device/cuda/driver_entry.hpp"
#include "framework/grid/error.hpp"
#include "framework/parallel/cuda/peer_buffer.hpp"

namespace stencil {
namespace {

constexpr int first_tag = 100;  // larger than the tags of all messages

/// Counters in device memory that streams write and wait for.
class StreamCounters {
 public:
  StreamCounters()
      : write_(reinterpret_cast<Write>(cuda::driver_entry("cuStreamWriteValue32"))),
        wait_(reinterpret_cast<Wait>(cuda::driver_entry("cuStreamWaitValue32"))) {}

  void write(CUstream_st* stream, std::byte* counter, std::uint32_t value) const {
    check(write_(stream, reinterpret_cast<CUdeviceptr>(counter), value,
                 CU_STREAM_WRITE_VALUE_DEFAULT));
  }
  /// Queues a wait until the counter is at `value` or beyond. Counters only grow, and may wrap
  /// around.
  void wait(CUstream_st* stream, std::byte* counter, std::uint32_t value) const {
    check(wait_(stream, reinterpret_cast<CUdeviceptr>(counter), value, CU_STREAM_WAIT_VALUE_GEQ));
  }

 private:
  using Write = CUresult (*)(CUstream, CUdeviceptr, std::uint32_t, unsigned);
  using Wait = CUresult (*)(CUstream, CUdeviceptr, std::uint32_t, unsigned);
  static void check(CUresult status) {
    if (status != CUDA_SUCCESS)
      throw MachineError("exchanging halos between GPUs failed (CUDA status " +
                         std::to_string(status) + "): use transport = nccl or host");
  }
  Write write_;
  Wait wait_;
};

/// Memory of another process, mapped during the lifetime of this object.
class MappedMemory {
 public:
  explicit MappedMemory(const cudaIpcMemHandle_t& handle) {
    void* memory = nullptr;
    cuda::check(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess),
                "mapping a neighbour's GPU memory");
    memory_ = static_cast<std::byte*>(memory);
  }
  ~MappedMemory() {
    if (memory_ != nullptr) cudaIpcCloseMemHandle(memory_);
  }
  MappedMemory(MappedMemory&& other) noexcept : memory_(other.memory_) { other.memory_ = nullptr; }
  MappedMemory(const MappedMemory&) = delete;
  std::byte* get() const { return memory_; }

 private:
  std::byte* memory_ = nullptr;
};

/// A channel whose receive buffers start with a header. Counter 0 in the header of a receive buffer
/// is the number of the last round that has arrived; the sender writes it. The receiver
/// acknowledges a round that it has unpacked by writing the number of the round into a small buffer
/// of the sender.
class PeerChannel : public Channel {
 public:
  PeerChannel(const Communicator& communicator, cuda::CudaExecutor& executor,
              const std::vector<Parcel>& sends, const std::vector<Parcel>& receives, int tag)
      : communicator_(communicator), executor_(executor) {
    for (const Parcel& parcel : receives) arrivals_.push_back(buffer(parcel.bytes));
    for (std::size_t i = 0; i < sends.size(); ++i) acknowledged_.push_back(buffer(0));
    executor.synchronize();  // the counters must be 0 before another rank writes them
    // each rank sends one handle per parcel: its receive buffer, or its buffer for acknowledgements
    std::vector<MPI_Request> requests;
    std::vector<cudaIpcMemHandle_t> out(sends.size() + receives.size()), in(out.size());
    const auto trade = [&](std::size_t i, const Memory& own, int peer, int out_tag, int in_tag) {
      cuda::check(cudaIpcGetMemHandle(&out[i], own.get()), "exporting GPU memory");
      MPI_Isend(&out[i], sizeof out[i], MPI_BYTE, peer, out_tag, communicator.handle(),
                &requests.emplace_back());
      MPI_Irecv(&in[i], sizeof in[i], MPI_BYTE, peer, in_tag, communicator.handle(),
                &requests.emplace_back());
    };
    requests.reserve(2 * out.size());
    const int data = 3 * tag + first_tag, reply = data + 1;
    farewell_ = data + 2;
    for (const auto* parcels : {&sends, &receives})
      for (const Parcel& parcel : *parcels) peers_.insert(parcel.peer);
    for (std::size_t i = 0; i < sends.size(); ++i)
      trade(i, acknowledged_[i], sends[i].peer, reply, data);
    for (std::size_t i = 0; i < receives.size(); ++i)
      trade(sends.size() + i, arrivals_[i], receives[i].peer, data, reply);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < sends.size(); ++i) targets_.emplace_back(in[i]);
    for (std::size_t i = 0; i < receives.size(); ++i) replies_.emplace_back(in[sends.size() + i]);
  }

  /// Waits for the neighbours, so that no memory is freed that a neighbour still writes to.
  ~PeerChannel() override {
    try {
      executor_.synchronize(Lane::exchange);
    } catch (const Error&) {
      // the GPU has failed and no longer writes to memory; the failure is reported elsewhere
    }
    targets_.clear();
    replies_.clear();
    // while an error unwinds this rank, the other ranks may never reach this point
    if (std::uncaught_exceptions() > 0) return;
    std::vector<MPI_Request> requests;
    requests.reserve(2 * peers_.size());
    char nothing = 0;
    for (const int peer : peers_) {
      MPI_Isend(&nothing, 0, MPI_BYTE, peer, farewell_, communicator_.handle(),
                &requests.emplace_back());
      MPI_Irecv(&nothing, 0, MPI_BYTE, peer, farewell_, communicator_.handle(),
                &requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
  PeerChannel(const PeerChannel&) = delete;
  PeerChannel& operator=(const PeerChannel&) = delete;

  std::byte* send_buffer(std::size_t send) const override {
    return targets_[send].get() + peer_buffer_header;
  }
  std::byte* receive_buffer(std::size_t receive) const override {
    return arrivals_[receive].get() + peer_buffer_header;
  }

  void prepare() override {
    for (const Memory& counter : acknowledged_) counters_.wait(stream(), counter.get(), round_);
  }
  void start() override {
    ++round_;
    for (const MappedMemory& target : targets_) counters_.write(stream(), target.get(), round_);
  }
  void finish() override {
    for (const Memory& arrival : arrivals_) counters_.wait(stream(), arrival.get(), round_);
  }
  void release() override {
    for (const MappedMemory& reply : replies_) counters_.write(stream(), reply.get(), round_);
  }

 private:
  CUstream_st* stream() const { return executor_.stream(Lane::exchange); }

  Memory buffer(Index bytes) const {
    Memory memory = executor_.allocate(static_cast<std::size_t>(peer_buffer_bytes(bytes)));
    const std::uint32_t zero = 0;
    executor_.fill({memory.get(), {1, 1, peer_buffer_header / 4}, {0, 0, 4}}, &zero, 4,
                   Lane::exchange);
    return memory;
  }

  const Communicator& communicator_;
  cuda::CudaExecutor& executor_;
  StreamCounters counters_;
  std::uint32_t round_ = 0;
  std::set<int> peers_;
  int farewell_ = 0;
  std::vector<Memory> arrivals_, acknowledged_;  ///< memory of this rank, to which other ranks
                                                 ///< write
  std::vector<MappedMemory> targets_, replies_;  ///< memory of other ranks, to which this rank
                                                 ///< writes
};

/// Returns whether every rank can map GPU memory of every other rank. This is not possible for
/// processes of one host that run in separate containers.
bool maps_all(const Communicator& communicator) {
  void* own = nullptr;
  cudaIpcMemHandle_t handle{};
  int maps = cudaMalloc(&own, peer_buffer_header) == cudaSuccess &&
             cudaIpcGetMemHandle(&handle, own) == cudaSuccess;
  MPI_Allreduce(MPI_IN_PLACE, &maps, 1, MPI_INT, MPI_MIN, communicator.handle());
  if (maps == 1) {
    std::vector<cudaIpcMemHandle_t> all(static_cast<std::size_t>(communicator.size()));
    MPI_Allgather(&handle, sizeof handle, MPI_BYTE, all.data(), sizeof handle, MPI_BYTE,
                  communicator.handle());
    for (int rank = 0; rank < communicator.size(); ++rank) {
      void* mapped = nullptr;
      if (rank == communicator.rank()) continue;
      if (cudaIpcOpenMemHandle(&mapped, all[static_cast<std::size_t>(rank)],
                               cudaIpcMemLazyEnablePeerAccess) == cudaSuccess)
        cudaIpcCloseMemHandle(mapped);
      else
        maps = 0;
    }
    // no rank may free its memory while another rank has mapped it
    MPI_Allreduce(MPI_IN_PLACE, &maps, 1, MPI_INT, MPI_MIN, communicator.handle());
  }
  cudaFree(own);
  (void)cudaGetLastError();  // clears the error: the next launch would report it otherwise
  return maps == 1;
}

}  // namespace

PeerTransport::PeerTransport(const Communicator& communicator, cuda::CudaExecutor& executor)
    : communicator_(communicator), executor_(executor) {}

bool PeerTransport::reaches_all(const Communicator& communicator,
                                const cuda::CudaExecutor& executor) {
  char bus[32] = {};
  cudaDeviceGetPCIBusId(bus, sizeof bus, executor.device());
  std::vector<char> all(sizeof bus * static_cast<std::size_t>(communicator.size()));
  MPI_Allgather(bus, sizeof bus, MPI_CHAR, all.data(), sizeof bus, MPI_CHAR, communicator.handle());
  int reaches = 1;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    if (rank == communicator.rank()) continue;
    int other = 0, can = 0;
    // a device that this process does not see (one GPU per task) cannot be mapped
    if (cudaDeviceGetByPCIBusId(&other, &all[sizeof bus * static_cast<std::size_t>(rank)]) !=
            cudaSuccess ||
        cudaDeviceCanAccessPeer(&can, executor.device(), other) != cudaSuccess || can == 0)
      reaches = 0;
  }
  (void)cudaGetLastError();
  MPI_Allreduce(MPI_IN_PLACE, &reaches, 1, MPI_INT, MPI_MIN, communicator.handle());
  return reaches == 1 && maps_all(communicator);
}

std::unique_ptr<Channel> PeerTransport::open(const std::vector<Parcel>& sends,
                                             const std::vector<Parcel>& receives, int tag) {
  return std::make_unique<PeerChannel>(communicator_, executor_, sends, receives, tag);
}

}  // namespace stencil
