#include "drivers/plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "drivers/plan/amplification.hpp"
#include "drivers/plan/checkpoint_plan.hpp"
#include "drivers/plan/plan_channels.hpp"
#include "drivers/plan/plan_costs.hpp"
#include "drivers/plan/plan_output.hpp"
#include "drivers/plan/plan_stage.hpp"
#include "framework/grid/error.hpp"

namespace stencil {
namespace {

Precision precision_for(PrecisionRequest request, ElementType input) {
  if (request == PrecisionRequest::float32) return Precision::float32;
  if (request == PrecisionRequest::float64) return Precision::float64;
  // the 24-bit significand of float32 is much too short for 64-bit integers; float64 input stays
  // float64
  const bool wide =
      input == ElementType::float64 || input == ElementType::int64 || input == ElementType::uint64;
  return wide ? Precision::float64 : Precision::float32;
}

Decomposition decompose(const Config& config, const Chain& chain, Index batch_unit, int ranks) {
  const std::vector<Index>& words = config.run.decomposition;
  if (words.empty()) return choose_blocks(chain, ranks, batch_unit);
  const Point& shape = chain.input_shape();
  const std::string written = fmt::format("run.decomposition = {}", fmt::join(words, "x"));
  if (words.size() > axes)
    throw WordsError(fmt::format("{}: write at most three numbers, batch x y x x", written));
  Point grid{1, 1, 1};
  if (words.size() == 1) {
    // a single number: slabs along the outermost axis that has more than one point
    int axis = shape[batch_axis] == batch_unit ? y_axis : batch_axis;
    while (axis < x_axis && shape[axis] == 1) ++axis;
    grid[axis] = words[0];
  } else {
    std::copy(words.begin(), words.end(), grid.begin() + (axes - words.size()));
  }
  const Index blocks = points(grid);
  if (blocks != ranks)
    throw WordsError(
        fmt::format("{} makes {} blocks, but the job has {} ranks: write a product of {}, or "
                    "auto",
                    written, blocks, ranks, ranks));
  return {shape, grid, batch_unit};
}

/// `run.steps.jsonl` beside the report `run.json`; empty for a report of another name, which may be
/// a pipe.
std::string lines_beside(const std::string& report) {
  const std::string_view json = ".json";
  if (!report.ends_with(json)) return {};
  return report.substr(0, report.size() - json.size()) + ".steps.jsonl";
}

/// Only runs of repeated steps are looked at.
Watching watching_of(const Config& config) {
  Watching watching;
  for (const StageConfig& stage : config.stages)
    if (stage.steps > 1) watching.every = config.run.look_every;
  watching.nonfinite = config.run.nonfinite;
  watching.until = config.stages.back().until_change_below;
  watching.snapshot_every = config.output.snapshot_every;
  watching.time_step = config.run.time_step.value;
  watching.unit = config.run.time_step.unit;
  if (watching.every > 0) watching.lines = lines_beside(config.report);
  return watching;
}

}  // namespace

void stop_watching(Plan& plan) {
  if (plan.watching.every > 0)
    plan.notes.push_back(
        "the world goes through memory in windows, and its points are not looked at between the "
        "steps: run.nonfinite has no effect");
  plan.watching = {};
}

Plan make_plan(const Config& config, const DatasetFacts& facts, const MaskFiles& masks, int ranks,
               Backend backend) {
  Plan plan;
  plan.input = facts;
  plan.ranks = ranks;
  plan.chain.backend = backend;
  plan.chain.rung = config.run.kernel;
  plan.transport = config.run.transport;
  plan.chain.precision = precision_for(config.run.precision, facts.type);
  plan.missing = missing_points(config, facts);
  const bool is_given = std::holds_alternative<std::vector<ElementValue>>(config.missing.value);
  if (plan.missing && is_given) check_missing(*plan.missing, facts);
  const int rank = static_cast<int>(facts.dims.size());

  std::vector<double> rate = facts.sampling_rate;
  rate.resize(facts.dims.size(), 0);
  std::vector<std::string> source = facts.sampling_source;
  source.resize(facts.dims.size());
  for (std::size_t axis = 0; axis < rate.size() && config.input.sampling_rate > 0; ++axis) {
    source[axis] = rate[axis] > 0 && rate[axis] != config.input.sampling_rate
                       ? fmt::format("input.sampling_rate; {} says {}", source[axis], rate[axis])
                       : "input.sampling_rate";
    rate[axis] = config.input.sampling_rate;
  }
  std::vector<StageMask> stage_masks;
  std::vector<int> active;
  for (const StageConfig& stage : config.stages) {
    stage_masks.push_back(make_stage_mask(stage, rank, config.input.axis, rate, masks));
    const auto& along_axes = stage_masks.back().dataset_axes;
    const bool is_filter = stage.mask.family && stage.mask.family->needs_rate;
    plan.designed_for.emplace_back();
    if (is_filter) plan.designed_for.back() = {rate[along_axes[0]], source[along_axes[0]]};
    for (std::size_t i = 0; i < along_axes.size(); ++i) {
      active.push_back(along_axes[i]);
      rate[along_axes[i]] /=
          double(value_along(stage, "stride", stage.stride, i, along_axes.size()));
    }
  }
  std::sort(active.begin(), active.end());
  active.erase(std::unique(active.begin(), active.end()), active.end());
  check_channels(config, stage_masks, facts.dims);
  plan.input_form = NormalForm(facts.dims, active);

  Point shape = plan.input_form.shape();
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    plan.chain.stages.push_back(bind_stage(config.stages[i], stage_masks[i], plan.input_form, shape,
                                           config, plan.chain.precision, backend));
    for (int axis = 0; axis < axes; ++axis)
      shape[axis] = plan.chain.stages.back().sampling[axis].count;
  }
  const auto channels = channel_axis(plan);
  plan.output_form = channels ? mixed_form(plan.input_form, active, *channels, shape)
                              : plan.input_form.reshaped(shape);

  const Index batch_unit = channels ? facts.dims[*channels] : 1;
  split(plan.chain, Decomposition(plan.input_form.shape()));
  split(plan.chain, decompose(config, plan.chain, batch_unit, ranks));
  plan.output = output_spec(config, plan);
  plan.checkpoint = plan_checkpoint(config, plan);
  if (plan.checkpoint) plan.output.also_read.push_back(plan.checkpoint->file);
  plan.notes = notes_on(config, plan);
  for (const BoundStage& stage : plan.chain.stages)
    if (std::string note = amplification_note(stage); !note.empty())
      plan.notes.push_back(std::move(note));
  plan.watching = watching_of(config);
  count_costs(plan);
  return plan;
}

}  // namespace stencil
