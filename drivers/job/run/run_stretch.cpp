#include "drivers/job/run/run_stretch.hpp"

#include <optional>

#include "drivers/job/report/report.hpp"
#include "drivers/job/report/trace.hpp"
#include "drivers/job/run/run.hpp"

namespace stencil {
namespace {

SampleCost short_samples(SampleCost cost) {
  cost.seconds = 0.06;
  return cost;
}

/// Predicts the time of a run that is long or has a report; returns std::nullopt for other runs.
/// The prediction takes less time than that of --check.
std::optional<Prediction> predict_run(const Session& session, const Plan& plan,
                                      const Config& config, SampleCost cost) {
  if (config.report.empty() && !is_worth_predicting(plan)) return std::nullopt;
  return predict(session, plan, short_samples(cost), plan.is_in_windows());
}

RunEnd end_of(const PlannedStretch& stretch, const RunSummary& summary) {
  const Plan& plan = stretch.plan;
  RunEnd end;
  end.output = plan.output.file;
  end.dataset = plan.output.dataset;
  end.shape = summary.output.dims;
  end.steps = summary.ended_at.value_or(plan.steps_in_all());
  end.seconds = summary.seconds_total;
  end.report = report_json(plan, summary, stretch.device_facts);
  end.lines = closing_lines(plan, summary);
  return end;
}

}  // namespace

void run_stretch(Session& session, const PlannedStretch& stretch, const JobContext& context,
                 CheckpointFiles* checkpoints) {
  const Config& config = stretch.config;
  const Plan& plan = stretch.plan;
  const Communicator& communicator = session.communicator();
  const auto prediction = predict_run(session, plan, config, stretch.cost);
  std::optional<StoragePrediction> storage;
  if (is_worth_trying_storage(plan)) storage = predict_storage(session, plan, stretch.cost);
  const auto computing =
      storage && !prediction
          ? predict(session, plan, short_samples(stretch.cost), plan.is_in_windows())
          : prediction;
  const bool traces = !config.trace.empty();
  std::optional<SpanLog> log;
  if (traces) communicator.barrier();  // the time axes of all ranks start at the same time
  if (traces) log.emplace(most_spans);
  RunSummary summary = run_plan(session, plan, context, checkpoints);
  const std::string trace = traces ? gather_trace(communicator, *log, stretch.device_facts) : "";
  summary.prediction = computing;
  summary.storage = storage;
  const RunEnd end = communicator.rank() == 0 ? end_of(stretch, summary) : RunEnd{};
  context.listener.end(end);
  // every rank has this object, because all ranks wait for the report
  const SideWriting writes_report(context.listener);
  communicator.agree([&] {
    if (stretch.report) stretch.report->write(end.report, plan.output.file);
    if (stretch.trace) stretch.trace->write(trace, plan.output.file);
  });
}

}  // namespace stencil
