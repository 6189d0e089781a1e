#include "drivers/plan/make/joint_weight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

[[noreturn]] void refuse_joint(const std::string& why) {
  throw WordsError(fmt::format(
      "missing.joint = true: {}: write joint = false, which divides by the weight of the valid "
      "points after each stage, or a mask of rank = 2",
      why));
}

bool is_plain(const StageConfig& stage, const StageMask& mask) {
  return mask.dataset_axes.size() == 1 && !mask.channels && mask.bank.empty() && stage.steps == 1 &&
         !stage.fits_edges && !mask.latitudes;
}

/// Returns the boundary value if one of the stages has a constant boundary.
double value_beyond(const StageConfig& y, const StageConfig& x) {
  const bool is_of_y = y.boundary.front() == BoundaryRule::constant,
             is_of_x = x.boundary.front() == BoundaryRule::constant;
  if (is_of_y && is_of_x && y.boundary_value != x.boundary_value)
    refuse_joint(
        fmt::format("[{}] and [{}] have different values beyond the edges", y.name, x.name));
  return is_of_y ? y.boundary_value : x.boundary_value;
}

StageConfig joined(const StageConfig& y, const StageConfig& x) {
  StageConfig both = y;
  both.name = y.name + " and " + x.name;
  both.mask.text = y.mask.text + " and " + x.mask.text;
  both.boundary_value = value_beyond(y, x);
  both.boundary = {y.boundary.front(), x.boundary.front()};
  both.stride = {y.stride.front(), x.stride.front()};
  return both;
}

/// Returns the outer product of two masks that are stored along x.
Mask product(const Mask& y, const Mask& x) {
  Mask both = Mask::outer(y.taps.values, x.taps.values);
  both.centre = {y.centre[1], x.centre[1]};
  return both;
}

}  // namespace

void join_weights(Config& config, std::vector<StageMask>& masks,
                  std::vector<std::optional<DesignRate>>& designed_for, const NormalForm& form) {
  std::vector<StageConfig>& stages = config.stages;
  if (stages.size() == 1) return;
  if (stages.size() > 2)
    refuse_joint(
        fmt::format("it is only possible with two stages, and there are {}", stages.size()));
  for (std::size_t i = 0; i < 2; ++i)
    if (!is_plain(stages[i], masks[i]))
      refuse_joint(fmt::format("[{}] is not a stage of a single step along one axis with one mask",
                               stages[i].name));
  const auto along = [&](std::size_t i) { return form.normal_axis(masks[i].dataset_axes.front()); };
  const std::size_t y = along(0) < along(1) ? 0 : 1, x = 1 - y;
  if (along(y) != y_axis || along(x) != x_axis)
    refuse_joint(
        fmt::format("[{}] and [{}] run along the axes {} and {}, and a mask of rank 2 runs "
                    "along the last two",
                    stages[0].name, stages[1].name, masks[0].dataset_axes.front(),
                    masks[1].dataset_axes.front()));
  if (stages[0].extent != stages[1].extent || stages[0].method != stages[1].method)
    refuse_joint(
        fmt::format("[{}] and [{}] differ in extent or method", stages[0].name, stages[1].name));
  StageMask both;
  both.mask = product(masks[y].mask, masks[x].mask);
  both.dataset_axes = {masks[y].dataset_axes.front(), masks[x].dataset_axes.front()};
  StageConfig words = joined(stages[y], stages[x]);
  if (!designed_for[0]) designed_for[0] = designed_for[1];
  designed_for.resize(1);
  stages = {std::move(words)};
  masks = {std::move(both)};
}

}  // namespace stencil
