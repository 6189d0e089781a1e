#include "drivers/job/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "drivers/pipeline/kernel_of.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/output_file.hpp"

namespace stencil {
namespace {

using Json = nlohmann::ordered_json;

/// Computing time in seconds: measured and, if there is a prediction, predicted.
Json seconds_json(double actual, std::optional<double> predicted) {
  Json json = {{"actual", actual}};
  if (predicted) {
    json["predicted"] = *predicted;
    json["actual_over_predicted"] = actual / *predicted;
  }
  return json;
}

/// Extents of what is asked for, without what masks reach beyond a selection.
std::vector<Index> shape_of(const DatasetFacts& input) {
  if (input.wanted.empty()) return input.dims;
  std::vector<Index> shape;
  for (const AxisSelection& axis : input.wanted) shape.push_back(axis.count);
  return shape;
}

/// All that are read, virtual sources, too, each once.
std::vector<std::string> files_of(const DatasetFacts& input) {
  std::vector<std::string> files{input.file};
  std::set<std::string> known{input.file};
  for (const std::string& file : input.sources)
    if (known.insert(file).second) files.push_back(file);
  return files;
}

/// `[first, step, count]` per axis; empty: all.
Json selected_json(const DatasetFacts& input) {
  Json axes = Json::array();
  for (const AxisSelection& axis : input.wanted)
    axes.push_back({axis.first, axis.step, axis.count});
  return axes;
}

Json stage_json(const Plan& plan, const RunSummary& summary, std::size_t index) {
  const BoundStage& stage = plan.chain.stages[index];
  const auto& rate = plan.designed_for[index];
  const Taps& taps = stage.choice.mask.taps;
  const ChannelMask* channels = stage.channels ? &*stage.channels : nullptr;
  return {{"name", stage.name},
          {"method", stage.methods()},
          {"reason", stage.choice.reason},
          {"separability_error", stage.choice.error},
          {"taps", channels ? std::vector{channels->out, channels->in, taps.height, taps.width}
                            : std::vector{taps.height, taps.width}},
          {"filters", stage.filters()},
          {"groups", channels ? channels->groups : 1},
          {"sampling_rate", rate ? rate->samples_per_unit : 0.0},
          {"sampling_source", rate ? rate->source : ""},
          {"steps", stage.steps},
          {"steps_per_sweep", stage.steps_per_sweep},
          {"input_shape", stage.input.shape()},
          {"output_shape", stage.output.shape()},
          {"halo_low", stage.halo.low},
          {"halo_high", stage.halo.high},
          {"kernel", kernel_of(plan.chain, index)},
          {"compute_seconds",
           seconds_json(summary.stage_seconds[index],
                        summary.prediction ? std::optional(summary.prediction->stage_seconds[index])
                                           : std::nullopt)}};
}

Json windows_json(const Windows& windows, const RunSummary& summary) {
  Json json = {{"outputs", windows.outputs},       {"axis", windows.axis},
               {"at_a_time", windows.at_a_time},   {"threads_each", windows.threads},
               {"read_twice", windows.read_twice}, {"stations", Json::object()}};
  constexpr std::array<const char*, stations> names{"read", "compute", "write", "verify"};
  for (std::size_t i = 0; i < stations; ++i)
    json["stations"][names[i]] = {{"busy_seconds", summary.stations_busy[i]},
                                  {"waiting_seconds", summary.stations_waiting[i]}};
  return json;
}

/// `a; b; c and 4 more`, short enough for a terminal; the report lists all.
std::string some_of(const std::vector<std::string>& texts) {
  constexpr std::size_t most = 6;
  std::string joined;
  for (std::size_t i = 0; i < std::min(most, texts.size()); ++i)
    joined += (i > 0 ? "; " : "") + shortened(texts[i], 120);
  if (texts.size() > most)
    joined += fmt::format("; and {} more, which --report lists", texts.size() - most);
  return joined;
}

/// A note on points that are lost in the type of the output: of an integer one by rounding and
/// saturation, if they are not few; of float32 those that became infinite. Else empty.
std::string rounding_note(const Plan& plan, const OutputCounts& counts) {
  Index all = 1;
  for (const Index extent : counts.dims) all *= extent;
  if (plan.output.type == ElementType::float32) {
    if (counts.saturated == 0) return "";
    return fmt::format(
        "{} of {} points lay beyond the range of {} and became infinite: write output.dtype = "
        "float64",
        counts.saturated, all, to_string(plan.output.type));
  }
  if (counts.vanished + counts.saturated <= all / 1000) return "";
  return fmt::format(
      "of {} points of {} {} were not 0 and became 0, {} lay beyond the range and were cut off "
      "there: write output.dtype = float32, or {}",
      all, to_string(plan.output.type), counts.vanished, counts.saturated,
      !plan.output.packing                 ? "output.scale = SCALE OFFSET"
      : counts.vanished > counts.saturated ? "a smaller SCALE in output.scale"
                                           : "a larger SCALE in output.scale");
}

/// The plan's notes and those that result from the run.
std::vector<std::string> all_notes(const Plan& plan, const RunSummary& summary) {
  std::vector<std::string> notes = plan.notes;
  notes.insert(notes.end(), summary.notes.begin(), summary.notes.end());
  if (std::string note = rounding_note(plan, summary.output); !note.empty())
    notes.push_back(std::move(note));
  return notes;
}

}  // namespace

std::string closing_lines(const Plan& plan, const RunSummary& summary) {
  std::string text = fmt::format("progress: wrote {}:{}, {} {}\n", one_line(plan.output.file),
                                 one_line(plan.output.dataset), fmt::join(summary.output.dims, "x"),
                                 to_string(plan.output.type));
  text += fmt::format("progress: computed in {:.3g} s{}\n", summary.seconds_compute,
                      summary.prediction
                          ? fmt::format(" (predicted {:.3g} s)", summary.prediction->seconds())
                          : "");
  if (summary.prediction && summary.storage)
    text += fmt::format("progress: took {:.3g} s (predicted {:.3g} s)\n", summary.seconds_total,
                        whole_seconds(plan, *summary.prediction, *summary.storage));
  for (const std::string& note : summary.notes) text += fmt::format("progress: note: {}\n", note);
  if (const std::string note = rounding_note(plan, summary.output); !note.empty())
    text += fmt::format("progress: note: {}\n", note);
  else if (summary.output.saturated > 0)
    text += fmt::format("progress: {} points lay beyond {} and were cut off there\n",
                        summary.output.saturated, to_string(plan.output.type));
  if (summary.output.missing > 0)
    text += fmt::format("progress: {} points are missing (NaN), {} were in the input\n",
                        summary.output.missing, summary.missing_in);
  if (!summary.output.skipped.empty())
    text += fmt::format("progress: note: not carried over: {}\n", some_of(summary.output.skipped));
  return text;
}

std::string report_json(const Plan& plan, const RunSummary& summary,
                        const std::string& device_facts) {
  Json report;
  report["program"] = "stencil_run";
  report["version"] = STENCIL_VERSION;
  report["configuration"] = plan.output.provenance.at("stencil_configuration");
  const DatasetFacts& input = plan.output.input;  // also of a run that goes on from a checkpoint
  report["input"] = {{"file", input.file},
                     {"files", files_of(input)},
                     {"dataset", input.dataset},
                     {"shape", shape_of(input)},
                     {"selected", selected_json(input)},
                     {"dtype", to_string(input.type)},
                     {"missing_points", summary.missing_in},
                     {"bytes", plan.bytes_read}};
  report["output"] = {{"file", plan.output.file},
                      {"dataset", plan.output.dataset},
                      {"shape", summary.output.dims},
                      {"dtype", to_string(plan.output.type)},
                      {"missing_points", summary.output.missing},
                      {"saturated_points", summary.output.saturated},
                      {"vanished_points", summary.output.vanished},
                      {"not_carried_over", summary.output.skipped},
                      {"bytes", summary.output.bytes}};
  report["notes"] = all_notes(plan, summary);
  if (plan.resumed)
    report["resumed"] = {{"checkpoint", plan.resumed->file},
                         {"steps_done", plan.resumed->steps_done}};
  if (plan.resumed && plan.resumed->snapshots)
    report["resumed"]["snapshots_done"] = plan.resumed->snapshots->times.size();
  if (summary.checkpoints > 0)
    report["checkpoints"] = {{"written", summary.checkpoints},
                             {"seconds", summary.seconds_checkpoints}};
  if (plan.unfinished) report["resumed"] = {{"outputs_done", plan.unfinished->outputs()}};
  report["ranks"] = plan.ranks;
  report["blocks"] = plan.chain.stages.front().input.grid();
  report["backend"] = to_string(plan.chain.backend);
  report["transport"] = summary.transport;
  report["device"] = device_facts;
  report["precision"] = to_string(plan.compute_type());
  report["stages"] = Json::array();
  for (std::size_t i = 0; i < plan.chain.stages.size(); ++i)
    report["stages"].push_back(stage_json(plan, summary, i));
  if (plan.windows) report["windows"] = windows_json(*plan.windows, summary);
  if (!plan.passes.empty()) {
    report["passes"] = plan.passes.size();
    report["windows"] = windows_json(*plan.passes.front().windows, summary);
  }
  report["memory_per_rank_bytes"] = plan.memory_per_rank;
  report["halo_bytes_sent"] = summary.bytes_sent;
  report["points_computed"] = plan.points_out;
  report["steps_done"] = summary.ended_at.value_or(steps_in_all(plan));
  report["seconds"] = {{"total", summary.seconds_total},     {"read", summary.seconds_read},
                       {"memory", summary.seconds_memory},   {"exchange", summary.seconds_exchange},
                       {"compute", summary.seconds_compute}, {"write", summary.seconds_write},
                       {"commit", summary.seconds_commit}};
  if (summary.prediction && summary.storage)
    report["seconds_predicted"] = {
        {"total", whole_seconds(plan, *summary.prediction, *summary.storage)},
        {"read", summary.storage->read},
        {"compute", summary.prediction->seconds()},
        {"write", summary.storage->write},
        {"read_back", summary.storage->read_back}};
  if (summary.seconds_compute > 0)
    report["compute_gpoints_per_second"] = double(plan.points_out) / summary.seconds_compute / 1e9;
  // names in files need not be UTF-8
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace stencil
