#include "drivers/job/watch/window_stop.hpp"

#include <fmt/core.h>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

constexpr int tag = 75;  // no other message of the run uses this tag
// number for the time limit; it differs from every reason of a StopToken
constexpr int in_time = 1000;

}  // namespace

WindowStop::WindowStop(const Communicator& communicator, const std::optional<TimeLimit>& limit,
                       const JobContext& context)
    : communicator_(communicator),
      phase_(context),
      time_left_(limit, context.begun),
      looked_when_(MPI_Wtime()),
      has_heard_(static_cast<std::size_t>(communicator.size()), false) {}

void WindowStop::ask(int why) {
  if (why_ == 0) why_ = why;
  is_asked_ = true;
}

void WindowStop::look() {
  const double now = MPI_Wtime();
  const double of_a_window = now - looked_when_;
  looked_when_ = now;
  int own = phase_.take();
  if (communicator_.rank() == 0 && time_left_.is_over(2 * of_a_window + 1)) own = in_time;
  if (own != 0) {
    ask(own);
    if (!has_told_) {
      has_told_ = true;
      told_.resize(static_cast<std::size_t>(communicator_.size()), MPI_REQUEST_NULL);
      for (int rank = 0; rank < communicator_.size(); ++rank)
        if (rank != communicator_.rank())
          MPI_Isend(&why_, 1, MPI_INT, rank, tag, communicator_.handle(),
                    &told_[static_cast<std::size_t>(rank)]);
    }
  }
  int is_there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, communicator_.handle(), &is_there, &status);
  if (is_there == 0) return;
  int why = 0;
  MPI_Recv(&why, 1, MPI_INT, status.MPI_SOURCE, tag, communicator_.handle(), MPI_STATUS_IGNORE);
  has_heard_[static_cast<std::size_t>(status.MPI_SOURCE)] = true;
  ask(why);
}

std::string WindowStop::finish() {
  look();
  const int told = has_told_ ? 1 : 0;
  std::vector<int> all(static_cast<std::size_t>(communicator_.size()));
  MPI_Allgather(&told, 1, MPI_INT, all.data(), 1, MPI_INT, communicator_.handle());
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    if (rank == communicator_.rank() || all[r] == 0 || has_heard_[r]) continue;
    int why = 0;
    MPI_Recv(&why, 1, MPI_INT, rank, tag, communicator_.handle(), MPI_STATUS_IGNORE);
    ask(why);
  }
  MPI_Waitall(static_cast<int>(told_.size()), told_.data(), MPI_STATUSES_IGNORE);
  const auto why = static_cast<int>(communicator_.maximum(Index{why_}));
  if (why == 0) return {};
  was_in_time_ = why == in_time;
  return why == in_time ? fmt::format("before {}", time_left_.limit()) : by_whom(why);
}

void stop_in_vain(const Communicator& communicator, const std::string& why) {
  communicator.agree([&] {
    throw WordsError(
        fmt::format("stopped {}, in which nothing more could be done and saved: run it again with "
                    "a longer run.time_limit",
                    why));
  });
  throw Error(Status::bug, "the error of all ranks was not thrown");
}

void stop_unsaved(const Communicator& communicator, const std::string& why) {
  communicator.agree([&] {
    throw Error(Status::stopped,
                fmt::format("stopped {}: nothing is saved, because the run has no checkpoint: set "
                            "run.checkpoint to continue a run that was stopped",
                            why));
  });
  throw Error(Status::bug, "the error of all ranks was not thrown");
}

void stop_run(const Communicator& communicator, const std::string& why, const std::string& what) {
  communicator.agree([&] {
    throw Error(Status::stopped,
                fmt::format("stopped {}: {}: run it again to continue", why, what));
  });
  throw Error(Status::bug, "the error of all ranks was not thrown");
}

}  // namespace stencil
