#include "drivers/pipeline/sweep_steps.hpp"

#include <algorithm>
#include <vector>

#include "kernels/generated/compiled_kernel.hpp"
#include "kernels/generated/step_spec.hpp"
#include "kernels/step_depth.hpp"
#include "kernels/volume_step_depth.hpp"

namespace stencil {
namespace {

Index smallest_part(const Decomposition& blocks, int axis) {
  Index least = blocks.part(axis, 0).extent();
  for (Index k = 1; k < blocks.grid()[axis]; ++k)
    least = std::min(least, blocks.part(axis, k).extent());
  return least;
}

bool is_centred(const Mask& mask) {
  return mask.taps.height == 2 * mask.centre[0] + 1 && mask.taps.width == 2 * mask.centre[1] + 1;
}

std::vector<double> rounded(std::vector<double> taps, Precision precision) {
  if (precision == Precision::float32)
    for (double& tap : taps) tap = float(tap);
  return taps;
}

/// Returns whether a stage sums a mask of 3 x 3 taps directly and multiplies all taps, or all taps
/// except the corners.
bool shares_rows(const BoundStage& stage, Precision precision) {
  const Mask& mask = stage.choice.mask;
  if (stage.choice.method != Method::direct || !is_centred(mask) || mask.taps.height > 3 ||
      mask.taps.width > 3)
    return false;
  const unsigned pattern = pattern_of_taps(rounded(mask.taps.values, precision), mask.taps.height,
                                           mask.taps.width, mask.multiply_zeros);
  return pattern == full_pattern || pattern == plus_pattern;
}

/// Returns the largest number of steps per sweep on a GPU.
Index deepest_of_gpu(const BoundStage& stage, Precision precision) {
  const Mask& mask = stage.choice.mask;
  // for several steps, kernels that are not generated at run time are slower than single steps
  if (!is_centred(mask) || !generated::can_generate()) return 1;
  const int element = int(size_of(precision));
  const auto step_mask =
      stage.choice.separable_terms() == 1
          ? generated::separable_step_mask(element, rounded(mask.factors->column, precision),
                                           rounded(mask.factors->row, precision),
                                           mask.multiply_zeros)
          : generated::direct_step_mask(element, mask.taps.height, mask.taps.width,
                                        rounded(mask.taps.values, precision), mask.multiply_zeros);
  return step_mask ? generated::deepest_sweep(*step_mask) : 1;
}

/// Returns the number of steps per sweep of a mask of three axes on CPUs.
Index steps_of_volume(const BoundStage& stage, Precision precision) {
  // Separable sums are limited by multiply-adds, not by memory bandwidth.
  if (stage.choice.method != Method::direct) return 1;
  const Mask& mask = stage.choice.mask;
  VolumeStepShape shape{.mask = {mask.taps.depth, mask.taps.height, mask.taps.width},
                        .adds = direct_taps(mask),
                        .element = size_of(precision),
                        .steps = stage.steps};
  for (int axis = 0; axis < axes; ++axis) {
    shape.block[axis] = smallest_part(stage.input, axis);
    shape.repeats[std::size_t(axis)] =
        shape.mask[axis] > 1 &&
        (stage.input.grid()[axis] > 1 || stage.boundary.rule[axis] == BoundaryRule::wrap);
  }
  return volume_steps_per_sweep(shape);
}

}  // namespace

Index choose_steps_per_sweep(const BoundStage& stage, Precision precision, bool is_on_gpu) {
  // Sums of several separable terms are limited by multiply-adds, not by memory bandwidth.
  if (stage.steps == 1 || stage.min_valid || stage.channels || stage.choice.method == Method::fft ||
      stage.choice.separable_terms() > 1)
    return 1;
  const Taps& taps = stage.choice.mask.taps;
  if (taps.depth > 1) return is_on_gpu ? 1 : steps_of_volume(stage, precision);
  StepShape shape{.mask = {taps.height, taps.width},
                  .adds = Index(stage.adds_per_point()),
                  .element = size_of(precision),
                  .steps = stage.steps,
                  .is_separable = stage.choice.separable_terms() == 1,
                  .skips_taps = direct_taps(stage.choice.mask) < taps.height * taps.width};
  shape.shares_rows = shares_rows(stage, precision);
  // A mask along the batch axis is stored along y.
  const int across = stage.mask_axis == batch_axis ? batch_axis : y_axis;
  shape.planes = smallest_part(stage.input, across == batch_axis ? y_axis : batch_axis);
  for (const int axis : {across, int{x_axis}}) {
    const int place = axis == x_axis ? 1 : 0;
    shape.block[place] = smallest_part(stage.input, axis);
    shape.repeats[place] =
        shape.mask[place] > 1 &&
        (stage.input.grid()[axis] > 1 || stage.boundary.rule[axis] == BoundaryRule::wrap);
  }
  return is_on_gpu ? gpu_steps_per_sweep(shape, deepest_of_gpu(stage, precision))
                   : steps_per_sweep(shape);
}

}  // namespace stencil
