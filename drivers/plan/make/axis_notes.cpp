#include "drivers/plan/make/axis_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

constexpr Index long_axis = 16;  // if all axes are shorter, 3 or 4 points may be a direction

/// Names of axes along which neighbouring points are of different kinds.
constexpr std::array<std::string_view, 33> names_of_things{
    "band",         "bands",      "channel", "channels", "class",     "classes",         "color",
    "colors",       "colour",     "colours", "c",        "component", "components",      "ensemble",
    "realization",  "member",     "members", "model",    "number",    "ensemble_member", "pol",
    "polarization", "rgb",        "rgba",    "sample",   "sensor",    "species",         "station",
    "stations",     "station_id", "var",     "variable", "variables"};

bool names_things(const std::string& name) {
  std::string word;
  for (const char letter : name)
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return std::find(names_of_things.begin(), names_of_things.end(), word) != names_of_things.end();
}

}  // namespace

std::string reason_against(const DatasetFacts& facts, int axis) {
  const auto at = static_cast<std::size_t>(axis);
  if (at < facts.text_scale.size() && !facts.text_scale[at].empty())
    return fmt::format("whose coordinates are texts ({})", shortened(facts.text_scale[at]));
  if (at < facts.axis_names.size() && names_things(facts.axis_names[at]))
    return fmt::format("which the file names {}", shortened(facts.axis_names[at]));
  const Index points = facts.dims[at];
  const Index longest = *std::max_element(facts.dims.begin(), facts.dims.end());
  if ((points == 3 || points == 4) && longest >= long_axis)
    return fmt::format("which has {} points, as colours or components have", points);
  return "";
}

std::vector<int> axes_with_neighbours(const DatasetFacts& facts, std::size_t wanted) {
  std::vector<int> found;
  for (int axis = static_cast<int>(facts.dims.size()) - 1; axis >= 0 && found.size() < wanted;
       --axis)
    if (facts.dims[static_cast<std::size_t>(axis)] > 1 && reason_against(facts, axis).empty())
      found.insert(found.begin(), axis);
  return found;
}

namespace {

/// Returns whether the configuration gives the axes of the mask, or the file has times for its
/// axis.
bool is_certain(const Config& config, const StageConfig& stage, const StageMask& mask,
                const DatasetFacts& facts) {
  if (!stage.axes.empty() || mask.channels) return true;
  if (mask.dataset_axes.size() > 1) return false;
  const auto at = static_cast<std::size_t>(mask.dataset_axes.front());
  const bool has_times = at < facts.time_source.size() && !facts.time_source[at].empty();
  return stage.axis || config.input.axis || has_times;
}

std::string advice(const StageMask& mask, const DatasetFacts& facts) {
  const std::vector<int>& own = mask.dataset_axes;
  const std::vector<int> better = axes_with_neighbours(facts, own.size());
  const std::string as_it_is = fmt::format("axes = {}", fmt::join(own, " "));
  if (better.empty()) return fmt::format("write {} if this is meant", as_it_is);
  return fmt::format("write axes = {}{} to leave it out, or {} if this is meant",
                     fmt::join(better, " "),
                     better.size() == 1 && own.size() == 2 ? " with rank = 1" : "", as_it_is);
}

}  // namespace

std::vector<std::string> notes_on_axes(const Config& config, const std::vector<StageMask>& masks,
                                       const DatasetFacts& facts) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const StageConfig& stage = config.stages[i];
    if (is_certain(config, stage, masks[i], facts)) continue;
    for (std::size_t k = 0; k < masks[i].dataset_axes.size(); ++k) {
      const int axis = masks[i].dataset_axes[k];
      const std::string reason = reason_against(facts, axis);
      if (reason.empty() || masks[i].taps_along(k) == 1) continue;
      notes.push_back(
          fmt::format("[{}] runs by default along axis {}, {}, so that outputs mix its points: {}",
                      stage.name, axis, reason, advice(masks[i], facts)));
      break;
    }
  }
  return notes;
}

}  // namespace stencil
