#include "drivers/plan/make/split_axes.hpp"

#include <fmt/core.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "drivers/config/keys.hpp"
#include "drivers/config/stage.hpp"
#include "drivers/plan/make/refuse.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {
namespace {

/// The stage along one of its axes, with the values for that axis of all lists.
StageConfig along_one(const StageConfig& stage, std::size_t axis) {
  StageConfig one = stage;
  const auto keep_one = [&](const char* key, auto& values) {
    values = {value_along(stage, key, values, axis, stage.axes.size())};
  };
  one.axes = {stage.axes[axis]};
  one.rank = 1;
  one.name = fmt::format("{}, axis {}", stage.name, std::get<int>(stage.axes[axis]));
  keep_one("boundary", one.boundary);
  keep_one("origin", one.origin);
  keep_one("stride", one.stride);
  for (const std::string& key : split_words(stage.mask.family->keys)) {
    const Parameter& parameter = *find_parameter(key);
    if (!parameter.per_axis) continue;
    std::visit(
        [&](auto field) {
          if constexpr (requires { (one.parameters.*field).front(); })
            if constexpr (!requires { (one.parameters.*field).c_str(); })
              keep_one(key.c_str(), one.parameters.*field);
        },
        parameter.field);
  }
  return one;
}

}  // namespace

void split_axes(Config& config) {
  std::vector<StageConfig> stages;
  for (const StageConfig& stage : config.stages) {
    if (stage.axes.size() < 3) {
      stages.push_back(stage);
      continue;
    }
    const bool has_missing = !is_none(config.missing.value) || !config.missing.mask.empty();
    if (config.missing.policy == MissingPolicy::renormalize && has_missing)
      refuse(stage, fmt::format("axes = {}: missing.policy = renormalize is not there for a mask "
                                "over three axes: write a stage for each axis, each of which "
                                "divides by the weight of its own valid points",
                                text_of(stage.axes)));
    for (std::size_t axis = 0; axis < 3; ++axis) stages.push_back(along_one(stage, axis));
  }
  config.stages = std::move(stages);
}

}  // namespace stencil
