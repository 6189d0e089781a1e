#include "framework/parallel/cuda/transport_nccl.hpp"

#include <fmt/format.h>
#include <nccl.h>

#include <exception>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

void check(ncclResult_t status, const char* what) {
  if (status == ncclSuccess) return;
  throw MachineError(fmt::format("{}: NCCL says `{}`: use transport = peer or host", what,
                                 ncclGetErrorString(status)));
}

/// NCCL reports errors of work in progress, such as a lost connection, only when queried.
void check_on_the_way(ncclComm* nccl) {
  ncclResult_t status = ncclSuccess;
  check(ncclCommGetAsyncError(nccl, &status), "asking NCCL for errors");
  if (status != ncclInProgress) check(status, "exchanging halos");
}

class NcclChannel : public Channel {
 public:
  NcclChannel(const Communicator& communicator, cuda::CudaExecutor& executor, ncclComm* nccl,
              const std::vector<Parcel>& sends, const std::vector<Parcel>& receives)
      : communicator_(communicator),
        executor_(executor),
        nccl_(nccl),
        sends_(sends),
        receives_(receives) {
    const auto buffers = [&](const std::vector<Parcel>& parcels) {
      std::vector<Memory> result;
      for (const Parcel& parcel : parcels)
        result.push_back(executor.allocate(static_cast<std::size_t>(parcel.bytes)));
      return result;
    };
    send_buffers_ = buffers(sends);
    receive_buffers_ = buffers(receives);
  }

  std::byte* send_buffer(std::size_t send) const override { return send_buffers_[send].get(); }
  std::byte* receive_buffer(std::size_t receive) const override {
    return receive_buffers_[receive].get();
  }

  void prepare() override {}
  void start() override {
    // An error ends the job here and is not thrown: unwinding would free memory, and for this the
    // rank would have to wait for kernels that may be waiting for a dead rank.
    communicator_.or_abort([&] { send_and_receive(); });
  }
  // no wait is needed, because the receive is queued on the same lane as the work that follows
  void finish() override {}
  void release() override {}

 private:
  void send_and_receive() const {
    CUstream_st* stream = executor_.stream(Lane::exchange);
    check_on_the_way(nccl_);
    check(ncclGroupStart(), "sending halos");
    ncclResult_t status = ncclSuccess;
    const auto add = [&](ncclResult_t added) { status = status == ncclSuccess ? added : status; };
    for (std::size_t i = 0; i < sends_.size(); ++i)
      add(ncclSend(send_buffer(i), static_cast<std::size_t>(sends_[i].bytes), ncclInt8,
                   sends_[i].peer, nccl_, stream));
    for (std::size_t i = 0; i < receives_.size(); ++i)
      add(ncclRecv(receive_buffer(i), static_cast<std::size_t>(receives_[i].bytes), ncclInt8,
                   receives_[i].peer, nccl_, stream));
    add(ncclGroupEnd());  // must be called even if the group is incomplete
    check(status, "exchanging halos");
  }

  const Communicator& communicator_;
  cuda::CudaExecutor& executor_;
  ncclComm* nccl_;
  std::vector<Parcel> sends_, receives_;
  std::vector<Memory> send_buffers_, receive_buffers_;
};

ncclComm* connect(const Communicator& communicator) {
  ncclUniqueId id{};
  communicator.agree([&] {
    if (communicator.rank() == 0) check(ncclGetUniqueId(&id), "starting NCCL");
  });
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, communicator.handle());
  ncclComm* nccl = nullptr;
  // ncclCommInitRank is collective: if one rank fails, the others would wait forever
  communicator.or_abort([&] {
    check(ncclCommInitRank(&nccl, communicator.size(), id, communicator.rank()), "starting NCCL");
  });
  return nccl;
}

/// The NCCL communicator of all ranks of the job. NCCL needs a second or more to connect, so later
/// runs of a process reuse the first communicator. MPI_Finalize destroys this communicator.
struct Kept {
  ncclComm* nccl = nullptr;
  int device = 0;
};
Kept kept;

void drop_kept() {
  if (kept.nccl != nullptr) ncclCommAbort(kept.nccl);
  kept = {};
}

void keep(ncclComm* nccl, int device) {
  kept = {nccl, device};
  static int key = MPI_KEYVAL_INVALID;
  if (key != MPI_KEYVAL_INVALID) return;
  // MPI_Finalize begins by deleting the attributes of MPI_COMM_SELF
  MPI_Comm_create_keyval(
      MPI_COMM_NULL_COPY_FN,
      [](MPI_Comm, int, void*, void*) {
        if (kept.nccl != nullptr) ncclCommDestroy(kept.nccl);
        kept = {};
        return MPI_SUCCESS;
      },
      &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

bool holds_all_ranks(const Communicator& communicator) {
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(communicator.handle(), MPI_COMM_WORLD, &result);
  return result == MPI_CONGRUENT || result == MPI_IDENT;
}

}  // namespace

NcclTransport::NcclTransport(const Communicator& communicator, cuda::CudaExecutor& executor)
    : communicator_(communicator), executor_(executor) {
  const bool of_all = holds_all_ranks(communicator);
  const bool is_kept = of_all && kept.nccl != nullptr && kept.device == executor.device();
  if (communicator.sum(Index{is_kept}) == communicator.size()) {
    nccl_ = kept.nccl;
  } else {
    if (of_all) drop_kept();
    nccl_ = connect(communicator);
    if (of_all) keep(nccl_, executor.device());
  }
  executor.while_waiting([nccl = nccl_] { check_on_the_way(nccl); });
}

NcclTransport::~NcclTransport() {
  executor_.while_waiting({});
  const bool is_kept = nccl_ == kept.nccl;
  if (std::uncaught_exceptions() > 0) {
    // ncclCommDestroy waits for the other ranks, which may never call it if this rank has failed
    ncclCommAbort(nccl_);
    if (is_kept) kept = {};
  } else if (!is_kept) {
    ncclCommDestroy(nccl_);
  }
}

std::unique_ptr<Channel> NcclTransport::open(const std::vector<Parcel>& sends,
                                             const std::vector<Parcel>& receives, int) {
  return std::make_unique<NcclChannel>(communicator_, executor_, nccl_, sends, receives);
}

}  // namespace stencil
