#include "drivers/pipeline/sweep_steps.hpp"

#include <algorithm>
#include <vector>

#include "kernels/step_depth.hpp"

namespace stencil {
namespace {

Index smallest_part(const Decomposition& blocks, int axis) {
  Index least = blocks.part(axis, 0).extent();
  for (Index k = 1; k < blocks.grid()[axis]; ++k)
    least = std::min(least, blocks.part(axis, k).extent());
  return least;
}

/// pattern_of_taps or pattern_of_factors of a mask of three rows, columns or both around its
/// centre, with the taps as rounded; 0 for any other mask.
unsigned pattern_of(const BoundStage& stage, Precision precision) {
  const Mask& mask = stage.choice.mask;
  const Index height = mask.taps.height, width = mask.taps.width;
  const auto fits = [](Index size, Index centre) { return size == 2 * centre + 1 && size <= 3; };
  if (!fits(height, mask.centre[0]) || !fits(width, mask.centre[1])) return 0;
  const auto rounded = [&](std::vector<double> taps) {
    if (precision == Precision::float32)
      for (double& tap : taps) tap = float(tap);
    return taps;
  };
  if (stage.choice.separable_terms() == 1)
    return pattern_of_factors(rounded(mask.factors->column), rounded(mask.factors->row),
                              mask.multiply_zeros);
  if (stage.choice.method != Method::direct) return 0;
  return pattern_of_taps(rounded(mask.taps.values), height, width, mask.multiply_zeros);
}

}  // namespace

Index choose_steps_per_sweep(const BoundStage& stage, Precision precision, bool is_on_gpu) {
  // sums of several separable terms are limited by multiply-adds, not by memory
  if (stage.steps == 1 || stage.min_valid || stage.channels || stage.choice.method == Method::fft ||
      stage.choice.separable_terms() > 1)
    return 1;
  const Taps& taps = stage.choice.mask.taps;
  StepShape shape{.mask = {taps.height, taps.width},
                  .adds = Index(stage.adds_per_point()),
                  .element = size_of(precision),
                  .steps = stage.steps,
                  .is_separable = stage.choice.separable_terms() == 1,
                  .skips_taps = direct_taps(stage.choice.mask) < taps.height * taps.width};
  const unsigned pattern = pattern_of(stage, precision);
  shape.shares_rows = pattern == full_pattern || pattern == plus_pattern;
  // a mask along the batch axis is stored along y
  const int across = stage.mask_axis == batch_axis ? batch_axis : y_axis;
  shape.planes = smallest_part(stage.input, across == batch_axis ? y_axis : batch_axis);
  for (const int axis : {across, int{x_axis}}) {
    const int place = axis == x_axis ? 1 : 0;
    shape.block[place] = smallest_part(stage.input, axis);
    shape.repeats[place] =
        shape.mask[place] > 1 &&
        (stage.input.grid()[axis] > 1 || stage.boundary.rule[axis] == BoundaryRule::wrap);
  }
  return is_on_gpu ? gpu_steps_per_sweep(shape, pattern) : steps_per_sweep(shape);
}

}  // namespace stencil
