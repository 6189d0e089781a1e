#include "drivers/plan_stage.hpp"

#include <fmt/format.h>

#include <limits>

#include "framework/grid/error.hpp"
#include "kernels/channels/channel_stencil.hpp"

namespace stencil {
namespace {

[[noreturn]] void refuse(const StageConfig& stage, const std::string& why) {
  throw WordsError(fmt::format("[{}] {}", stage.name, why));
}

BoundaryRule boundary_rule(const std::string& word) {
  for (const BoundaryRule rule :
       {BoundaryRule::reflect, BoundaryRule::mirror, BoundaryRule::nearest, BoundaryRule::wrap})
    if (word == to_string(rule)) return rule;
  return BoundaryRule::constant;
}

/// Turns a 1D mask that lies along x to lie along y, for masks along any other axis.
Mask turned(Mask mask) {
  std::swap(mask.taps.height, mask.taps.width);
  std::swap(mask.centre[0], mask.centre[1]);
  if (mask.factors) std::swap(mask.factors->column, mask.factors->row);
  return mask;
}

Extent extent_of(const std::string& word) {
  if (word == "valid") return Extent::valid;
  return word == "full" ? Extent::full : Extent::same;
}

}  // namespace

StagePlan bind_stage(const StageConfig& stage, const StageMask& mask, const NormalForm& form,
                     const Point& shape, const Config& config, ElementType compute_type) {
  const bool is_double = compute_type == ElementType::float64;
  const double precision_eps =
      is_double ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  StagePlan plan;
  plan.name = stage.name;
  const auto& dataset_axes = mask.dataset_axes;
  const bool two = dataset_axes.size() == 2;
  plan.mask_axis = form.normal_axis(dataset_axes.back());
  const Mask oriented = !two && plan.mask_axis != x_axis ? turned(mask.mask) : mask.mask;
  // the rungs of the ladder are kernels of the direct sum
  const bool is_rung = config.run.kernel != "auto" && stage.method == "auto";
  const MethodRequest request = stage.method == "direct" || is_rung ? MethodRequest::direct
                                : stage.method == "separable"       ? MethodRequest::separable
                                                                    : MethodRequest::automatic;
  plan.channels = mask.channels;
  try {
    plan.choice = mask.channels
                      ? MethodChoice{.mask = oriented, .reason = "all taps of all channels"}
                      : choose_method(oriented, request, precision_eps);
  } catch (const ShapeError& error) {
    refuse(stage, error.what());
  }
  for (int axis = 0; axis < axes; ++axis)
    plan.sampling[axis] = make_sampling(Extent::same, shape[axis], 1, 0, 1);
  plan.boundary.value = stage.boundary_value;
  plan.steps = stage.steps;
  for (std::size_t i = 0; i < dataset_axes.size(); ++i) {
    const int axis = form.normal_axis(dataset_axes[i]);
    const bool is_x = axis == x_axis;
    const Index width = is_x ? oriented.taps.width : oriented.taps.height;
    const Index centre = oriented.centre[is_x ? 1 : 0];
    const Index stride = value_along(stage, "stride", stage.stride, i, dataset_axes.size());
    const std::string rule = value_along(stage, "boundary", stage.boundary, i, dataset_axes.size());
    try {
      plan.sampling[axis] =
          make_sampling(extent_of(stage.extent), shape[axis], width, centre, stride);
    } catch (const ShapeError& error) {
      refuse(stage, error.what());
    }
    plan.stride[is_x ? 1 : 0] = stride;
    plan.boundary.rule[axis] = boundary_rule(rule);
  }
  if (plan.channels)
    plan.sampling[batch_axis] = make_block_sampling(shape[batch_axis] / plan.channels->channels(),
                                                    plan.channels->channels(), plan.channels->out);
  if (config.missing.policy == "renormalize") plan.min_valid = config.missing.min_valid;
  try {  // everything that could refuse the mask later, refused now, by name
    if (plan.channels && is_double)
      make_channel_stencil<double>(*plan.channels, plan.stride);
    else if (plan.channels)
      make_channel_stencil<float>(*plan.channels, plan.stride);
    else if (is_double)
      make_stencil<double>(plan.choice.mask, plan.choice.method, plan.stride, plan.min_valid);
    else
      make_stencil<float>(plan.choice.mask, plan.choice.method, plan.stride, plan.min_valid);
  } catch (const ShapeError& error) {
    refuse(stage, error.what());
  }
  return plan;
}

Halo nominal_halo(const StagePlan& stage) {
  Halo halo;
  for (int axis = 0; axis < axes; ++axis) {
    halo.low[axis] = stage.sampling[axis].centre;
    halo.high[axis] = stage.sampling[axis].width - 1 - stage.sampling[axis].centre;
  }
  return halo;
}

Halo needed_halo(const StagePlan& stage) {
  Halo halo;
  for (int axis = 0; axis < axes; ++axis)
    for (Index k = 0; k < stage.input.grid()[axis]; ++k) {
      const Interval reads = stage.sampling[axis].reads(stage.output.part(axis, k));
      if (reads.empty()) continue;
      const Interval owned = stage.input.part(axis, k);
      halo.low[axis] = std::max(halo.low[axis], owned.first - reads.first);
      halo.high[axis] = std::max(halo.high[axis], reads.last - owned.last);
    }
  return halo;
}

}  // namespace stencil
