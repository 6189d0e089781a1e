#include "drivers/job/run_inputs.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "drivers/job/plan_stretch.hpp"
#include "drivers/job/progress.hpp"
#include "drivers/job/run_files.hpp"
#include "drivers/job/run_stretch.hpp"
#include "drivers/pipeline/session.hpp"
#include "framework/device/device_facts.hpp"
#include "framework/grid/one_line.hpp"
#include "framework/parallel/stop_request.hpp"

namespace stencil {
namespace {

void note_fewer_threads(int threads) {
  const char* asked = std::getenv("OMP_NUM_THREADS");
  if (asked != nullptr && std::strtol(asked, nullptr, 10) > threads)
    tell_progress(
        fmt::format("note: OMP_NUM_THREADS = {} is more than four for each processor: {} "
                    "threads compute",
                    shortened(asked), threads));
}

}  // namespace

void run_inputs(const Communicator& communicator, JobInputs& inputs) {
  share(communicator, inputs);
  const Config& config = inputs.config;
  communicator.agree([&] {
    if (communicator.rank() == 0) check_files(inputs);
  });
  if (!config.run.checkpoint.empty() && !config.check) set_status_of_signals(Status::stopped);
  Session session(communicator.handle(),
                  {.backend = config.run.backend, .transport = config.run.transport});
  const bool may_tell = communicator.rank() == 0 && config.progress != ProgressStyle::none;
  if (session.backend() == Backend::cpu && config.run.backend == Backend::automatic && may_tell) {
    if (const std::string trouble = gpu_trouble(); !trouble.empty())
      tell_progress(fmt::format("computing without a GPU: {}", trouble));
  }
  std::optional<CheckpointFiles> checkpoints;
  std::vector<PlannedStretch> planned;
  for (std::size_t i = 0; i < inputs.stretches.size(); ++i)
    planned.push_back(plan_stretch(session, inputs, i, checkpoints));
  if (config.check) return;
  if (may_tell) note_fewer_threads(session.node().threads);
  std::set<std::string> notes;  // that were told
  for (const PlannedStretch& stretch : planned) {
    if (may_tell && planned.size() > 1)
      tell_progress(fmt::format("stretch {} of {}: {}", &stretch - planned.data() + 1,
                                planned.size(), name_of(stretch.plan.input)));
    for (const std::string& note : stretch.plan.notes)
      if (may_tell && notes.insert(note).second) tell_progress(fmt::format("note: {}", note));
    run_stretch(session, stretch, checkpoints ? &*checkpoints : nullptr);
    if (&stretch != &planned.back()) end_on_signals_again();
  }
}

}  // namespace stencil
