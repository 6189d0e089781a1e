#include "drivers/job/resume/resume_snapshots.hpp"

#include <fmt/core.h>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/output_paths.hpp"

namespace stencil {
namespace {

/// Reads the record of a checkpoint's snapshots. @returns the reason why the record cannot be used;
/// empty if it can be used
std::string look_for(const Problem& problem, const Checkpoint& checkpoint,
                     UnfinishedOutput& found) {
  const std::string record = snapshots_record(*problem.checkpoint);
  const std::string part = one_line(problem.output.file) + ".part";
  std::optional<UnfinishedOutput> all;
  try {
    all = read_unfinished(record);
  } catch (const DamagedRecord&) {
    return fmt::format("{} is damaged", one_line(record));
  }
  if (!all) return fmt::format("{} is gone", one_line(record));
  const std::optional<SnapshotsSaved>& saved = checkpoint.record.snapshots;
  const Index count =
      checkpoint.record.steps_done / std::max<Index>(1, problem.watching.snapshot_every) + 1;
  auto first = saved && saved->count == count ? first_snapshots(*all, count, problem.output)
                                              : std::optional<UnfinishedOutput>();
  if (!first || checksum_of_snapshots(*first) != saved->checksum)
    return fmt::format("{} is not the record of the snapshots of {}", one_line(record),
                       one_line(checkpoint.points.file));
  found = std::move(*first);
  found.counts = saved->counts;
  return look_at_part(found, problem.output.file) ? "" : part + " is gone";
}

}  // namespace

std::string snapshots_record(const CheckpointPlan& plan) {
  return storage::OutputPaths::of(plan.file).final + ".snapshots";
}

std::shared_ptr<const UnfinishedOutput> find_snapshots(const Communicator& communicator,
                                                       const Problem& problem,
                                                       const Checkpoint& checkpoint,
                                                       std::string& why) {
  std::string bytes;
  communicator.agree([&] {
    if (communicator.rank() > 0) return;
    UnfinishedOutput found;
    why = look_for(problem, checkpoint, found);
    if (why.empty()) bytes = serialize(found);
  });
  communicator.broadcast(bytes, 0);
  if (bytes.empty()) return {};
  auto snapshots = std::make_shared<UnfinishedOutput>();
  bool is_whole = false;
  communicator.agree([&] {
    *snapshots = unfinished_from(bytes, problem.output.file);
    is_whole = is_as_written(*snapshots, problem.output, communicator.rank(), communicator.size());
  });
  if (communicator.maximum(Index{!is_whole}) == 0) return snapshots;
  why = fmt::format("{}.part does not hold the snapshots that were written",
                    one_line(problem.output.file));
  return {};
}

}  // namespace stencil
