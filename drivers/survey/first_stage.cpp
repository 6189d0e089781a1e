#include "drivers/survey/first_stage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "drivers/plan/make/axis_notes.hpp"
#include "drivers/plan/make/mask_axis.hpp"
#include "drivers/survey/dataset_words.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/nearest.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

constexpr double hamming_width = 3.3;  // transition width times taps / rate
constexpr Index usual_taps = 801;

/// Returns the largest number of the form 1, 2 or 5 times a power of ten that does not exceed the
/// value.
double round_number(double value) {
  const double power = std::pow(10, std::floor(std::log10(value) + 1e-9));
  for (const double digit : {5.0, 2.0})
    if (value >= digit * power * (1 - 1e-9)) return digit * power;
  return power;
}

Index odd_up_to(Index value) {
  return std::max<Index>(1, value % 2 == 0 ? value - 1 : value);
}

Index points_along(const ListedDataset& dataset, const FirstAxis& axis) {
  return dataset.facts.dims[static_cast<std::size_t>(axis.axis)];
}

/// Returns one line `key = value   # comment`.
std::string entry(const std::string& key, const std::string& value, const std::string& comment) {
  return fmt::format("{:<28} # {}\n", fmt::format("{} = {}", key, value), comment);
}

/// Returns whether the last two axes have several points each, and neither is an axis of time.
bool is_grid(const DatasetFacts& facts) {
  const std::size_t rank = facts.dims.size();
  if (rank < 2) return false;
  for (const std::size_t axis : {rank - 2, rank - 1})
    if (facts.dims[axis] == 1 || facts.sampling_rate[axis] > 0 || !facts.time_source[axis].empty())
      return false;
  return true;
}

FirstStage pass_filter(const std::string& name, const ListedDataset& dataset,
                       const FirstAxis& axis) {
  const Index taps = std::clamp<Index>(odd_up_to(points_along(dataset, axis) / 4), 3, usual_taps);
  const double width = hamming_width * axis.rate / static_cast<double>(taps);
  const double low = round_number(std::clamp(2 * width, axis.rate / 100, axis.rate / 8));
  const double high = round_number(std::min(10 * low, 0.4 * axis.rate));
  std::string cutoff = fmt::format("{:.10g}", name == "highpass" ? low : high);
  if (name == "lowpass") cutoff = fmt::format("{:.10g}", round_number(axis.rate / 8));
  if (name.starts_with("band"))
    cutoff = fmt::format("{:.10g} {:.10g}", low, std::max(high, 2 * low));
  FirstStage stage{.needs_rate = true};
  stage.lines = entry("mask", name, "a filter without delay, as of scipy.signal.firwin") +
                entry("taps", fmt::format("{}", taps),
                      fmt::format("edges about {:.2g} {} wide; more taps make them sharper", width,
                                  axis.unit)) +
                entry("cutoff", cutoff, fmt::format("{}; below {:.10g}", axis.unit, axis.rate / 2));
  return stage;
}

/// Returns the line that gives the axes of a two-dimensional mask: `axes` if the points along one
/// of the last two axes are probably colours, channels, stations ..., otherwise `rank = 2`.
std::string plane(const DatasetFacts& facts) {
  const int rank = static_cast<int>(facts.dims.size());
  const std::vector<int> better = axes_with_neighbours(facts, 2);
  for (const int axis : {rank - 2, rank - 1})
    if (const std::string why = reason_against(facts, axis); !why.empty() && better.size() == 2)
      return entry("axes", fmt::format("{}", fmt::join(better, " ")),
                   fmt::format("without axis {}, {}", axis, why));
  return entry("rank", "2", "over the last two axes");
}

FirstStage mean(const std::string& name, const ListedDataset& dataset) {
  FirstStage stage{.runs_along = !is_grid(dataset.facts), .is_mean = true};
  if (name == "gaussian")
    stage.lines = entry("mask", "gaussian", "as scipy.ndimage.gaussian_filter") +
                  entry("sigma", "2", "standard deviation in points; two numbers: y x");
  else
    stage.lines =
        entry("mask", "box", "a moving average") + entry("size", "5", "points; two numbers: y x");
  stage.lines += stage.runs_along ? entry("rank", "1", "along one axis") : plane(dataset.facts);
  return stage;
}

FirstStage polynomial(const std::string& name, const ListedDataset& dataset,
                      const FirstAxis& axis) {
  const bool derives = name == "derivative";
  const Index size = odd_up_to(std::min<Index>(points_along(dataset, axis), derives ? 5 : 11));
  const Index order = std::min<Index>(derives ? 2 : 3, size - 1);
  if (derives && order == 0)
    throw WordsError(
        fmt::format("--init derivative: {} has one point along axis {}, name another "
                    "dataset with --input.dataset",
                    one_line(dataset.path), axis.axis));
  FirstStage stage;
  stage.lines =
      entry("mask", "savgol", "as scipy.signal.savgol_filter") +
      entry("size", fmt::format("{}", size), "points that a polynomial is fitted to; odd") +
      entry("polyorder", fmt::format("{}", order), "order of the polynomial");
  if (derives)
    stage.lines += entry("deriv", "1", "the first derivative") +
                   entry("delta", fmt::format("{:.15g}", 1 / axis.rate),
                         axis.unit == "Hz"
                             ? "spacing of the points in s"
                             : fmt::format("spacing of the points; 1/delta is in {}", axis.unit));
  return stage;
}

/// Returns the last axis, or the longest axis if the last one has fewer than 8 points, as in files
/// of shape (n, 1).
int axis_without_times(const std::vector<Index>& dims) {
  if (dims.back() >= 8) return static_cast<int>(dims.size()) - 1;
  return static_cast<int>(std::max_element(dims.begin(), dims.end()) - dims.begin());
}

}  // namespace

const std::vector<std::string>& first_filters() {
  static const std::vector<std::string> names{"bandpass", "bandstop", "lowpass", "highpass",
                                              "gaussian", "average",  "smooth",  "derivative"};
  return names;
}

FirstAxis first_axis_of(const ListedDataset& dataset) {
  const DatasetFacts& facts = dataset.facts;
  const auto is_time = [&](std::size_t axis) { return !facts.time_source[axis].empty(); };
  FirstAxis first{.axis = mask_axis_of(facts).axis};
  auto at = static_cast<std::size_t>(first.axis);
  const auto sampled = std::find_if(facts.sampling_rate.begin(), facts.sampling_rate.end(),
                                    [](double rate) { return rate > 0; });
  if (is_time(at)) {
    first.why = "by " + one_line(facts.time_source[at]);
  } else if (sampled != facts.sampling_rate.end()) {
    at = static_cast<std::size_t>(sampled - facts.sampling_rate.begin());
    first.why = "the file gives a sampling rate along it";
  } else {
    at = static_cast<std::size_t>(axis_without_times(facts.dims));
    first.why = "the file gives times for none: choose yours";
  }
  first.axis = static_cast<int>(at);
  const ListedAxis& listed = dataset.axes[at];
  first.is_of_file = facts.sampling_rate[at] > 0;
  first.unit = "cycles per point";
  if (first.is_of_file) {
    first.rate = facts.sampling_rate[at];
    first.unit = "Hz";
  } else if (listed.spacing != 0 && std::isfinite(listed.spacing)) {
    first.rate = 1 / std::abs(listed.spacing);
    first.unit = "cycles per " + (listed.unit.empty() ? "unit of the scale" : unit_words(listed));
  }
  return first;
}

FirstStage first_stage_of(const std::string& name, const ListedDataset& dataset,
                          const FirstAxis& axis) {
  if (name == "gaussian" || name == "average") return mean(name, dataset);
  if (name == "smooth" || name == "derivative") return polynomial(name, dataset, axis);
  const std::vector<std::string>& names = first_filters();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    const std::string near = nearest(name, names);
    throw WordsError(fmt::format("--init {}: no such filter, {}write one of {}", shortened(name),
                                 near.empty() ? "" : fmt::format("did you mean {}? Or ", near),
                                 fmt::join(names, ", ")));
  }
  return pass_filter(name, dataset, axis);
}

}  // namespace stencil
