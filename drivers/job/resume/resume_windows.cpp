#include "drivers/job/resume/resume_windows.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include "drivers/plan/make/checkpoint_plan.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/output_paths.hpp"

namespace stencil {

std::string windows_record(const CheckpointPlan& plan) {
  return storage::OutputPaths::of(plan.file).final + ".windows";
}

bool can_go_on(const RunWay& way, const UnfinishedOutput& unfinished) {
  const Windows* windows = std::get_if<Windows>(&way);
  return windows != nullptr && windows->unit > 0 && windows->axis == unfinished.axis;
}

std::shared_ptr<const UnfinishedOutput> find_unfinished(const Communicator& communicator,
                                                        const Problem& problem, Listener& listener,
                                                        bool may_remove) {
  if (!problem.checkpoint) return {};
  const std::string name = windows_record(*problem.checkpoint);
  // Removes the record, because the output that it describes is about to be overwritten.
  const auto begin_anew = [&] {
    if (may_remove && communicator.rank() == 0) ::unlink(name.c_str());
    return std::shared_ptr<const UnfinishedOutput>();
  };
  if (problem.checkpoint->restart == Restart::never) return begin_anew();
  std::string bytes;
  bool is_there = false, is_damaged = false;
  communicator.agree([&] {
    if (communicator.rank() > 0) return;
    std::optional<UnfinishedOutput> found;
    try {
      found = read_unfinished(name);
    } catch (const DamagedRecord&) {
      is_damaged = true;
      listener.note(fmt::format("{} is damaged: starts from the beginning", one_line(name)));
    }
    if (!found) return;
    const std::string differs = difference(found->words, words_of_output(problem));
    if (!differs.empty())
      throw WordsError(
          fmt::format("{} is of another run: {}: write run.restart = never to start from the "
                      "beginning, or name another run.checkpoint",
                      one_line(name), differs));
    bytes = serialize(*found);
    is_there = is_still_there(*found, problem.output.file);
    if (!is_there)
      listener.note(
          fmt::format("{}.part is not the file that {} describes: starts from the beginning",
                      one_line(problem.output.file), one_line(name)));
  });
  if (communicator.maximum(Index{is_damaged}) > 0) return begin_anew();
  if (communicator.maximum(Index{!bytes.empty()}) == 0) return {};
  if (communicator.maximum(Index{is_there}) == 0) return begin_anew();
  communicator.broadcast(bytes, 0);
  auto unfinished = std::make_shared<UnfinishedOutput>();
  bool is_whole = false;
  communicator.agree([&] {
    *unfinished = unfinished_from(bytes, name);
    is_whole = is_as_written(*unfinished, problem.output, communicator.rank(), communicator.size());
  });
  if (communicator.maximum(Index{!is_whole}) == 0) return unfinished;
  listener.note(
      fmt::format("the finished part of {}.part does not read back as it was written: starts from "
                  "the beginning",
                  one_line(problem.output.file)));
  return begin_anew();
}

}  // namespace stencil
