#include "drivers/job/resume/resume.hpp"

#include <fmt/core.h>

#include "drivers/job/resume/resume_snapshots.hpp"
#include "drivers/job/resume/resume_windows.hpp"
#include "drivers/plan/make/checkpoint_plan.hpp"
#include "drivers/plan/split/remaining.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/output/output_file.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/resume/checkpoint_file.hpp"
#include "io/write/resume/checkpoint_names.hpp"

namespace stencil {
namespace {

constexpr const char* instead =
    "write run.restart = never to start from the beginning, or name another run.checkpoint";

void require_same_run(const Problem& problem, const Checkpoint& checkpoint) {
  if (checkpoint.record.snapshots.has_value() != problem.output.snapshots.has_value())
    throw WordsError(fmt::format(
        "the checkpoint {} is of another run, which wrote {}snapshots "
        "(output.snapshot_every): {}",
        one_line(checkpoint.points.file), problem.output.snapshots ? "no " : "", instead));
  const std::string differs = difference(checkpoint.record.words, problem.checkpoint->words);
  if (!differs.empty())
    throw WordsError(fmt::format("the checkpoint {} is of another run: {}: {}",
                                 one_line(checkpoint.points.file), differs, instead));
  const Index steps = checkpoint.record.steps_done;
  if (steps < 1 || steps >= problem.chain.steps())
    throw StorageError(fmt::format("the checkpoint {} says that {} of {} steps are done: {}",
                                   one_line(checkpoint.points.file), steps, problem.chain.steps(),
                                   instead));
}

/// Checks, before any work, that the folder is writable and that no other file would be
/// overwritten.
void check_place(const Problem& problem) {
  storage::require_short_name(storage::OutputPaths::of(problem.checkpoint->file).final);
  OutputSpec spec = checkpoint_of(problem, problem.checkpoint->file, {});
  spec.also_read = problem.output.also_read;
  std::erase(spec.also_read, problem.checkpoint->file);
  spec.also_read.insert(spec.also_read.end(), problem.input.sources.begin(),
                        problem.input.sources.end());
  spec.also_read.push_back(problem.output.input.file);
  spec.also_read.push_back(problem.output.file);
  for (const char* of :
       {"", ".next", ".previous", ".windows", ".snapshots"}) {  // see CheckpointFiles
    spec.file = problem.checkpoint->file + of;
    try {
      check_output(spec);
    } catch (const Error& error) {
      // the message is about an output, and is adapted to a checkpoint
      const std::string words = checkpoint_words(error.what());
      if (error.status() == Status::words) throw WordsError(words);
      throw StorageError(words);
    }
  }
}

}  // namespace

Begun resume(const Communicator& communicator, const Problem& problem, Listener& listener) {
  if (!problem.checkpoint) return {problem, Fresh{}};
  communicator.agree([&] {
    if (communicator.rank() != 0) return;
    check_place(problem);
    require_own_record(snapshots_record(*problem.checkpoint));
    require_own_record(windows_record(*problem.checkpoint));
  });
  if (problem.checkpoint->restart == Restart::never) {
    communicator.agree([&] {
      if (communicator.rank() == 0)
        storage::require_own_checkpoints(storage::OutputPaths::of(problem.checkpoint->file).final);
    });
    return {problem, Fresh{}};
  }
  std::vector<std::string> passed_over;
  const auto found = find_checkpoint(communicator, problem.checkpoint->file, passed_over);
  if (!found) return {problem, Fresh{}};
  Problem rest;
  communicator.agree([&] {
    require_same_run(problem, *found);
    rest = remaining(problem, *found);
    const Point& shape = rest.chain.input_shape();
    if (!std::equal(shape.begin(), shape.end(), found->points.dims.begin()))
      throw StorageError(
          fmt::format("the checkpoint {} has another shape than the points have "
                      "after {} steps: {}",
                      one_line(found->points.file), found->record.steps_done, instead));
  });
  for (const std::string& why : passed_over) listener.note("skipped a checkpoint: " + why);
  Resumed resumed{
      found->points.file, found->record.steps_done, found->record.input, {}, found->record.lines};
  if (problem.output.snapshots) {
    std::string why;
    resumed.snapshots = find_snapshots(communicator, problem, *found, why);
    if (!resumed.snapshots) {
      listener.note(fmt::format("{}: starts from the beginning", why));
      return {problem, Fresh{}};
    }
  }
  listener.message(fmt::format("continues from {}: {} of {} steps are done", one_line(resumed.file),
                               resumed.steps_done, problem.chain.steps()));
  return {std::move(rest), std::move(resumed)};
}

}  // namespace stencil
