#include "drivers/plan/make/mask_axis.hpp"

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

}  // namespace stencil
