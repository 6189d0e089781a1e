#include "framework/parallel/transport_mpi.hpp"

#include <algorithm>

namespace stencil {
namespace {

constexpr Index message_piece = Index{1} << 28;  // size of a message in bytes, because MPI counts
                                                 // are int

class MpiChannel : public Channel {
 public:
  MpiChannel(const Communicator& communicator, Executor& executor, bool device_buffers,
             const std::vector<Parcel>& sends, const std::vector<Parcel>& receives, int tag)
      : executor_(executor) {
    const auto add = [&](const Parcel& parcel, bool is_send) {
      const auto bytes = static_cast<std::size_t>(parcel.bytes);
      Memory buffer = device_buffers ? executor.allocate(bytes) : executor.allocate_shared(bytes);
      for (Index at = 0; at < parcel.bytes; at += message_piece) {
        const int count = static_cast<int>(std::min(message_piece, parcel.bytes - at));
        MPI_Request request = MPI_REQUEST_NULL;
        if (is_send)
          MPI_Send_init(buffer.get() + at, count, MPI_BYTE, parcel.peer, tag, communicator.handle(),
                        &request);
        else
          MPI_Recv_init(buffer.get() + at, count, MPI_BYTE, parcel.peer, tag, communicator.handle(),
                        &request);
        requests_.push_back(request);
      }
      return buffer;
    };
    for (const Parcel& parcel : receives) receives_.push_back(add(parcel, false));
    receive_requests_ = requests_.size();
    for (const Parcel& parcel : sends) sends_.push_back(add(parcel, true));
  }
  ~MpiChannel() override {
    int has_ended = 0;  // MPI may have been finalised before this object is destroyed
    MPI_Finalized(&has_ended);
    if (has_ended) return;
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
  }
  MpiChannel(const MpiChannel&) = delete;
  MpiChannel& operator=(const MpiChannel&) = delete;

  std::byte* send_buffer(std::size_t send) const override { return sends_[send].get(); }
  std::byte* receive_buffer(std::size_t receive) const override { return receives_[receive].get(); }

  void prepare() override {
    // the exchange lane may still unpack a receive buffer of the previous round
    if (receive_requests_ > 0) executor_.synchronize(Lane::exchange);
    start_all(0, receive_requests_);
  }
  void start() override {
    if (requests_.size() == receive_requests_) return;
    executor_.synchronize(Lane::exchange);
    start_all(receive_requests_, requests_.size());
  }
  void finish() override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }
  void release() override {}

 private:
  void start_all(std::size_t first, std::size_t last) {
    // requests are started in order, because the pieces of one parcel have the same tag and are
    // matched in the order in which they are started
    for (std::size_t k = first; k < last; ++k) MPI_Start(&requests_[k]);
  }

  Executor& executor_;
  std::vector<Memory> sends_, receives_;
  std::vector<MPI_Request> requests_;  ///< all receives, then all sends
  std::size_t receive_requests_ = 0;
};

}  // namespace

std::unique_ptr<Channel> MpiTransport::open(const std::vector<Parcel>& sends,
                                            const std::vector<Parcel>& receives, int tag) {
  return std::make_unique<MpiChannel>(communicator_, executor_, device_buffers_, sends, receives,
                                      tag);
}

}  // namespace stencil
