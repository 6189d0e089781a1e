#include "drivers/plan/describe/plan_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "framework/grid/one_line.hpp"
#include "framework/grid/shape.hpp"

namespace stencil {
namespace {

using Json = Description;

std::string text_of(const Json& json) {
  return json.get<std::string>();
}

Index count_of(const Json& json) {
  return json.get<Index>();
}

/// Returns text such as `100x200`.
std::string by_x(const Json& extents) {
  return fmt::format("{}", fmt::join(extents.get<std::vector<Index>>(), "x"));
}

/// Returns text such as `[1, 100, 200]`.
std::string point_of(const Json& point) {
  return to_string(point.get<Point>());
}

std::string in_units(const Json& json) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  const Index bytes = count_of(json);
  double value = double(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 5) value /= 1024, ++unit;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, units[unit]);
}

/// Returns text such as `0.58 s`, with three significant digits, the accuracy of a prediction.
std::string in_seconds(const Json& seconds) {
  return fmt::format("{:.3g} s", seconds.get<double>());
}

/// Returns text such as `[100:200:2, 0:60], read with 4 points before and 4 after along axis 0`.
std::string selection_text(const Json& selected, const Json& margins) {
  std::vector<std::string> slices;
  std::string beyond;
  for (std::size_t axis = 0; axis < selected.size(); ++axis) {
    const auto [first, step, count] = selected[axis].get<std::array<Index, 3>>();
    slices.push_back(fmt::format("{}:{}{}", first, first + (count - 1) * step + 1,
                                 step == 1 ? "" : fmt::format(":{}", step)));
    const auto [before, behind] = margins[axis].get<std::array<Index, 2>>();
    if (before > 0 || behind > 0)
      beyond += fmt::format("{}{} points before and {} after along axis {}",
                            beyond.empty() ? ", read with " : ", ", before, behind, axis);
  }
  return fmt::format("[{}]{}", fmt::join(slices, ", "), beyond);
}

/// Returns the lines about the input and the output.
std::string files_text(const Json& plan) {
  const Json &in = plan.at("source"), &out = plan.at("output");
  const std::string filters = text_of(in.at("filters"));
  std::string text = fmt::format("input   {}  {} {}, {}{}{}\n", text_of(in.at("name")),
                                 by_x(in.at("shape")), text_of(in.at("dtype")),
                                 text_of(in.at("layout")), filters.empty() ? "" : " ", filters);
  if (in.contains("margins"))
    text += fmt::format("select  {}\n",
                        selection_text(plan.at("input").at("selected"), in.at("margins")));
  if (plan.at("input").contains("mask")) {
    const Json& mask = plan["input"]["mask"];
    text +=
        fmt::format("mask    {}:{}  {}: points are valid where it is neither 0 nor NaN\n",
                    text_of(mask.at("file")), text_of(mask.at("dataset")), by_x(mask.at("shape")));
  }
  const int gzip = out.at("gzip").get<int>();
  text +=
      fmt::format("output  {}:{}  {} {}{}{}", text_of(out.at("file")), text_of(out.at("dataset")),
                  by_x(out.at("shape")), text_of(out.at("dtype")),
                  out.at("chunk").empty() ? ", contiguous" : ", chunks " + by_x(out.at("chunk")),
                  gzip > 0 ? fmt::format(" gzip:{}", gzip) : "");
  if (out.contains("packing"))
    text += fmt::format(", value = number * {} + {}", out["packing"].at("scale").get<double>(),
                        out["packing"].at("offset").get<double>());
  return text + "\n";
}

/// Returns a line about the axes of the dataset if their order differs from the order of the points
/// in memory, or if volumes are computed one after the other.
std::string order_text(const Json& plan) {
  const Json order = plan.at("dataset_axes").flatten(), &groups = plan.at("dataset_axes");
  const Index volumes = count_of(plan.at("volumes"));
  if (volumes == 1 && std::is_sorted(order.begin(), order.end())) return "";
  return fmt::format("axes    {}, {}, {} of the dataset{}\n", groups[0].dump(), groups[1].dump(),
                     groups[2].dump(),
                     volumes > 1 ? fmt::format(", {} volumes one after the other", volumes) : "");
}

/// Returns the lines about the shape of the points, the ranks, the axis of masks, and notes.
std::string world_text(const Json& plan) {
  std::string text = fmt::format("compute {} as [batch, y, x] = {}, on {}: {}\n",
                                 text_of(plan.at("precision")), point_of(plan.at("shape")),
                                 text_of(plan.at("backend")), text_of(plan.at("device")));
  const Index idle = count_of(plan.at("idle_ranks"));
  text += fmt::format("ranks   {} in blocks of {}, the first owns {} points{}\n",
                      count_of(plan.at("ranks")), point_of(plan.at("blocks")),
                      count_of(plan.at("points_of_first_rank")),
                      idle > 0 ? fmt::format("; {} ranks have nothing to do", idle) : "");
  text += order_text(plan);
  if (plan.contains("mask_axis"))
    text += fmt::format("axis    {} for 1D masks (input.axis = auto): {}\n",
                        count_of(plan["mask_axis"].at("axis")),
                        text_of(plan["mask_axis"].at("reason")));
  for (const Json& note : plan.at("notes")) text += fmt::format("note    {}\n", text_of(note));
  return text;
}

/// Returns text such as `5x5 taps`, `3 taps along x` or `3 -> 16 channels, 3x3 taps`.
std::string mask_text(const Json& stage) {
  const auto taps = stage.at("taps").get<std::vector<Index>>();
  const Index height = taps[taps.size() - 2], width = taps.back();
  if (taps.size() == 4) {
    const Index groups = count_of(stage.at("groups"));
    return fmt::format("{} -> {} channels{}, {}x{} taps", count_of(stage.at("channels_in")),
                       taps[0], groups == 1 ? "" : fmt::format(" in {} groups", groups), height,
                       width);
  }
  const Json& axis = stage.at("mask_axis");
  if (taps.size() == 3) return fmt::format("{}x{}x{} taps", taps[0], height, width);
  if (axis.is_null()) return fmt::format("{}x{} taps", height, width);
  return fmt::format("{} taps along {}", height * width, text_of(axis));
}

std::string boundary_text(const Json& stage) {
  std::string text;
  for (const Json& rule : stage.at("boundary")) {
    text += (text.empty() ? "" : " ") + text_of(rule);
    if (rule != "constant") continue;
    const Json& value = stage.at("boundary_value");
    text += " " + (value.is_string() ? text_of(value) : fmt::format("{}", value.get<double>()));
  }
  return text.empty() ? "none needed" : text;
}

std::string steps_text(const Json& stage) {
  const Index steps = count_of(stage.at("steps"));
  if (steps == 1) return "1 step";
  return fmt::format("steps: {}, {} per sweep", steps, count_of(stage.at("steps_per_sweep")));
}

/// Returns a line about the methods that `method = auto` compared.
std::string alternatives_text(const Json& stage) {
  std::string text;
  for (const Json& way : stage.at("alternatives"))
    if (way.contains("seconds"))
      text += fmt::format("{}{} {}", text.empty() ? "    estimated " : ", ",
                          text_of(way.at("method")), in_seconds(way["seconds"]));
  return text.empty() ? text : text + ", at the rate of multiply-adds measured now\n";
}

std::string stage_text(const Json& stage) {
  const Index filters = count_of(stage.at("filters")),
              terms = count_of(stage.at("separable_terms"));
  std::string text = fmt::format("  [{}] ", text_of(stage.at("name")));
  if (stage.at("is_bank").get<bool>())
    text += fmt::format("{} filter{} of ", filters, filters == 1 ? "" : "s");
  text += fmt::format("{}, {} ({})\n", mask_text(stage), text_of(stage.at("method")),
                      text_of(stage.at("reason")));
  text += fmt::format("    {} -> {}, boundary {}, {}\n", point_of(stage.at("input_shape")),
                      point_of(stage.at("output_shape")), boundary_text(stage), steps_text(stage));
  text += fmt::format("    halo low {} high {}\n", point_of(stage.at("halo_low")),
                      point_of(stage.at("halo_high")));
  if (stage.at("sampling_rate") > 0)
    text += fmt::format("    designed for {} samples per second ({})\n",
                        stage["sampling_rate"].get<double>(), text_of(stage.at("sampling_source")));
  if (terms > 0)
    text += fmt::format("    {} within {:.1e} of the largest tap\n",
                        terms == 1 ? "separable" : fmt::format("sum of {} separable", terms),
                        stage.at("separability_error").get<double>());
  text += alternatives_text(stage) + "    kernel " + text_of(stage.at("kernel"));
  if (stage.contains("compute_seconds"))
    text += fmt::format(": {} predicted", in_seconds(stage["compute_seconds"].at("predicted")));
  return text + "\n";
}

std::string windows_text(const Json& windows) {
  return fmt::format(
      "windows of {} of {} outputs along {}, {}, as {}; {:.1f} % of the input is read twice\n",
      count_of(windows.at("outputs")), count_of(windows.at("outputs_in_all")),
      to_string(static_cast<Axis>(windows.at("axis").get<int>())),
      windows.at("side_by_side").get<bool>()
          ? fmt::format("{} at a time on each rank", count_of(windows.at("at_a_time")))
          : "one after the other",
      windows.at("reason") == "memory" ? "the world does not fit into memory at once"
                                       : "this is faster than the world at once",
      100 * windows.at("read_twice").get<double>());
}

/// Returns the lines about memory, windows and passes, and the bytes that are transferred.
std::string memory_text(const Json& plan) {
  std::string text = fmt::format("memory  {} per rank", in_units(plan.at("memory_per_rank_bytes")));
  if (plan.contains("memory_per_gpu_bytes"))
    text += fmt::format(", and {} of its GPU", in_units(plan["memory_per_gpu_bytes"]));
  text += "\n";
  if (plan.contains("passes"))
    text += fmt::format("passes  {} over the files, of up to {} steps each; the first one in\n",
                        count_of(plan["passes"]), count_of(plan.at("steps_per_pass")));
  if (plan.contains("windows")) text += windows_text(plan["windows"]);
  return text + fmt::format("moves   {} read, {} written, up to {} of ghosts per rank\n",
                            in_units(plan.at("input").at("bytes")),
                            in_units(plan.at("output").at("bytes")),
                            in_units(plan.at("halo_bytes_per_rank")));
}

/// Returns text such as `every 10 min`, `every 1000 steps` or `after each pass`.
std::string interval_text(const Json& every) {
  if (every.contains("passes")) return "after each pass";
  if (every.contains("steps")) return fmt::format("every {} steps", count_of(every["steps"]));
  constexpr double minute = 60;
  const double seconds = every.at("seconds").get<double>();
  return seconds < minute ? fmt::format("every {} s", seconds)
                          : fmt::format("every {:g} min", seconds / minute);
}

/// Returns a line about the files that a run saves so that it can be continued later.
std::string checkpoint_text(const Json& plan) {
  const Json& checkpoint = plan.at("checkpoint");
  const std::string file = one_line(text_of(checkpoint.at("file"))),
                    part = one_line(text_of(checkpoint.at("unfinished_output")));
  if (checkpoint.at("saves") == "nothing")
    return fmt::format("saves   nothing, as {}: a stopped run starts from the beginning\n",
                       text_of(checkpoint.at("reason")));
  if (checkpoint["saves"] == "windows")
    return fmt::format("saves   finished windows stay in {}, and {}.windows lists them\n", part,
                       file);
  std::string text =
      fmt::format("saves   {}, {}{} each, of which the folder holds up to three, {}", file,
                  plan.at("stages").size() > 1 ? "up to " : "", in_units(checkpoint.at("bytes")),
                  interval_text(checkpoint.at("every")));
  if (plan.at("output").at("snapshots").get<bool>())
    text += fmt::format("; {} stays, and {}.snapshots lists its snapshots", part, file);
  return text + "\n";
}

/// Returns the lines about the computing time: the prediction from short runs of the stages, and
/// the lower bound.
std::string time_text(const Json& plan) {
  const Json none, &not_predicted = plan.value("not_predicted", none);
  std::string text =
      not_predicted.contains("compute")
          ? fmt::format("time    not predicted: {}\n", text_of(not_predicted["compute"]))
          : fmt::format(
                "time    {} of computing predicted, from short runs of the stages on all "
                "ranks now\n",
                in_seconds(plan.at("seconds_predicted").at("compute")));
  if (!plan.contains("limit")) return text;
  const Json& limit = plan["limit"];
  return text + fmt::format(
                    "limit   {} of computing, if nothing but {}memory ({:.1f} GB/s) and "
                    "multiply-adds ({:.0f} G/s, both measured now) took time\n",
                    in_seconds(limit.at("compute_seconds")),
                    plan.at("backend") == "cuda" ? "the GPUs' " : "",
                    limit.at("copy_bytes_per_second").get<double>() / 1e9,
                    limit.at("multiply_adds_per_second").get<double>() / 1e9);
}

/// Returns the lines about reading and writing.
std::string storage_text(const Json& plan) {
  const Json none, &not_predicted = plan.value("not_predicted", none);
  if (not_predicted.contains("storage"))
    return fmt::format("storage not predicted: {}\n", text_of(not_predicted["storage"]));
  const Json& seconds = plan.at("seconds_predicted");
  std::string text = fmt::format("storage {} of reading, {} of writing",
                                 in_seconds(seconds.at("read")), in_seconds(seconds.at("write")));
  if (plan.at("output").at("verified").get<bool>())
    text += fmt::format(", {} of reading back", in_seconds(seconds.at("read_back")));
  text += " predicted, each alone, from short runs on the file and in the output's folder now\n";
  if (seconds.contains("total"))
    text += fmt::format("run     {} predicted in all\n", in_seconds(seconds["total"]));
  return text;
}

}  // namespace

std::string plan_text(const Description& plan) {
  std::string text = files_text(plan) + world_text(plan) + "stages\n";
  for (const Json& stage : plan.at("stages")) text += stage_text(stage);
  text += memory_text(plan);
  if (plan.contains("checkpoint")) text += checkpoint_text(plan);
  text += time_text(plan) + storage_text(plan);
  if (plan.contains("gpus"))
    for (const Json& gpu : plan["gpus"]) text += fmt::format("gpu     {}\n", text_of(gpu));
  return text;
}

}  // namespace stencil
