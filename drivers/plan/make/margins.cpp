#include "drivers/plan/make/margins.hpp"

#include <algorithm>

namespace stencil {
namespace {

/// Returns the inputs that the outputs of a chain read along an axis, as if the axis were infinite.
Interval unlimited_reads(const Chain& chain, int axis) {
  Interval needed{0, chain.stages.back().sampling[axis].count};
  for (auto stage = chain.stages.rbegin(); stage != chain.stages.rend(); ++stage) {
    const AxisSampling& s = stage->sampling[axis];
    if (stage->steps == 1) {
      needed = s.reads(needed);
      continue;
    }
    needed.first -= checked_multiply(stage->steps, s.centre);
    needed.last = checked_add(needed.last, checked_multiply(stage->steps, s.width - 1 - s.centre));
  }
  return needed;
}

bool wraps(const Chain& chain, int axis) {
  return std::any_of(chain.stages.begin(), chain.stages.end(), [&](const BoundStage& stage) {
    return stage.sampling[axis].width > 1 && stage.boundary.rule[axis] == BoundaryRule::wrap;
  });
}

}  // namespace

std::vector<AxisSelection> with_margins(const DatasetFacts& whole, const Chain& chain,
                                        const NormalForm& form) {
  std::vector<AxisSelection> all = whole.wanted;
  for (int axis = 0; axis < axes; ++axis) {
    if (form.active_axis(axis) < 0) continue;
    const auto at = static_cast<std::size_t>(form.active_axis(axis));
    auto& [first, step, count] = all[at];
    // number of points of the dataset before and after the selection, at multiples of its step
    const Index before = first / step, behind = (whole.dims[at] - 1 - first) / step + 1 - count;
    const Interval reads = unlimited_reads(chain, axis);
    Index low = std::max<Index>(0, -reads.first), high = std::max<Index>(0, reads.last - count);
    if (low > before || high > behind) {
      // A boundary rule mirrors points at an end. The distance of these points from the end is at
      // most the distance by which the masks extend beyond the end. At each stage, this distance is
      // at most the larger of the mask's two sides. Periodic axes continue at the opposite end
      // instead.
      low = wraps(chain, axis) ? before : low + high;
      high = wraps(chain, axis) ? behind : low;
    }
    low = std::min(low, before);
    first -= low * step;
    count += low + std::min(high, behind);
  }
  return all;
}

std::vector<std::array<Crop, axes>> crops_of(const Chain& chain, Point before) {
  std::vector<std::array<Crop, axes>> crops(chain.stages.size());
  for (std::size_t i = 0; i < chain.stages.size(); ++i) {
    const bool is_last = i + 1 == chain.stages.size();
    for (int axis = 0; axis < axes; ++axis) {
      const AxisSampling& s = chain.stages[i].sampling[axis];
      if (s.block_in > 1 || s.block_out > 1) continue;  // channels
      if (is_last) {
        crops[i][axis] = {before[axis], s.count};
      } else {
        crops[i][axis].shift = before[axis] % s.stride;
        before[axis] /= s.stride;
      }
    }
  }
  return crops;
}

}  // namespace stencil
