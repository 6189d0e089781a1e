#include "drivers/plan/plan_output.hpp"

#include "drivers/config/mask_words.hpp"
#include "drivers/config/stage.hpp"
#include "drivers/plan/output_derivative.hpp"
#include "drivers/plan/output_numbers.hpp"
#include "drivers/plan/plan_channels.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/read/missing_points.hpp"
#include "io/read/stack.hpp"
#include "io/write/output_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

/// Chunks of about 1 MiB for compressed output without a given chunk: inner axes are whole as far
/// as they fit.
std::vector<Index> default_chunk(const std::vector<Index>& dims, std::size_t element_size) {
  std::vector<Index> chunk(dims.size(), 1);
  Index room = (Index{1} << 20) / static_cast<Index>(element_size);
  for (std::size_t axis = dims.size(); axis-- > 0 && room > 1;) {
    chunk[axis] = std::min(dims[axis], room);
    room /= chunk[axis];
  }
  return chunk;
}

/// Metadata are those of the first of stacked datasets, which lack the new axis.
void describe_stack(const Plan& plan, OutputSpec& spec) {
  StackedAxis axis{spec.sampling.front(), plan.input};
  if (!plan.input.selected.empty()) {  // its inputs are the datasets that are selected
    axis.sampling.first -= plan.input.selected.front().first;
    axis.sampling.first /= plan.input.selected.front().step;
    axis.sampling.stride /= plan.input.selected.front().step;
  }
  spec.stacked = std::move(axis);
  spec.sampling.erase(spec.sampling.begin());
  if (!spec.used_rate.empty()) spec.used_rate.erase(spec.used_rate.begin());
  if (spec.derivative && spec.derivative->axis == 0)
    spec.derivative.reset();
  else if (spec.derivative)
    --spec.derivative->axis;
  spec.input = plan.input.described();
  spec.input.reads_values = plan.input.reads_values;
}

/// Contains neither ranks nor resources: the file must be identical, byte for byte, for every
/// number of ranks. The report contains them.
std::map<std::string, std::string> provenance(const Config& config, const Plan& plan) {
  std::string methods, rates;
  for (std::size_t i = 0; i < plan.chain.stages.size(); ++i)
    if (const auto& rate = plan.designed_for[i])
      rates += fmt::format("{}{}: {} ({})", rates.empty() ? "" : "; ", plan.chain.stages[i].name,
                           rate->samples_per_unit, rate->source);
  const BoundStage* before = nullptr;
  for (const BoundStage& stage : plan.chain.stages) {
    if (before == nullptr || before->name != stage.name)  // else its last step, see margins.hpp
      methods += fmt::format("{}{}: {}", methods.empty() ? "" : "; ", stage.name, stage.methods());
    before = &stage;
  }
  std::map<std::string, std::string> result{
      {"history",
       fmt::format("stencil_run {}: {} of {}", STENCIL_VERSION, methods, name_of(plan.input))},
      {"stencil_version", STENCIL_VERSION},
      {"stencil_configuration", config.canonical},
      {"stencil_method", methods}};
  if (!rates.empty()) result["stencil_sampling_rate"] = rates;
  return result;
}

/// The axis of the snapshots that output.snapshot_every asks for.
std::optional<SnapshotAxis> snapshot_axis(const Config& config, const Plan& plan) {
  const Index every = config.output.snapshot_every, steps = plan.chain.steps();
  if (every == 0) return std::nullopt;
  for (const BoundStage& stage : plan.chain.stages)
    if (stage.input.shape() != stage.output.shape() ||
        plan.input_form.dims() != plan.output_form.dims())
      throw WordsError(fmt::format(
          "output.snapshot_every = {}: snapshots are of one shape from the input on, but [{}] "
          "makes "
          "{} of {}: run that stage by itself, before or after, or write snapshot_every = 0",
          every, stage.name, to_string(stage.output.shape()), to_string(stage.input.shape())));
  SnapshotAxis axis;
  axis.count = steps / every + 1 + (steps % every > 0 ? 1 : 0);
  axis.may_end_early = config.stages.back().until_change_below.has_value();
  axis.unit = config.run.time_step.unit;
  return axis;
}

/// Notes on points that are in no file.
std::vector<std::string> notes_on_gaps(const DatasetFacts& input) {
  std::vector<std::string> notes;
  const std::string fill = to_string(input.fill);
  if (input.filled_points > 0 && input.joined_axis)
    notes.push_back(fmt::format("the files leave out {} points along axis {}: they are {}",
                                input.filled_points, *input.joined_axis, fill));
  else if (input.filled_points > 0)
    notes.push_back(fmt::format("the sources of {} leave out {} points: they are {}",
                                one_line(input.dataset), input.filled_points, fill));
  if (input.unwritten == 0) return notes;
  const bool is_of_one =
      input.described().source_datasets.empty() && input.source_datasets.size() < 2;
  notes.push_back(fmt::format(
      "{} of the chunks of {} were never written: their points are the fill value{}",
      input.unwritten, name_of(input), is_of_one ? ", " + to_string(input.described().fill) : ""));
  return notes;
}

/// A note on missing points that are another number in the output than in the input.
std::string fill_note(const Plan& plan) {
  const auto& fill = plan.output.missing_value;
  if (!plan.missing || !fill || fill->is_nan() || plan.missing->values.empty()) return "";
  const ElementValue& before = plan.missing->values.front();
  if (*fill == before || before.is_nan()) return "";
  return fmt::format(
      "missing points are {} in the output, its _FillValue, as results may be {}, which is missing "
      "in the input",
      to_string(*fill), to_string(before));
}

}  // namespace

std::vector<AxisSampling> sampling_of_input(const Plan& plan) {
  std::vector<AxisSampling> result;
  for (std::size_t axis = 0; axis < plan.input.dims.size(); ++axis) {
    const int normal = plan.input_form.normal_axis(static_cast<int>(axis));
    const bool is_active = plan.input_form.active_axis(normal) == static_cast<int>(axis);
    AxisSampling total = make_sampling(Extent::same, plan.input.dims[axis], 1, 0, 1);
    if (!plan.input.selected.empty()) {
      total.first = plan.input.selected[axis].first;
      total.stride = plan.input.selected[axis].step;
    }
    for (const BoundStage& stage : plan.chain.stages) {
      if (!is_active) break;
      const AxisSampling& s = stage.sampling[normal];
      total.first = checked_add(total.first, checked_multiply(s.first, total.stride));
      total.stride = checked_multiply(total.stride, s.stride);
      total.count = s.count;
    }
    result.push_back(total);
  }
  if (const auto channels = channel_axis(plan))
    result[*channels] =
        make_block_sampling(1, plan.input.dims[*channels], plan.output_form.dims()[*channels]);
  return result;
}

OutputSpec output_spec(const Config& config, const Plan& plan) {
  OutputSpec spec;
  spec.file = config.output.file;
  spec.dataset = config.output.dataset.empty() ? plan.input.dataset : config.output.dataset;
  spec.form = plan.output_form;
  spec.type = config.output.dtype.value_or(plan.compute_type());
  spec.chunk = config.output.chunk;
  spec.gzip_level = config.output.gzip_level;
  spec.overwrite = config.output.overwrite;
  spec.verify = config.output.verify == Verification::all;
  const auto& dims = plan.output_form.dims();
  spec.snapshots = snapshot_axis(config, plan);
  if (!spec.chunk.empty() && spec.chunk.size() != dims.size())
    throw WordsError(fmt::format("output.chunk = {} has {} numbers, but {} has {} axes ({})",
                                 fmt::join(spec.chunk, "x"), spec.chunk.size(),
                                 spec.snapshots               ? "a snapshot"
                                 : filters_of(plan.chain) > 1 ? "what a filter makes"
                                                              : "the output",
                                 dims.size(), fmt::join(dims, "x")));
  for (std::size_t axis = 0; axis < spec.chunk.size(); ++axis)
    spec.chunk[axis] = std::min(spec.chunk[axis], dims[axis]);
  const bool may_end_early = spec.snapshots && spec.snapshots->may_end_early;
  if (spec.chunk.empty() && (spec.gzip_level > 0 || may_end_early))
    spec.chunk = default_chunk(dims, size_of(spec.type));
  spec.input = plan.input;
  spec.copies_rest = config.output.copy == Copy::rest;
  spec.packed_attributes = !plan.input.reads_values && keeps_constants(plan);
  for (std::size_t i = 0; i < config.stages.size(); ++i)
    spec.is_derivative |= differentiates(config.stages[i], plan.chain.stages[i]);
  spec.derivative = derivative_of(config, plan);
  for (const StageConfig& stage : config.stages)
    for (const std::string& text : datasets_of(stage))
      spec.also_read.push_back(mask_location(text).file);
  spec.also_read.insert(spec.also_read.end(), plan.input.sources.begin(), plan.input.sources.end());
  for (const DatasetFacts& mask : plan.input.validity) {
    spec.also_read.push_back(mask.file);
    spec.also_read.insert(spec.also_read.end(), mask.sources.begin(), mask.sources.end());
  }
  spec.packing = packing_of(config, plan);
  spec.missing_value = missing_value_of(config, plan, spec);
  spec.sampling = sampling_of_input(plan);
  if (const auto axis = plan.input.joined_axis) {
    Index& first = spec.sampling[static_cast<std::size_t>(*axis)].first;
    first = checked_add(first, plan.input.joined_first);
  }
  spec.used_rate = plan.used_rate;
  if (is_stacked(plan.input)) describe_stack(plan, spec);
  if (config.stages.back().until_change_below) spec.steps_done = plan.chain.steps();
  spec.provenance = provenance(config, plan);
  return spec;
}

std::vector<std::string> notes_on(const Config& config, const Plan& plan) {
  std::vector<std::string> notes;
  const std::string dataset = one_line(plan.input.dataset);
  const auto& sentinels = plan.input.missing_values;
  const auto found = std::find_if(sentinels.begin(), sentinels.end(),
                                  [](const ElementValue& value) { return !value.is_nan(); });
  if (is_none(config.missing.value) && found != sentinels.end())
    notes.push_back(fmt::format(
        "{} is a missing value of {} by its attributes and counts as data: write missing.value = "
        "auto if such points are missing",
        to_string(*found), dataset));
  const bool is_asked = std::holds_alternative<FromAttributes>(config.missing.value) ||
                        (config.missing.policy != MissingPolicy::propagate &&
                         config.missing.edges == BeyondEdges::boundary);
  if (!plan.input.missing_text.empty() &&
      !std::holds_alternative<std::vector<ElementValue>>(config.missing.value))
    notes.push_back(fmt::format(
        "the attribute {} of {} is a text and no number, so no point is missing by it: write "
        "missing.value = with that number",
        plan.input.missing_text, dataset));
  else if (is_asked && !plan.missing && !is_none(config.missing.value))
    notes.push_back(fmt::format(
        "{} has no attribute _FillValue or missing_value, no valid range, and no nodata of "
        "ODIM_H5: no number counts as missing",
        dataset));
  if (plan.input.is_unpacked())
    notes.push_back(fmt::format(
        "{} is packed: its values, number * {} + {}, are filtered, and boundary and fill values "
        "are among them; input.packed = stored filters the numbers as they are stored",
        dataset, plan.input.scale_factor, plan.input.add_offset));
  else if (plan.input.is_packed)
    notes.push_back(fmt::format(
        "{} is packed (scale_factor, add_offset): the numbers as they are stored are filtered, and "
        "boundary and fill values are among them{}",
        dataset,
        plan.output.packed_attributes || plan.output.packing
            ? ""
            : "; the taps do not sum to 1, so the output is not packed in that way and has neither "
              "attribute"));
  for (const std::string& remark : plan.input.remarks)
    notes.push_back(fmt::format("{}: no sampling rate and no times are taken from them", remark));
  if (std::string note = fill_note(plan); !note.empty()) notes.push_back(std::move(note));
  for (std::string& note : notes_on_gaps(plan.input)) notes.push_back(std::move(note));
  notes.insert(notes.end(), plan.input.join_notes.begin(), plan.input.join_notes.end());
  return notes;
}

}  // namespace stencil
