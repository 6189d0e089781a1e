#include "drivers/plan/make/mask_axis.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "drivers/config/canonical.hpp"
#include "drivers/plan/make/refuse.hpp"

namespace stencil {

MaskAxis mask_axis_of(const DatasetFacts& facts) {
  const int last = static_cast<int>(facts.dims.size()) - 1;
  std::vector<int> found;
  for (std::size_t axis = 0; axis < facts.time_source.size(); ++axis)
    if (!facts.time_source[axis].empty()) found.push_back(static_cast<int>(axis));
  if (found.size() == 1) return {found[0], facts.time_source[static_cast<std::size_t>(found[0])]};
  return {last, found.empty() ? "the last axis, as the file gives times for none"
                              : "the last axis, as the file gives times for several"};
}

bool write_mask_axes(const std::vector<StageMask>& masks, std::size_t rank, Config& config) {
  if (config.input.axis || rank < 2) return false;
  bool is_any = false;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    StageConfig& stage = config.stages[i];
    if (stage.axis || !stage.axes.empty() || masks[i].dataset_axes.size() != 1) continue;
    stage.axis = masks[i].dataset_axes.front();
    is_any = true;
  }
  if (is_any) config.canonical = canonical_text(config);
  return is_any;
}

std::vector<int> plane_of(const Config& config, const std::vector<StageMask>& masks) {
  std::vector<int> plane;
  std::size_t of = 0;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if (masks[i].dataset_axes.size() != 2) continue;
    std::vector<int> own = masks[i].dataset_axes;
    std::sort(own.begin(), own.end());
    if (plane.empty()) {
      plane = own;
      of = i;
    } else if (own != plane) {
      refuse(config.stages[i],
             fmt::format("runs over the axes {} and {}, and [{}] over {} and {}: masks of two axes "
                         "in one run have the same axes, make a run of each",
                         own[0], own[1], config.stages[of].name, plane[0], plane[1]));
    }
  }
  return plane;
}

}  // namespace stencil
