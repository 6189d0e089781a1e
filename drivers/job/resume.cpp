#include "drivers/job/resume.hpp"

#include <fmt/core.h>

#include "drivers/job/resume_snapshots.hpp"
#include "drivers/job/resume_windows.hpp"
#include "drivers/plan/checkpoint_plan.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/output/output_file.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/resume/checkpoint_file.hpp"
#include "io/write/resume/checkpoint_names.hpp"

namespace stencil {
namespace {

constexpr const char* instead =
    "write run.restart = never to begin anew, or name another run.checkpoint";

void require_same_run(const Plan& plan, const Checkpoint& checkpoint) {
  if (checkpoint.record.snapshots.has_value() != plan.output.snapshots.has_value())
    throw WordsError(
        fmt::format("the checkpoint {} is of another run, which wrote {}snapshots "
                    "(output.snapshot_every): {}",
                    one_line(checkpoint.points.file), plan.output.snapshots ? "no " : "", instead));
  const std::string differs = difference(checkpoint.record.words, plan.checkpoint->words);
  if (!differs.empty())
    throw WordsError(fmt::format("the checkpoint {} is of another run: {}: {}",
                                 one_line(checkpoint.points.file), differs, instead));
  const Index steps = checkpoint.record.steps_done;
  if (steps < 1 || steps >= plan.chain.steps())
    throw StorageError(fmt::format("the checkpoint {} says that {} of {} steps are done: {}",
                                   one_line(checkpoint.points.file), steps, plan.chain.steps(),
                                   instead));
}

/// Before any work: the folder is writable, and no other file of the run would be overwritten.
void check_place(const Plan& plan) {
  storage::require_short_name(storage::OutputPaths::of(plan.checkpoint->file).final);
  OutputSpec spec = checkpoint_of(plan, plan.checkpoint->file, {});
  spec.also_read = plan.output.also_read;
  std::erase(spec.also_read, plan.checkpoint->file);
  spec.also_read.insert(spec.also_read.end(), plan.input.sources.begin(), plan.input.sources.end());
  spec.also_read.push_back(plan.output.input.file);
  spec.also_read.push_back(plan.output.file);
  for (const char* of :
       {"", ".next", ".previous", ".windows", ".snapshots"}) {  // see CheckpointFiles
    spec.file = plan.checkpoint->file + of;
    try {
      check_output(spec);
    } catch (const Error& error) {  // in the words of an output
      const std::string words = checkpoint_words(error.what());
      if (error.status() == Status::words) throw WordsError(words);
      throw StorageError(words);
    }
  }
}

}  // namespace

void resume(const Communicator& communicator, Plan& plan, Listener& listener) {
  if (!plan.checkpoint) return;
  communicator.agree([&] {
    if (communicator.rank() != 0) return;
    check_place(plan);
    require_own_record(snapshots_record(*plan.checkpoint));
    require_own_record(windows_record(*plan.checkpoint));
  });
  if (plan.checkpoint->restart == Restart::never) {
    communicator.agree([&] {
      if (communicator.rank() == 0)
        storage::require_own_checkpoints(storage::OutputPaths::of(plan.checkpoint->file).final);
    });
    return;
  }
  std::vector<std::string> passed_over;
  const auto found = find_checkpoint(communicator, plan.checkpoint->file, passed_over);
  if (!found) return;
  Plan rest;
  communicator.agree([&] {
    require_same_run(plan, *found);
    rest = resumed_plan(plan, *found);
    const Point& shape = rest.chain.input_shape();
    if (!std::equal(shape.begin(), shape.end(), found->points.dims.begin()))
      throw StorageError(
          fmt::format("the checkpoint {} has another shape than the points have "
                      "after {} steps: {}",
                      one_line(found->points.file), found->record.steps_done, instead));
  });
  for (const std::string& why : passed_over) listener.note("passed over: " + why);
  if (plan.output.snapshots) {
    std::string why;
    rest.resumed->snapshots = find_snapshots(communicator, plan, *found, why);
    if (!rest.resumed->snapshots) {
      listener.note(fmt::format("{}: begins anew", why));
      return;
    }
  }
  plan = rest;
  listener.message(fmt::format("goes on from {}: {} of {} steps are done",
                               one_line(plan.resumed->file), plan.resumed->steps_done,
                               plan.resumed->steps_done + plan.chain.steps()));
}

}  // namespace stencil
