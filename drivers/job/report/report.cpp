#include "drivers/job/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "drivers/plan/describe/describe.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/output/output_file.hpp"

namespace stencil {
namespace {

using Json = Description;

/// Adds the measured computing time, and its ratio to the predicted time if there is a prediction.
void add_seconds(double actual, Json& seconds) {
  seconds["actual"] = actual;
  if (seconds.contains("predicted"))
    seconds["actual_over_predicted"] = actual / seconds["predicted"].get<double>();
}

/// Adds the times of the stations to the description of the windows.
void add_stations(const RunSummary& summary, Json& windows) {
  for (std::size_t i = 0; i < stations; ++i)
    windows["stations"][name_of(Station{i})] = {{"busy_seconds", summary.stations_busy[i]},
                                                {"waiting_seconds", summary.stations_waiting[i]}};
}

/// Returns the seconds of each part as an array with one number for each rank.
Json by_rank(const std::vector<PartSeconds>& ranks) {
  Json parts;
  for (const PartSeconds& rank : ranks) {
    parts["read"].push_back(rank.read);
    parts["memory"].push_back(rank.memory);
    parts["exchange"].push_back(rank.exchange);
    parts["compute"].push_back(rank.compute);
    parts["write"].push_back(rank.write);
    parts["commit"].push_back(rank.commit);
  }
  return parts;
}

/// Returns the first texts of a list as a single text that is short enough for a terminal, such as
/// `a; b; c and 4 more`. The report lists all texts.
std::string some_of(const std::vector<std::string>& texts) {
  constexpr std::size_t most = 6;
  std::string joined;
  for (std::size_t i = 0; i < std::min(most, texts.size()); ++i)
    joined += (i > 0 ? "; " : "") + shortened(texts[i], 120);
  if (texts.size() > most)
    joined += fmt::format("; and {} more, which --report lists", texts.size() - most);
  return joined;
}

/// Returns a note on points beyond the range of a floating-point type, if at least one point became
/// infinite, or if many points became 0 or lost digits. @param all number of points, or of parts of
/// complex numbers
std::string note_on_range(const Plan& plan, const OutputCounts& counts, Index all) {
  if (counts.saturated == 0 && counts.vanished <= all / 1000) return "";
  const bool is_large = counts.saturated > 0;
  // bfloat16 has the range of float32
  const bool is_enough =
      size_of(plan.output.type) == 2 && !(is_large && plan.output.type == ElementType::bfloat16);
  const std::string type = type_name(plan.output.type, plan.output.is_complex);
  return fmt::format("{} of {} {} {}: write output.dtype = {}",
                     is_large ? counts.saturated : counts.vanished, all,
                     plan.output.is_complex ? "real and imaginary parts" : "points",
                     is_large ? "were beyond the range of " + type + " and became infinite"
                              : "were too small for " + type + " and became 0 or lost digits",
                     is_enough ? "float32" : "float64");
}

/// Returns a note if the type of the output loses information: an integer type rounds or saturates
/// more than a few points, or points are beyond the range of a floating-point type, see
/// note_on_range(). Otherwise returns an empty text.
std::string rounding_note(const Plan& plan, const OutputCounts& counts) {
  Index all = 1;
  for (const Index extent : counts.dims) all *= extent;
  if (plan.output.is_complex) all *= 2;  // the real and the imaginary part are counted separately
  if (is_floating(plan.output.type)) return note_on_range(plan, counts, all);
  if (counts.vanished + counts.saturated <= all / 1000) return "";
  return fmt::format(
      "of {} points of {} {} were not 0 and became 0, {} were beyond the range and were cut off: "
      "write output.dtype = float32, or {}",
      all, type_name(plan.output.type, plan.output.is_complex), counts.vanished, counts.saturated,
      !plan.output.packing                 ? "output.scale = SCALE OFFSET"
      : counts.vanished > counts.saturated ? "a smaller SCALE in output.scale"
                                           : "a larger SCALE in output.scale");
}

/// Returns the notes of the plan and of the run.
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
                                 type_name(plan.output.type, plan.output.is_complex));
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
    text +=
        fmt::format("progress: {} points were beyond {} and were cut off\n",
                    summary.output.saturated, type_name(plan.output.type, plan.output.is_complex));
  if (summary.output.missing > 0)
    text += fmt::format("progress: {} points are missing (NaN), {} were in the input\n",
                        summary.output.missing, summary.missing_in);
  if (!summary.output.skipped.empty())
    text += fmt::format("progress: note: not carried over: {}\n", some_of(summary.output.skipped));
  return text;
}

std::string report_json(const Plan& plan, const RunSummary& summary,
                        const std::string& device_facts) {
  Json report = describe(plan, device_facts);
  add_predictions(plan, summary.prediction, summary.storage, report);
  report["input"]["missing_points"] = summary.missing_in;
  Json& output = report["output"];
  output["shape"] = summary.output.dims;
  output["missing_points"] = summary.output.missing;
  output["saturated_points"] = summary.output.saturated;
  output["vanished_points"] = summary.output.vanished;
  output["not_carried_over"] = summary.output.skipped;
  output["bytes"] = summary.output.bytes;
  report["notes"] = all_notes(plan, summary);
  if (summary.checkpoints > 0)
    report["checkpoints"] = {{"written", summary.checkpoints},
                             {"seconds", summary.seconds_checkpoints}};
  report["transport"] = summary.transport;
  for (std::size_t i = 0; i < plan.chain.stages.size(); ++i)
    add_seconds(summary.stage_seconds[i], report["stages"][i]["compute_seconds"]);
  if (report.contains("windows")) add_stations(summary, report["windows"]);
  report["halo_bytes_sent"] = summary.bytes_sent;
  report["steps_done"] = summary.ended_at.value_or(plan.steps_in_all());
  report["seconds"] = {{"total", summary.seconds_total},     {"read", summary.seconds_read},
                       {"memory", summary.seconds_memory},   {"exchange", summary.seconds_exchange},
                       {"compute", summary.seconds_compute}, {"write", summary.seconds_write},
                       {"commit", summary.seconds_commit}};
  report["seconds_by_rank"] = by_rank(summary.rank_seconds);
  if (summary.seconds_compute > 0)
    report["compute_gpoints_per_second"] = double(plan.points_out) / summary.seconds_compute / 1e9;
  return json_text(report, 2) + "\n";
}

}  // namespace stencil
