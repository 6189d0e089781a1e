#include "drivers/plan/mask_axis.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "drivers/config/canonical.hpp"

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
    if (stage.axis || masks[i].dataset_axes.size() != 1) continue;
    stage.axis = masks[i].dataset_axes.front();
    is_any = true;
  }
  if (is_any) config.canonical = canonical_text(config);
  return is_any;
}

std::vector<std::string> notes_on_axes(const Config& config, const std::vector<StageMask>& masks,
                                       const std::vector<Index>& dims) {
  std::vector<std::string> notes;
  const auto longest = std::max_element(dims.begin(), dims.end());
  for (std::size_t i = 0; i < masks.size() && *longest > 1; ++i) {
    const auto& along = masks[i].dataset_axes;
    if (along.size() != 1 || dims[static_cast<std::size_t>(along[0])] > 1 ||
        masks[i].mask.taps.values.size() == 1)
      continue;
    notes.push_back(fmt::format(
        "[{}] runs along axis {}, which has a single point, so that it only multiplies each point "
        "by a number: write input.axis = {} for the axis of {} points",
        config.stages[i].name, along[0], longest - dims.begin(), *longest));
  }
  return notes;
}

}  // namespace stencil
