#include "drivers/job/run_stretch.hpp"

#include <cstdio>
#include <optional>

#include "drivers/job/report.hpp"
#include "drivers/job/run.hpp"
#include "framework/parallel/stop_request.hpp"

namespace stencil {
namespace {

SampleCost short_samples(SampleCost cost) {
  cost.seconds = 0.06;
  return cost;
}

/// The prediction before a run: only for long runs, and shorter than that of --check.
std::optional<Prediction> predict_run(const Session& session, const Plan& plan,
                                      const Config& config, SampleCost cost) {
  if (config.report.empty() && !is_worth_predicting(plan)) return std::nullopt;
  return predict(session, plan, short_samples(cost));
}

}  // namespace

void run_stretch(Session& session, const PlannedStretch& stretch, CheckpointFiles* checkpoints) {
  const Config& config = stretch.config;
  const Plan& plan = stretch.plan;
  const Communicator& communicator = session.communicator();
  const auto prediction = predict_run(session, plan, config, stretch.cost);
  std::optional<StoragePrediction> storage;
  if (is_worth_trying_storage(plan)) storage = predict_storage(session, plan, stretch.cost);
  const auto computing =
      storage && !prediction ? predict(session, plan, short_samples(stretch.cost)) : prediction;
  RunSummary summary = run_plan(session, plan, config.progress, checkpoints);
  summary.prediction = computing;
  summary.storage = storage;
  if (communicator.rank() == 0 && config.progress != ProgressStyle::none)
    std::fputs(closing_lines(plan, summary).c_str(), stderr);
  const SideWork writes_report;  // on every rank, since each waits for it
  communicator.agree([&] {
    if (stretch.report)
      stretch.report->write(report_json(plan, summary, stretch.device_facts), plan.output.file);
  });
}

}  // namespace stencil
