#include "drivers/plan/make/split_axes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "drivers/config/keys.hpp"
#include "drivers/config/stage.hpp"
#include "drivers/plan/make/refuse.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/make/values_per_axis.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {
namespace {

/// Returns the index, in the key `axes`, of the axis along which a directed family differentiates:
/// the axis that the key `axis` gives, or by default the last axis of `axes`.
std::size_t direction_of(const StageConfig& stage, int rank) {
  if (!stage.axis) return stage.axes.size() - 1;
  const AxisWord along = *stage.axis < 0 ? *stage.axis + rank : *stage.axis;
  const auto found = std::find(stage.axes.begin(), stage.axes.end(), along);
  if (found == stage.axes.end())
    refuse(stage, fmt::format("axis = {}: the mask differentiates along one of axes = {}: write "
                              "one of them",
                              *stage.axis, text_of(stage.axes)));
  return static_cast<std::size_t>(found - stage.axes.begin());
}

/// Returns the taps that the mask of a directed family has along the axes across the direction of
/// its derivative.
MaskWords words_across(const Family& family, const FamilyParameters& parameters) {
  return read_mask(fmt::format("{}", fmt::join(family.across(parameters), " ")));
}

/// Returns a copy of the stage that runs along only one of its axes. Of each key that has a list of
/// values, one per axis, the copy keeps the value for this axis.
StageConfig along_one(const StageConfig& stage, std::size_t axis, int rank) {
  StageConfig one = stage;
  const auto keep_one = [&](const char* key, auto& values) {
    values = {value_along(stage, key, values, axis, stage.axes.size())};
  };
  const Family& family = *stage.mask.family;
  one.axes = {stage.axes[axis]};
  one.axis.reset();
  one.rank = 1;
  one.name = fmt::format("{}, axis {}", stage.name, std::get<int>(stage.axes[axis]));
  keep_one("boundary", one.boundary);
  keep_one("origin", one.origin);
  keep_one("stride", one.stride);
  if (family.across != nullptr && axis != direction_of(stage, rank)) {
    one.mask = words_across(family, stage.parameters);
    one.parameters = {};
    one.rank = 0;
    return one;
  }
  for (const std::string& key : split_words(family.keys)) {
    const Parameter& parameter = *find_parameter(key);
    if (!parameter.per_axis) continue;
    std::visit(
        [&](auto field) {
          if constexpr (requires { (one.parameters.*field).front(); })
            if constexpr (!requires { (one.parameters.*field).c_str(); })
              if (!(one.parameters.*field).empty()) keep_one(key.c_str(), one.parameters.*field);
        },
        parameter.field);
  }
  return one;
}

}  // namespace

void split_axes(Config& config, int rank) {
  const bool has_missing = !is_none(config.missing.value) || !config.missing.mask.empty();
  const bool renormalizes = config.missing.policy == MissingPolicy::renormalize && has_missing;
  std::vector<StageConfig> stages;
  for (const StageConfig& stage : config.stages) {
    const Family* family = stage.mask.family;
    const bool is_split = stage.axes.size() == 3 && family != nullptr && is_product(*family) &&
                          !renormalizes && stage.steps == 1;
    if (is_split)
      for (std::size_t axis = 0; axis < 3; ++axis) stages.push_back(along_one(stage, axis, rank));
    else
      stages.push_back(stage);
  }
  config.stages = std::move(stages);
}

}  // namespace stencil
