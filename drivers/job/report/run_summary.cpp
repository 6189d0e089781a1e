#include "drivers/job/report/run_summary.hpp"

#include <mpi.h>

#include <type_traits>

namespace stencil {
namespace {

std::vector<PartSeconds> of_all_ranks(const Communicator& communicator, const PartSeconds& own) {
  constexpr int count = sizeof own / sizeof(double);
  static_assert(std::is_standard_layout_v<PartSeconds>);
  std::vector<PartSeconds> all(static_cast<std::size_t>(communicator.size()));
  MPI_Allgather(&own, count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, communicator.handle());
  return all;
}

}  // namespace

void combine(const Communicator& communicator, RunSummary& summary) {
  summary.rank_seconds = of_all_ranks(
      communicator, {summary.seconds_read, summary.seconds_memory, summary.seconds_exchange,
                     summary.seconds_compute, summary.seconds_write, summary.seconds_commit});
  summary.bytes_sent = communicator.sum(summary.bytes_sent);
  summary.missing_in = communicator.sum(summary.missing_in);
  for (double& seconds : summary.stage_seconds) seconds = communicator.maximum(seconds);
  for (std::size_t i = 0; i < stations; ++i) {
    summary.stations_busy[i] = communicator.maximum(summary.stations_busy[i]);
    summary.stations_waiting[i] = communicator.maximum(summary.stations_waiting[i]);
  }
  for (double* seconds :
       {&summary.seconds_total, &summary.seconds_read, &summary.seconds_memory,
        &summary.seconds_exchange, &summary.seconds_compute, &summary.seconds_write,
        &summary.seconds_commit, &summary.seconds_checkpoints})
    *seconds = communicator.maximum(*seconds);
}

}  // namespace stencil
