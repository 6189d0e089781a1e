#include "drivers/plan/make/make_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "drivers/plan/make/amplification.hpp"
#include "drivers/plan/make/axis_notes.hpp"
#include "drivers/plan/make/checkpoint_plan.hpp"
#include "drivers/plan/make/complex_rules.hpp"
#include "drivers/plan/make/compute_precision.hpp"
#include "drivers/plan/make/coordinate_units.hpp"
#include "drivers/plan/make/joint_weight.hpp"
#include "drivers/plan/make/lines_beside.hpp"
#include "drivers/plan/make/margins.hpp"
#include "drivers/plan/make/mask_axis.hpp"
#include "drivers/plan/make/plan_bank.hpp"
#include "drivers/plan/make/plan_channels.hpp"
#include "drivers/plan/make/plan_missing.hpp"
#include "drivers/plan/make/plan_output.hpp"
#include "drivers/plan/make/plan_stage.hpp"
#include "drivers/plan/make/split_axes.hpp"
#include "drivers/plan/make/stage_axes.hpp"
#include "drivers/plan/make/stage_notes.hpp"
#include "drivers/plan/make/values_per_axis.hpp"
#include "drivers/plan/predict/plan_costs.hpp"
#include "framework/grid/error.hpp"
#include "io/read/select.hpp"

namespace stencil {
namespace {

Decomposition decompose(const Config& config, const Chain& chain, int ranks) {
  const std::vector<Index>& words = config.run.decomposition;
  if (words.empty()) return choose_blocks(chain, ranks);
  const Point& shape = chain.input_shape();
  const std::string written = fmt::format("run.decomposition = {}", fmt::join(words, "x"));
  if (words.size() > axes)
    throw WordsError(fmt::format("{}: write at most three numbers, batch x y x x", written));
  Point grid{1, 1, 1};
  if (words.size() == 1) {
    // a single number: slabs along the outermost axis that has more than one point
    int axis = shape[batch_axis] == chain.batch_unit() ? y_axis : batch_axis;
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
  return {shape, grid, chain.batch_unit()};
}

/// Returns the checks between steps. Only runs with repeated steps have such checks.
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

/// Throws if the configuration needs the whole world between steps, which is not possible because
/// volumes are computed one after the other.
void check_volumes(const Config& config, const NormalForm& form, bool is_complex) {
  if (form.volumes() == 1) return;
  const auto refuse_key = [&](const std::string& key) {
    throw WordsError(fmt::format(
        "{}: {}: leave it out{}", key,
        is_complex ? "masks along three axes are computed for the real parts and then for the "
                     "imaginary parts of complex numbers"
                   : "with further axes, masks along three axes are computed for one volume after "
                     "the other",
        is_complex ? "" : ", or select a single volume"));
  };
  if (config.output.snapshot_every > 0) refuse_key("output.snapshot_every");
  if (!config.run.checkpoint.empty()) refuse_key("run.checkpoint");
  for (const StageConfig& stage : config.stages)
    if (stage.until_change_below) refuse_key("until_change_below");
}

/// The stages and their masks.
struct Stages {
  std::vector<StageConfig> words;
  std::vector<StageMask> masks;
};

/// Binds all stages to the problem's input.
/// @param crops  one element per stage; if empty, all outputs are computed
/// @returns the shape of the last stage's outputs
Point bind_stages(const Stages& stages, const Config& config,
                  const std::vector<std::array<Crop, axes>>& crops, Problem& problem) {
  Chain& chain = problem.chain;
  Point shape = problem.input_form.shape();
  chain.stages.clear();
  Index filters = 1;
  bool is_complex = problem.input.is_complex();
  for (std::size_t i = 0; i < stages.words.size(); ++i) {
    const StageConfig& asked = config.stages[std::min(i, config.stages.size() - 1)];
    StageMask mask = stages.masks[i];
    if (auto& rows = mask.latitudes)
      rows = at_inputs(*rows, problem.input, problem.input_form, chain.stages);
    chain.stages.push_back(bind_stage(stages.words[i], mask, problem.input_form, shape, config,
                                      chain.precision, chain.backend,
                                      crops.empty() ? std::array<Crop, axes>{} : crops[i], filters,
                                      asked.steps - stages.words[i].steps, is_complex));
    is_complex = is_complex || mask.imaginary;
    filters *= chain.stages.back().filters();
    for (int axis = 0; axis < axes; ++axis) shape[axis] = chain.stages.back().sampling[axis].count;
  }
  return shape;
}

NormalForm form_of(const DatasetFacts& input, const std::vector<int>& active,
                   const std::vector<int>& plane) {
  return {input.number_dims(), active, plane, input.is_complex()};
}

/// Returns the form of the outputs of complex taps.
NormalForm complex_form(const Problem& problem, const std::vector<int>& active,
                        const std::vector<int>& plane, Point shape) {
  if (problem.input.is_complex()) return problem.input_form.reshaped(shape);
  shape[batch_axis] /= 2;
  std::vector<Index> dims = problem.input_form.reshaped(shape).dims();
  dims.push_back(2);
  return {dims, active, plane, true};
}

/// Returns the number of parts of a complex number that follow each other along the batch axis.
Index batch_parts_of(const Problem& problem) {
  const std::vector<int>& batch = problem.input_form.dataset_axes(batch_axis);
  const bool has_parts = problem.input.is_complex() && !batch.empty() &&
                         batch.back() == static_cast<int>(problem.input.dims.size());
  return has_parts ? 2 : 1;
}

/// Adds to a selection the points beyond its ends that the masks read (input.edges = data), and
/// crops the outputs. On entry, the stages are bound to the selection itself. If points are added,
/// the stages are bound again.
/// @param shape  the shape of the outputs of the selection
/// @returns the shape of the cropped outputs
Point add_margins(const DatasetFacts& whole, Stages& stages, const std::vector<int>& active,
                  const std::vector<int>& plane, const Config& config, const Point& shape,
                  Problem& problem) {
  const auto all = with_margins(whole, problem.chain, problem.input_form);
  const auto widened = [&] {  // number of added points before the selection, along each normal axis
    Point before{};
    for (int axis = 0; axis < axes; ++axis)
      if (const int at = problem.input_form.active_axis(axis); at >= 0) {
        const auto i = static_cast<std::size_t>(at);
        before[axis] = (whole.wanted[i].first - all[i].first) / all[i].step;
      }
    return before;
  };
  if (all == whole.wanted) return shape;
  const StageConfig& last = config.stages.back();
  if (last.until_change_below || config.output.snapshot_every > 0)
    throw WordsError(
        fmt::format("input.edges = data: points beyond the selection are computed, too, and would "
                    "affect {}: write edges = boundary",
                    last.until_change_below ? "until_change_below" : "output.snapshot_every"));
  // the last step becomes a separate stage, because a crop is possible only for a single step
  if (last.steps > 1) {
    stages.words.back().steps -= 1;
    stages.words.push_back(stages.words.back());
    stages.words.back().steps = 1;
    stages.masks.push_back(stages.masks.back());
    problem.designed_for.push_back(problem.designed_for.back());
    problem.chain.stages.push_back(
        problem.chain.stages.back());  // used by crops_of(), then replaced by bind_stages()
  }
  const auto crops = crops_of(problem.chain, widened());
  problem.input = select(whole, all);
  problem.input_form = form_of(problem.input, active, plane);
  return bind_stages(stages, config, crops, problem);
}

}  // namespace

Problem make_problem(const Config& words, const DatasetFacts& facts, const MaskFiles& masks,
                     int ranks, Backend backend, const JobFacts& job) {
  Config config = words;
  resolve_axes(config, facts);
  split_axes(config, static_cast<int>(facts.dims.size()));
  const Config written = config;  // the configuration without the axes that are determined below
  Problem problem;
  problem.input = facts.wanted.empty() ? facts : select(facts, facts.wanted);
  problem.ranks = ranks;
  problem.chain.backend = backend;
  problem.transport = config.run.transport;
  problem.chain.precision = precision_for(config.run.precision, facts);
  problem.missing = missing_points(config, facts);
  const bool is_given = std::holds_alternative<std::vector<ElementValue>>(config.missing.value);
  if (problem.missing && is_given) check_missing(*problem.missing, facts);
  const int rank = static_cast<int>(facts.dims.size());

  std::vector<double> rate = facts.sampling_rate;
  rate.resize(facts.dims.size(), 0);
  problem.used_rate.assign(facts.dims.size(), 0);
  std::vector<std::string> source = facts.sampling_source;
  source.resize(facts.dims.size());
  for (std::size_t axis = 0; axis < facts.wanted.size(); ++axis)
    rate[axis] /= static_cast<double>(facts.wanted[axis].step);
  for (std::size_t axis = 0; axis < rate.size() && config.input.sampling_rate > 0; ++axis) {
    source[axis] = rate[axis] > 0 && rate[axis] != config.input.sampling_rate
                       ? fmt::format("input.sampling_rate; {} says {}", source[axis], rate[axis])
                       : "input.sampling_rate";
    rate[axis] = config.input.sampling_rate;
    if (!facts.wanted.empty()) rate[axis] /= static_cast<double>(facts.wanted[axis].step);
  }
  std::vector<Index> apart(facts.dims.size(), 1);
  for (std::size_t axis = 0; axis < facts.wanted.size(); ++axis)
    apart[axis] = facts.wanted[axis].step;
  Stages stages;
  std::vector<int> active;
  const MaskAxis automatic = mask_axis_of(facts);
  for (StageConfig& stage : config.stages) {
    const auto make = [&](const StageConfig& one) {
      return make_stage_mask(one, rank, config.input.axis, automatic.axis, rate, masks,
                             facts.remarks.empty() ? "" : facts.remarks.front());
    };
    stages.masks.push_back(make_mask_in_units(stage, {facts, apart, rate}, make));
    // so that the axis of latitudes is not merged with other axes
    if (const auto& rows = stages.masks.back().latitudes) active.push_back(rows->axis);
    const auto& along_axes = stages.masks.back().dataset_axes;
    const bool is_filter = stage.mask.family && stage.mask.family->needs_rate;
    problem.designed_for.emplace_back();
    if (is_filter) problem.designed_for.back() = {rate[along_axes[0]], source[along_axes[0]]};
    for (std::size_t i = 0; i < along_axes.size(); ++i) {
      const auto axis = static_cast<std::size_t>(along_axes[i]);
      if (config.input.sampling_rate > 0)
        problem.used_rate[axis] = config.input.sampling_rate;
      else if (is_filter && axis < facts.sampling_rate.size())
        problem.used_rate[axis] = facts.sampling_rate[axis];
      active.push_back(along_axes[i]);
      const Index stride = value_along(stage, "stride", stage.stride, i, along_axes.size());
      rate[axis] /= double(stride);
      apart[axis] = checked_multiply(apart[axis], stride);
    }
  }
  set_widest_masks(stages.masks, config, facts);
  stages.words = config.stages;
  if (write_mask_axes(stages.masks, facts.dims.size(), config)) problem.mask_axis = automatic;
  std::sort(active.begin(), active.end());
  active.erase(std::unique(active.begin(), active.end()), active.end());
  require_few_axes(active, stages.masks);
  check_complex(config, stages.masks, facts);
  check_channels(config, stages.masks, problem.input.dims);
  std::vector<int> plane = plane_of(config, stages.masks);
  const bool has_complex_taps =
      std::any_of(stages.masks.begin(), stages.masks.end(),
                  [](const StageMask& mask) { return mask.imaginary.has_value(); });
  check_complex_taps(config, stages.masks, active, facts);
  // the axis of the real and imaginary parts becomes a part of the batch axis
  if (has_complex_taps) plane = active;
  problem.input_form = form_of(problem.input, active, plane);
  problem.chain.batch_parts = batch_parts_of(problem);
  const std::vector<std::string> axis_notes = notes_on_axes(written, stages.masks, facts);
  check_volumes(config, problem.input_form, facts.is_complex());
  const Config asked = config;  // the stages as the user wrote them
  if (config.missing.joint) {
    join_weights(config, stages.masks, problem.designed_for, problem.input_form);
    stages.words = config.stages;
  }
  check_bank(config, stages.masks, problem.input_form);
  Point shape = bind_stages(stages, config, {}, problem);
  if (!facts.wanted.empty() && config.input.edges == Edges::data)
    shape = add_margins(facts, stages, active, plane, config, shape, problem);
  const auto channels = has_complex_taps ? std::nullopt : channel_axis(problem);
  shape[batch_axis] /= filters_of(problem.chain);
  problem.output_form = channels ? mixed_form(problem.input_form, active, *channels, shape)
                        : has_complex_taps ? complex_form(problem, active, plane, shape)
                                           : problem.input_form.reshaped(shape);

  split(problem.chain, Decomposition(problem.input_form.shape()));
  split(problem.chain, decompose(config, problem.chain, ranks));
  problem.output = output_spec(config, stages.masks, problem);
  for (const std::string& file : job.files_read) problem.output.also_read.push_back(file);
  if (config.missing.keep && problem.missing) problem.kept = kept_missing(facts, problem);
  for (const StageMask& mask : stages.masks)
    if (!mask.bank.empty()) problem.output.filters = FilterAxis{mask.rows};
  problem.checkpoint = plan_checkpoint(asked, problem);
  if (problem.checkpoint && problem.output.snapshots)
    problem.checkpoint->words = words_of_snapshots(asked, problem.checkpoint->words);
  if (problem.checkpoint && job.input_content)
    problem.checkpoint->words += fmt::format("content of the input={:016x}\n", *job.input_content);
  if (problem.checkpoint) problem.output.also_read.push_back(problem.checkpoint->file);
  for (const BoundStage& stage : problem.chain.stages)
    if (stage.rows) problem.notes.push_back(note_on_latitudes(stage, facts));
  for (std::string& note : notes_on(config, problem)) problem.notes.push_back(std::move(note));
  problem.notes.insert(problem.notes.end(), axis_notes.begin(), axis_notes.end());
  if (std::string note = note_on_parts(facts); !note.empty())
    problem.notes.push_back(std::move(note));
  for (std::string& note : notes_on_stages(config, problem, stages.masks, facts.dims))
    problem.notes.push_back(std::move(note));
  for (std::size_t i = 0; i < config.stages.size(); ++i)
    if (std::string note = amplification_note(problem.chain.stages[i]); !note.empty())
      problem.notes.push_back(std::move(note));
  if (const Watching watching = watching_of(config); problem.input_form.volumes() == 1)
    problem.watching = watching;
  else if (watching.every > 0)
    problem.notes.push_back(
        "volumes are computed one after the other, and their points are not inspected between the "
        "steps: run.nonfinite has no effect");
  count_costs(problem);
  return problem;
}

}  // namespace stencil
