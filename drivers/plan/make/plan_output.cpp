#include "drivers/plan/make/plan_output.hpp"

#include "drivers/config/mask_words.hpp"
#include "drivers/config/stage.hpp"
#include "drivers/plan/make/output_derivative.hpp"
#include "drivers/plan/make/output_numbers.hpp"
#include "drivers/plan/make/plan_channels.hpp"
#include "include/stencil/version.hpp"
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

/// Returns chunks of about 1 MiB for compressed output without a given chunk. Chunks contain inner
/// axes completely as far as possible.
std::vector<Index> default_chunk(const std::vector<Index>& dims, std::size_t element_size) {
  std::vector<Index> chunk(dims.size(), 1);
  Index room = (Index{1} << 20) / static_cast<Index>(element_size);
  for (std::size_t axis = dims.size(); axis-- > 0 && room > 1;) {
    chunk[axis] = std::min(dims[axis], room);
    room /= chunk[axis];
  }
  return chunk;
}

/// Sets the axis along which datasets were stacked. The metadata are those of the first dataset,
/// which lacks this axis.
void describe_stack(const Problem& problem, OutputSpec& spec) {
  StackedAxis axis{spec.sampling.front(), problem.input};
  if (!problem.input.selected.empty()) {  // the stack consists of the selected datasets
    axis.sampling.first -= problem.input.selected.front().first;
    axis.sampling.first /= problem.input.selected.front().step;
    axis.sampling.stride /= problem.input.selected.front().step;
  }
  spec.stacked = std::move(axis);
  spec.sampling.erase(spec.sampling.begin());
  if (!spec.used_rate.empty()) spec.used_rate.erase(spec.used_rate.begin());
  if (spec.derivative && spec.derivative->axis == 0)
    spec.derivative.reset();
  else if (spec.derivative)
    --spec.derivative->axis;
  spec.input = problem.input.described();
  spec.input.reads_values = problem.input.reads_values;
}

/// Returns the provenance attributes. The attributes contain neither ranks nor resources, because
/// the file must have the same bytes for any number of ranks. The report contains ranks and
/// resources.
std::map<std::string, std::string> provenance(const Config& config, const Problem& problem) {
  std::string methods, rates;
  for (std::size_t i = 0; i < problem.chain.stages.size(); ++i)
    if (const auto& rate = problem.designed_for[i])
      rates += fmt::format("{}{}: {} ({})", rates.empty() ? "" : "; ", problem.chain.stages[i].name,
                           rate->samples_per_unit, rate->source);
  const BoundStage* before = nullptr;
  for (const BoundStage& stage : problem.chain.stages) {
    // otherwise this stage is the last step of the stage before, see margins.hpp
    if (before == nullptr || before->name != stage.name)
      methods += fmt::format("{}{}: {}", methods.empty() ? "" : "; ", stage.name, stage.methods());
    before = &stage;
  }
  std::map<std::string, std::string> result{
      {"history",
       fmt::format("stencil_run {}: {} of {}", STENCIL_VERSION, methods, name_of(problem.input))},
      {"stencil_version", STENCIL_VERSION},
      {"stencil_configuration", config.canonical},
      {"stencil_method", methods}};
  if (!rates.empty()) result["stencil_sampling_rate"] = rates;
  return result;
}

/// Returns the axis of the snapshots for output.snapshot_every.
std::optional<SnapshotAxis> snapshot_axis(const Config& config, const Problem& problem) {
  const Index every = config.output.snapshot_every, steps = problem.chain.steps();
  if (every == 0) return std::nullopt;
  for (const BoundStage& stage : problem.chain.stages)
    if (stage.input.shape() != stage.output.shape() ||
        problem.input_form.dims() != problem.output_form.dims())
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

/// Returns notes on points that no file contains.
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

/// Returns a note if missing points have another number in the output than in the input.
std::string fill_note(const Problem& problem) {
  const auto& fill = problem.output.missing_value;
  if (!problem.missing || !fill || fill->is_nan() || problem.missing->values.empty()) return "";
  const ElementValue& before = problem.missing->values.front();
  if (*fill == before || before.is_nan()) return "";
  return fmt::format(
      "missing points are {} in the output, its _FillValue, as results may be {}, which is missing "
      "in the input",
      to_string(*fill), to_string(before));
}

}  // namespace

std::vector<AxisSampling> sampling_of_input(const Problem& problem) {
  std::vector<AxisSampling> result;
  for (std::size_t axis = 0; axis < problem.input.dims.size(); ++axis) {
    int normal = -1;  // normal axis of masks along this dataset axis, or -1
    for (const int of : {batch_axis, y_axis, x_axis})
      if (problem.input_form.active_axis(of) == static_cast<int>(axis)) normal = of;
    AxisSampling total = make_sampling(Extent::same, problem.input.dims[axis], 1, 0, 1);
    if (!problem.input.selected.empty()) {
      total.first = problem.input.selected[axis].first;
      total.stride = problem.input.selected[axis].step;
    }
    for (const BoundStage& stage : problem.chain.stages) {
      if (normal < 0) break;
      const AxisSampling& s = stage.sampling[normal];
      total.first = checked_add(total.first, checked_multiply(s.first, total.stride));
      total.stride = checked_multiply(total.stride, s.stride);
      total.count = s.count;
    }
    result.push_back(total);
  }
  if (const auto channels = channel_axis(problem))
    result[*channels] = make_block_sampling(1, problem.input.dims[*channels],
                                            problem.output_form.dims()[*channels]);
  return result;
}

OutputSpec output_spec(const Config& config, const std::vector<StageMask>& masks,
                       const Problem& problem) {
  OutputSpec spec;
  spec.file = config.output.file;
  spec.dataset = config.output.dataset.empty() ? problem.input.dataset : config.output.dataset;
  spec.form = problem.output_form;
  spec.type = config.output.dtype.value_or(problem.compute_type());
  spec.chunk = config.output.chunk;
  spec.gzip_level = config.output.gzip_level;
  spec.overwrite = config.output.overwrite;
  spec.verify = config.output.verify == Verification::all;
  spec.is_complex = problem.output_form.dims().size() > problem.input.dims.size();
  const std::vector<Index> dims = spec.form_dims();
  spec.snapshots = snapshot_axis(config, problem);
  if (!spec.chunk.empty() && spec.chunk.size() != dims.size())
    throw WordsError(fmt::format("output.chunk = {} has {} numbers, but {} has {} axes ({})",
                                 fmt::join(spec.chunk, "x"), spec.chunk.size(),
                                 spec.snapshots                  ? "a snapshot"
                                 : filters_of(problem.chain) > 1 ? "what a filter makes"
                                                                 : "the output",
                                 dims.size(), fmt::join(dims, "x")));
  for (std::size_t axis = 0; axis < spec.chunk.size(); ++axis)
    spec.chunk[axis] = std::min(spec.chunk[axis], dims[axis]);
  const bool may_end_early = spec.snapshots && spec.snapshots->may_end_early;
  if (spec.chunk.empty() && (spec.gzip_level > 0 || may_end_early))
    spec.chunk = default_chunk(dims, size_of(spec.type) * (spec.is_complex ? 2 : 1));
  if (spec.is_complex && !spec.chunk.empty()) spec.chunk.push_back(2);
  spec.input = problem.input;
  spec.copies_rest = config.output.copy == Copy::rest;
  spec.packed_attributes = !problem.input.reads_values && keeps_constants(problem);
  for (std::size_t i = 0; i < config.stages.size(); ++i)
    spec.is_derivative |= differentiates(config.stages[i], problem.chain.stages[i]);
  spec.derivative = derivative_of(config, masks, problem);
  for (const StageConfig& stage : config.stages)
    for (const std::string& text : datasets_of(stage))
      spec.also_read.push_back(mask_location(text).file);
  spec.also_read.insert(spec.also_read.end(), problem.input.sources.begin(),
                        problem.input.sources.end());
  for (const DatasetFacts& mask : problem.input.validity) {
    spec.also_read.push_back(mask.file);
    spec.also_read.insert(spec.also_read.end(), mask.sources.begin(), mask.sources.end());
  }
  spec.packing = packing_of(config, problem);
  if (!spec.is_complex) spec.missing_value = missing_value_of(config, problem, spec);
  spec.sampling = sampling_of_input(problem);
  if (const auto axis = problem.input.joined_axis) {
    Index& first = spec.sampling[static_cast<std::size_t>(*axis)].first;
    first = checked_add(first, problem.input.joined_first);
  }
  spec.used_rate = problem.used_rate;
  if (is_stacked(problem.input)) describe_stack(problem, spec);
  if (config.stages.back().until_change_below) spec.steps_done = problem.chain.steps();
  spec.provenance = provenance(config, problem);
  return spec;
}

std::vector<std::string> notes_on(const Config& config, const Problem& problem) {
  std::vector<std::string> notes;
  const std::string dataset = one_line(problem.input.dataset);
  const auto& sentinels = problem.input.missing_values;
  const auto found = std::find_if(sentinels.begin(), sentinels.end(),
                                  [](const ElementValue& value) { return !value.is_nan(); });
  if (is_none(config.missing.value) && found != sentinels.end())
    notes.push_back(
        fmt::format("{} is a missing value of {} by its attributes and is treated as data: write "
                    "missing.value = "
                    "auto if such points are missing",
                    to_string(*found), dataset));
  const bool is_asked = std::holds_alternative<FromAttributes>(config.missing.value) ||
                        (config.missing.policy != MissingPolicy::propagate &&
                         config.missing.edges == BeyondEdges::boundary);
  if (!problem.input.missing_text.empty() &&
      !std::holds_alternative<std::vector<ElementValue>>(config.missing.value))
    notes.push_back(fmt::format(
        "the attribute {} of {} is a text and no number, so no point is missing by it: write {}",
        problem.input.missing_text, dataset,
        problem.input.is_complex()
            ? "missing.value = nan, and NaN into the dataset for missing points"
            : "missing.value = with that number"));
  else if (is_asked && !problem.missing && !is_none(config.missing.value))
    notes.push_back(fmt::format(
        "{} has no attribute _FillValue or missing_value, no valid range, and no nodata of "
        "ODIM_H5: no number is treated as missing",
        dataset));
  if (problem.input.is_unpacked())
    notes.push_back(fmt::format(
        "{} is packed: its values, number * {} + {}, are filtered, and boundary and fill values "
        "are among them; input.packed = stored filters the numbers as they are stored",
        dataset, problem.input.scale_factor, problem.input.add_offset));
  else if (problem.input.is_packed)
    notes.push_back(fmt::format(
        "{} is packed (scale_factor, add_offset): the numbers as they are stored are filtered, and "
        "boundary and fill values are among them{}",
        dataset,
        problem.output.packed_attributes || problem.output.packing
            ? ""
            : "; the taps do not sum to 1, so the output is not packed in that way and has neither "
              "attribute"));
  for (const std::string& remark : problem.input.remarks)
    notes.push_back(fmt::format("{}: no sampling rate and no times are taken from them", remark));
  if (std::string note = fill_note(problem); !note.empty()) notes.push_back(std::move(note));
  for (std::string& note : notes_on_gaps(problem.input)) notes.push_back(std::move(note));
  notes.insert(notes.end(), problem.input.join_notes.begin(), problem.input.join_notes.end());
  return notes;
}

}  // namespace stencil
