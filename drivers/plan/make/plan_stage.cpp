#include "drivers/plan/make/plan_stage.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "drivers/plan/make/refuse.hpp"
#include "drivers/plan/make/stage_axes.hpp"
#include "drivers/plan/make/values_per_axis.hpp"
#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Turns a 1D mask, which is stored along x, to another axis.
Mask laid(Mask mask, Axis axis) {
  if (axis == x_axis) return mask;
  mask.axis = axis;
  std::swap(mask.taps.height, mask.taps.width);
  std::swap(mask.centre[0], mask.centre[1]);
  if (mask.factors) std::swap(mask.factors->column, mask.factors->row);
  return mask;
}

/// Permutes the axes of a three-dimensional mask to the order of the normal form.
Mask in_order(const Mask& mask, const std::vector<int>& dataset_axes, const NormalForm& form) {
  std::array<int, 3> order{};
  for (int axis = 0; axis < 3; ++axis)
    order[form.normal_axis(dataset_axes[static_cast<std::size_t>(axis)])] = axis;
  return reordered(mask, order);
}

/// Returns a complex mask as a mask of channels. The channels of the output are the real and
/// imaginary parts of the results. The channels of the input are the parts of the inputs, or the
/// inputs themselves if they are real.
ChannelMask of_parts(const Mask& real, const Mask& imaginary, bool are_inputs_complex) {
  std::vector<double> values = real.taps.values;
  const auto add = [&](const Mask& part, double sign) {
    for (const double tap : part.taps.values) values.push_back(sign * tap);
  };
  if (are_inputs_complex) add(imaginary, -1);
  add(imaginary, 1);
  if (are_inputs_complex) add(real, 1);
  ChannelMask mask = make_channel_mask(
      {2, are_inputs_complex ? 2 : 1, real.taps.height, real.taps.width}, std::move(values));
  mask.centre = real.centre;
  return mask;
}

Stage stage_of(const StageConfig& words, const StageMask& mask, const NormalForm& form,
               const Config& config, bool are_inputs_complex) {
  const auto& dataset_axes = mask.dataset_axes;
  const bool two = dataset_axes.size() == 2, three = dataset_axes.size() == 3;
  const bool is_turned = two && dataset_axes[0] > dataset_axes[1];
  Stage stage;
  stage.name = words.name;
  stage.channels = mask.channels;
  const auto in_form = [&](const Mask& one) {
    if (three) return in_order(one, dataset_axes, form);
    if (two) return is_turned ? transposed(one) : one;
    return laid(one, form.normal_axis(dataset_axes.front()));
  };
  if (mask.imaginary)
    stage.channels = of_parts(in_form(mask.mask), in_form(*mask.imaginary), are_inputs_complex);
  else if (!mask.channels)
    stage.mask = in_form(mask.mask);
  for (const Mask& one : mask.bank) stage.bank.push_back(in_form(one));
  for (std::size_t i = 0; i < dataset_axes.size(); ++i) {
    const int axis = form.normal_axis(dataset_axes[i]);
    (three && axis == batch_axis ? stage.plane_stride : stage.stride[axis == x_axis ? 1 : 0]) =
        value_along(words, "stride", words.stride, i, dataset_axes.size());
    stage.boundary.rule[axis] =
        value_along(words, "boundary", words.boundary, i, dataset_axes.size());
  }
  if (const auto& rows = mask.latitudes) {
    stage.rows = VaryingRows{form.normal_axis(rows->axis), rows->factors, {}};
    std::vector<Mask> masks;
    for (const double sigma : rows->sigma) masks.push_back(in_form(rows->mask_of(sigma)));
    stage.rows->masks = std::make_shared<const std::vector<Mask>>(std::move(masks));
  }
  stage.boundary.value = words.boundary_value;
  if (words.fits_edges) {
    const FamilyParameters& p = words.parameters;
    stage.edge_fit = savgol_fit(p.size.front(), static_cast<int>(p.polyorder),
                                static_cast<int>(p.deriv), delta_along(p, 0));
  }
  if (config.missing.edges == BeyondEdges::missing) {
    for (const int dataset_axis : dataset_axes)
      stage.boundary.rule[form.normal_axis(dataset_axis)] = BoundaryRule::constant;
    stage.boundary.value = config.missing.policy == MissingPolicy::fill
                               ? config.missing.fill_value
                               : std::numeric_limits<double>::quiet_NaN();
  }
  stage.extent = words.extent;
  stage.steps = words.steps;
  stage.method = words.method;
  if (config.missing.policy == MissingPolicy::renormalize && !stage.channels)
    stage.min_valid = config.missing.min_valid;
  return stage;
}

}  // namespace

BoundStage bind_stage(const StageConfig& words, const StageMask& mask, const NormalForm& form,
                      const Point& shape, const Config& config, Precision precision,
                      Backend backend, const std::array<Crop, axes>& crop, Index filters_before,
                      Index steps_elsewhere, bool are_inputs_complex) {
  Stage stage;
  try {
    stage = stage_of(words, mask, form, config, are_inputs_complex);
  } catch (const ShapeError& error) {
    refuse(words, error.what());
  }
  stage.filters_before = filters_before;
  stage.steps_elsewhere = steps_elsewhere;
  stage.crop = crop;
  const double beyond = stage.boundary.value;
  if (precision == Precision::float32 && std::isinf(static_cast<float>(beyond)))
    refuse(words, fmt::format("boundary_value = {} is too large for float32: write a smaller one, "
                              "or use run.precision = float64",
                              stage.boundary.value));
  try {
    return bind_to_shape(stage, shape, precision, backend);
  } catch (const ShapeError& error) {
    refuse(words, error.what());
  }
}

}  // namespace stencil
