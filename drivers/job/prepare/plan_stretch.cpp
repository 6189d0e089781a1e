#include "drivers/job/prepare/plan_stretch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "drivers/job/prepare/check_stretch.hpp"
#include "drivers/job/prepare/memory_fit.hpp"
#include "drivers/job/prepare/stretches.hpp"
#include "drivers/job/resume/resume.hpp"
#include "drivers/job/resume/resume_windows.hpp"
#include "drivers/job/watch/step_lines.hpp"
#include "drivers/plan/describe/describe.hpp"
#include "drivers/plan/split/memory_available.hpp"
#include "io/write/output/output_file.hpp"
#include "kernels/cpu/convolve_cpu.hpp"

namespace stencil {
namespace {

/// Returns the limits on the cost of a prediction. The prediction may use all memory of the rank,
/// because the run has not allocated its memory yet.
SampleCost cost_of_samples(const Config& config, int ranks_on_node) {
  SampleCost cost;
  cost.bytes = std::min(cost.bytes, memory_available(config.run.memory, ranks_on_node));
  return cost;
}

/// Returns one line about the CPU or GPU on which this rank computes.
std::string facts_of(const Executor& executor, const DeviceShare& device) {
  if (executor.is_host()) return cpu_walk_facts();
  const std::size_t ranks = device.ranks.size();
  return executor.facts() + (ranks > 1 ? fmt::format(", shared by {} ranks", ranks) : "");
}

/// Returns the device on which this rank computes, and the ranks that share the device. Collective.
DeviceShare share_of_device(const Session& session) {
  std::string device_id;
  session.communicator().agree([&] { device_id = session.executor().device_id(); });
  return share_of_device(session.communicator(), device_id);
}

}  // namespace

PlannedStretch plan_stretch(const Session& session, const JobInputs& inputs, std::size_t index,
                            Listener& listener, std::optional<CheckpointFiles>& checkpoints) {
  const Communicator& communicator = session.communicator();
  PlannedStretch stretch{.config = config_of_stretch(inputs.config, index),
                         .device = share_of_device(session)};
  const Config& config = stretch.config;
  Problem problem;
  communicator.agree([&] {
    problem = problem_of_stretch(config, inputs, index, session.size(), session.backend());
    if (communicator.rank() != 0) return;
    if (!config.trace.empty())
      stretch.trace = std::make_unique<ReportFile>(config.trace, "--trace");
    if (config.report.empty()) return;
    stretch.report = std::make_unique<ReportFile>(config.report, "--report");
    if (!problem.watching.lines.empty()) require_own_lines(problem.watching.lines);
  });
  if (problem.checkpoint && !config.check)
    checkpoints.emplace(communicator, problem.checkpoint->file);
  Begun begun = resume(communicator, problem, listener);
  if (std::holds_alternative<Fresh>(begun.start))
    if (auto output = find_unfinished(communicator, begun.problem, listener, !config.check))
      begun.start = Unfinished{std::move(output)};
  stretch.plan =
      choose_way(session, config, stretch.device, std::move(begun.problem), std::move(begun.start));
  const Plan& plan = stretch.plan;
  communicator.agree([&] { stretch.device_facts = facts_of(session.executor(), stretch.device); });
  stretch.cost = cost_of_samples(config, session.node().ranks);
  if (config.check) check_stretch(session, stretch, listener);
  require_memory(session, config, stretch.device, plan);
  // Checks all outputs before the first one is written.
  if (inputs.stretches.size() > 1)
    communicator.agree([&] {
      if (communicator.rank() == 0) check_output(plan.output);
    });
  if (!config.check)
    communicator.agree([&] {
      if (communicator.rank() != 0) return;
      listener.planned({"", json_text(describe(plan, stretch.device_facts), -1)});
    });
  return stretch;
}

}  // namespace stencil
