#include "drivers/plan/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "drivers/pipeline/kernel_of.hpp"
#include "drivers/plan/plan_costs.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/write/output_paths.hpp"

namespace stencil {
namespace {

std::string in_units(Index bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = double(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 5) value /= 1024, ++unit;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, units[unit]);
}

std::string boundary_words(const BoundStage& stage) {
  std::string words;
  for (int axis = 0; axis < axes; ++axis) {
    if (stage.sampling[axis].width == 1) continue;
    const BoundaryRule rule = stage.boundary.rule[axis];
    if (stage.edge_fit && axis == stage.mask_axis) return "interp";
    words += fmt::format("{}{}", words.empty() ? "" : " ", to_string(rule));
    if (rule == BoundaryRule::constant) words += fmt::format(" {}", stage.boundary.value);
  }
  return words.empty() ? "none needed" : words;
}

/// `0.58 s`, with as many digits as a prediction is accurate to.
std::string in_seconds(double seconds) {
  return fmt::format("{:.3g} s", seconds);
}

std::string steps_words(const BoundStage& stage) {
  if (stage.steps == 1) return "1 step";
  return fmt::format("steps: {}, {} per sweep", stage.steps, stage.steps_per_sweep);
}

std::string describe_stage(const BoundStage& stage, const std::optional<DesignRate>& rate) {
  const Taps& taps = stage.choice.mask.taps;
  const std::string mask =
      stage.channels
          ? fmt::format(
                "{} -> {} channels{}, {}x{} taps", stage.channels->channels(), stage.channels->out,
                stage.channels->groups == 1 ? ""
                                            : fmt::format(" in {} groups", stage.channels->groups),
                taps.height, taps.width)
      : stage.choice.mask.rank == 1
          ? fmt::format("{} taps along {}", taps.height * taps.width, to_string(stage.mask_axis))
          : fmt::format("{}x{} taps", taps.height, taps.width);
  const std::string filters = stage.bank.empty() ? ""
                                                 : fmt::format("{} filter{} of ", stage.filters(),
                                                               stage.filters() == 1 ? "" : "s");
  std::string text = fmt::format(
      "  [{}] {}{}, {} ({})\n    {} -> {}, boundary {}, {}\n    halo low {} high {}\n", stage.name,
      filters, mask, stage.methods(), stage.choice.reason, to_string(stage.input.shape()),
      to_string(stage.output.shape()), boundary_words(stage), steps_words(stage),
      to_string(stage.halo.low), to_string(stage.halo.high));
  if (rate)
    text += fmt::format("    designed for {} samples per second ({})\n", rate->samples_per_unit,
                        rate->source);
  if (stage.choice.method == Method::separable)
    text += fmt::format("    {} within {:.1e} of the largest tap\n", to_string(stage.choice),
                        stage.choice.error);
  return text;
}

std::string describe_windows(const Plan& plan) {
  const Windows& windows = *plan.windows;
  return fmt::format(
      "windows of {} of {} outputs along {}, {}, as {}; {:.1f} % of the input is read twice\n",
      windows.outputs, plan.chain.output_shape()[windows.axis],
      to_string(static_cast<Axis>(windows.axis)),
      windows.unit > 0 ? fmt::format("{} at a time on each rank", windows.at_a_time)
                       : "one after the other",
      windows.is_needed ? "the world does not fit into memory at once"
                        : "this is faster than the world at once",
      100 * windows.read_twice);
}

/// Line on the ways that `method = auto` compared; none for a bank whose filters go different ways.
///
/// @param adds_per_second  multiply-adds, of all ranks together
std::string describe_alternatives(const BoundStage& stage, double adds_per_second) {
  const double outputs = double(points(stage.output.shape())) * double(stage.steps);
  std::string text;
  if (stage.is_mixed()) return text;
  for (const MethodCost& cost : stage.choice.costs)
    text += fmt::format("{}{} {}", text.empty() ? "    estimated " : ", ", cost.method,
                        in_seconds(cost.taps * outputs / adds_per_second));
  return text.empty() ? text : text + ", at the rate of multiply-adds measured now\n";
}

/// Line on reading and writing.
std::string describe_storage(const Plan& plan, const Measured& measured) {
  if (!measured.storage)
    return fmt::format("storage not predicted: {}\n",
                       !plan.passes.empty()    ? "points go through scratch files"
                       : plan.output.snapshots ? "snapshots are written while steps are computed"
                       : plan.output.gzip_level > 0
                           ? "how fast the output is packed depends on its values"
                           : "no memory, input or folder for a trial");
  const StoragePrediction& storage = *measured.storage;
  std::string text = fmt::format("storage {} of reading, {} of writing", in_seconds(storage.read),
                                 in_seconds(storage.write));
  if (plan.output.verify)
    text += fmt::format(", {} of reading back", in_seconds(storage.read_back));
  text += " predicted, each alone, from short runs on the file and in the output's folder now\n";
  if (measured.prediction)
    text += fmt::format("run     {} predicted in all\n",
                        in_seconds(whole_seconds(plan, *measured.prediction, storage)));
  return text;
}

/// Lines on the computing time: predicted from short runs of the stages, and the lower bound.
std::string describe_time(const Plan& plan, const Measured& measured) {
  const auto& limits = measured.limits;
  const auto& prediction = measured.prediction;
  std::string text =
      prediction ? fmt::format(
                       "time    {} of computing predicted, from short runs of the stages on all "
                       "ranks now\n",
                       in_seconds(prediction->seconds()))
                 : "time    not predicted: no memory for short runs of the stages\n";
  if (limits)
    text += fmt::format(
        "limit   {} of computing, if nothing but {}memory ({:.1f} GB/s) and multiply-adds ({:.0f} "
        "G/s, both measured now) took time\n",
        in_seconds(limit_seconds(plan, *limits)),
        plan.chain.backend == Backend::cuda ? "the GPUs' " : "",
        limits->copy_bytes_per_second / 1e9, limits->multiply_adds_per_second / 1e9);
  return text;
}

}  // namespace

namespace {

/// `[100:200:2, 0:60], read with 4 points before and 4 behind along axis 0`
std::string selection_words(const std::vector<AxisSelection>& wanted,
                            const std::vector<AxisSelection>& read) {
  std::vector<std::string> slices;
  std::string beyond;
  for (std::size_t axis = 0; axis < wanted.size(); ++axis) {
    const auto [first, step, count] = wanted[axis];
    slices.push_back(fmt::format("{}:{}{}", first, first + (count - 1) * step + 1,
                                 step == 1 ? "" : fmt::format(":{}", step)));
    const Index before = (first - read[axis].first) / step,
                behind = read[axis].count - count - before;
    if (before > 0 || behind > 0)
      beyond += fmt::format("{}{} points before and {} behind along axis {}",
                            beyond.empty() ? ", read with " : ", ", before, behind, axis);
  }
  return fmt::format("[{}]{}", fmt::join(slices, ", "), beyond);
}

}  // namespace

namespace {

/// `10 min`, `1000 steps`
std::string words_of(const CheckpointInterval& every) {
  if (every.steps > 0) return fmt::format("{} steps", every.steps);
  constexpr double minute = 60;
  return every.seconds < minute ? fmt::format("{} s", every.seconds)
                                : fmt::format("{:g} min", every.seconds / minute);
}

/// Line on what a run saves to go on from, and where.
std::string describe_checkpoint(const Plan& plan) {
  if (!plan.checkpoint) return "";
  const std::string file = one_line(storage::OutputPaths::of(plan.checkpoint->file).final);
  const std::string part = one_line(plan.output.file) + ".part";
  if (plan.windows && (plan.windows->unit == 0 || plan.output.gzip_level > 0))
    return fmt::format("saves   nothing, as {}: a run that is stopped begins anew\n",
                       plan.windows->unit == 0 ? "blocks of the output reach into several windows"
                                               : "the output is packed");
  if (plan.windows)
    return fmt::format("saves   what is done stays in {}, and {}.windows tells of it\n", part,
                       file);
  Index most = 0;
  for (const BoundStage& stage : plan.chain.stages)
    most = std::max(most, points(stage.input.shape()));
  return fmt::format(
      "saves   {}, {}{} each, of which the folder holds up to three, {}{}\n", file,
      plan.chain.stages.size() > 1 ? "up to " : "",
      in_units(checked_multiply(most, plan.compute_bytes())),
      plan.passes.empty() ? "every " + words_of(plan.checkpoint->every) : "after each pass",
      plan.output.snapshots ? fmt::format("; {} stays, and {}.snapshots tells of it", part, file)
                            : "");
}

}  // namespace

std::string describe(const Plan& plan, const std::string& device_facts, const Measured& measured) {
  const DatasetFacts& in = plan.input;
  const Decomposition& blocks = plan.chain.stages.front().input;
  std::string text =
      fmt::format("input   {}  {} {}, {}{}{}\n", name_of(in), fmt::join(in.dims, "x"),
                  to_string(in.type), in.layout, in.filters.empty() ? "" : " ", in.filters);
  if (!in.wanted.empty())
    text += fmt::format("select  {}\n", selection_words(in.wanted, in.selected));
  text += fmt::format(
      "output  {}:{}  {} {}{}{}{}\n", plan.output.file, plan.output.dataset,
      fmt::join(plan.output.dims(), "x"), to_string(plan.output.type),
      plan.output.chunk.empty()
          ? ", contiguous"
          : fmt::format(", chunks {}", fmt::join(plan.output.chunk_of_dims(), "x")),
      plan.output.gzip_level > 0 ? fmt::format(" gzip:{}", plan.output.gzip_level) : "",
      plan.output.packing ? fmt::format(", value = number * {} + {}", plan.output.packing->scale,
                                        plan.output.packing->offset)
                          : "");
  text +=
      fmt::format("compute {} as [batch, y, x] = {}, on {}: {}\n", to_string(plan.compute_type()),
                  to_string(plan.input_form.shape()), to_string(plan.chain.backend), device_facts);
  text += fmt::format("ranks   {} in blocks of {}, the first owns {} points{}\n", plan.ranks,
                      to_string(blocks.grid()), blocks.owned(0).points(),
                      blocks.blocks() < plan.ranks ? fmt::format("; {} ranks have nothing to do",
                                                                 plan.ranks - blocks.blocks())
                                                   : "");
  if (plan.mask_axis)
    text += fmt::format("axis    {} for 1D masks (input.axis = auto): {}\n", plan.mask_axis->axis,
                        plan.mask_axis->why);
  for (const std::string& note : plan.notes) text += fmt::format("note    {}\n", note);
  text += "stages\n";
  for (std::size_t i = 0; i < plan.chain.stages.size(); ++i) {
    const BoundStage& stage = plan.chain.stages[i];
    text += describe_stage(stage, plan.designed_for[i]);
    if (measured.limits)
      text += describe_alternatives(stage, measured.limits->multiply_adds_per_second);
    text += fmt::format("    kernel {}", kernel_of(plan.chain, i));
    if (measured.prediction)
      text += fmt::format(": {} predicted", in_seconds(measured.prediction->stage_seconds[i]));
    text += "\n";
  }
  text += fmt::format("memory  {} per rank{}\n", in_units(plan.memory_per_rank),
                      measured.device_bytes
                          ? fmt::format(", and {} of its GPU", in_units(*measured.device_bytes))
                          : "");
  if (plan.windows) text += describe_windows(plan);
  if (!plan.passes.empty()) {
    text += fmt::format("passes  {} over the files, of up to {} steps each; the first one in\n",
                        plan.passes.size(), plan.passes.front().chain.steps());
    text += describe_windows(plan.passes.front());
  }
  text += fmt::format("moves   {} read, {} written, up to {} of ghosts per rank\n",
                      in_units(plan.bytes_read), in_units(plan.bytes_written),
                      in_units(plan.halo_bytes));
  text += describe_checkpoint(plan);
  text += describe_time(plan, measured) + describe_storage(plan, measured);
  return text;
}

}  // namespace stencil
