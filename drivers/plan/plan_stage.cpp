#include "drivers/plan/plan_stage.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "drivers/plan/refuse.hpp"
#include "framework/grid/error.hpp"
#include "io/hdf5/element_type.hpp"
#include "kernels/channels/channel_stencil.hpp"
#include "kernels/step_depth.hpp"

namespace stencil {
namespace {

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

MethodRequest request_of(const std::string& word) {
  if (word == "direct") return MethodRequest::direct;
  if (word == "separable") return MethodRequest::separable;
  return word == "fft" ? MethodRequest::fft : MethodRequest::automatic;
}

/// What the mask is laid on, from a plan that knows its sampling.
MethodSite site_of(const StagePlan& plan) {
  MethodSite site{.renormalizes = plan.min_valid.has_value()};
  for (int axis = 0; axis < axes; ++axis) {
    const AxisSampling& sampling = plan.sampling[axis];
    if (axis != plan.mask_axis) site.lines = checked_multiply(site.lines, sampling.count);
    site.stride = checked_multiply(site.stride, sampling.stride);
  }
  site.axis_outputs = plan.sampling[plan.mask_axis].count;
  return site;
}

}  // namespace

Interval StagePlan::reads(int axis, const Interval& outputs) const {
  const AxisSampling& s = sampling[axis];
  if (choice.method != Method::fft || axis != mask_axis || outputs.empty()) return s.reads(outputs);
  const Interval pairs = choice.blocks.reads(outputs, s.stride, s.count);
  return {s.low(0) + pairs.first, s.low(0) + pairs.last};
}

StagePlan bind_stage(const StageConfig& stage, const StageMask& mask, const NormalForm& form,
                     const Point& shape, const Config& config, ElementType compute_type) {
  const bool is_double = compute_type == ElementType::float64;
  const double precision_eps =
      is_double ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  StagePlan plan;
  plan.name = stage.name;
  const auto& dataset_axes = mask.dataset_axes;
  const bool two = dataset_axes.size() == 2;
  // a 2D mask of one column runs along its first axis alone
  const bool is_column = two && mask.mask.taps.width == 1 && mask.mask.taps.height > 1;
  plan.mask_axis = form.normal_axis(is_column ? dataset_axes.front() : dataset_axes.back());
  const Mask oriented = !two && plan.mask_axis != x_axis ? turned(mask.mask) : mask.mask;
  plan.channels = mask.channels;
  for (int axis = 0; axis < axes; ++axis)
    plan.sampling[axis] = make_sampling(Extent::same, shape[axis], 1, 0, 1);
  plan.boundary.value = stage.boundary_value;
  if (!is_double && !std::isfinite(float(stage.boundary_value)))
    refuse(stage, fmt::format("boundary_value = {} is too large for float32: write a smaller one, "
                              "or use run.precision = float64",
                              stage.boundary_value));
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
  const MethodSite site = site_of(plan);
  // the rungs of the ladder are kernels of the direct sum
  const bool is_rung = config.run.kernel != "auto" && stage.method == "auto";
  try {
    plan.choice = mask.channels
                      ? MethodChoice{.mask = oriented, .reason = "all taps of all channels"}
                      : choose_method(oriented, request_of(is_rung ? "direct" : stage.method),
                                      precision_eps, site);
  } catch (const ShapeError& error) {
    if (is_rung)
      refuse(stage, fmt::format("run.kernel = {} computes direct sums, and a mask of {} x {} taps "
                                "is too large for them: use run.kernel = auto",
                                config.run.kernel, oriented.taps.height, oriented.taps.width));
    refuse(stage, error.what());
  }
  try {  // everything that could refuse the mask later, refused now, by name
    if (plan.channels && is_double)
      make_channel_stencil<double>(*plan.channels, plan.stride);
    else if (plan.channels)
      make_channel_stencil<float>(*plan.channels, plan.stride);
    else if (is_double)
      make_stencil<double>(plan.choice.mask, plan.choice.method, plan.stride, plan.min_valid,
                           plan.choice.blocks);
    else
      make_stencil<float>(plan.choice.mask, plan.choice.method, plan.stride, plan.min_valid,
                          plan.choice.blocks);
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
  if (stage.choice.method == Method::fft) {
    const Index inputs = stage.sampling[stage.mask_axis].extent;
    for (Point* side : {&halo.low, &halo.high}) {
      Index& depth = (*side)[stage.mask_axis];
      depth += std::min(inputs, stage.choice.blocks.pair() - 1);
    }
  }
  return halo;
}

StepAxis step_axis(const StagePlan& stage, int axis, const Interval& owned) {
  const AxisSampling& sampling = stage.sampling[axis];
  return {{-owned.first, sampling.extent - owned.first},
          stage.boundary.rule[axis],
          sampling.centre,
          sampling.width - 1 - sampling.centre};
}

namespace {

/// Inputs that the k-th block along an axis reads in one sweep, in global indices.
Interval reads_of_sweep(const StagePlan& stage, int axis, Index k) {
  const Interval outputs = stage.output.part(axis, k);
  if (stage.steps_per_sweep == 1 || outputs.empty()) return stage.reads(axis, outputs);
  const StepAxis along = step_axis(stage, axis, outputs);
  const Interval reads =
      reads_of_start(along, level_spans(along, {0, outputs.extent()}, stage.steps_per_sweep));
  return {reads.first + outputs.first, reads.last + outputs.first};
}

Index smallest_part(const Decomposition& blocks, int axis) {
  Index least = blocks.part(axis, 0).extent();
  for (Index k = 1; k < blocks.grid()[axis]; ++k)
    least = std::min(least, blocks.part(axis, k).extent());
  return least;
}

/// used_places or used_factors of a mask of three rows, columns or both around its centre, as the
/// taps are rounded; 0 for any other.
unsigned places_of(const StagePlan& stage, ElementType compute_type) {
  const Mask& mask = stage.choice.mask;
  const Index height = mask.taps.height, width = mask.taps.width;
  const auto fits = [](Index size, Index centre) { return size == 2 * centre + 1 && size <= 3; };
  if (!fits(height, mask.centre[0]) || !fits(width, mask.centre[1])) return 0;
  const auto rounded = [&](std::vector<double> taps) {
    if (compute_type == ElementType::float32)
      for (double& tap : taps) tap = float(tap);
    return taps;
  };
  if (stage.choice.separable_terms() == 1)
    return used_factors(rounded(mask.factors->column), rounded(mask.factors->row),
                        mask.multiply_zeros);
  if (stage.choice.method != Method::direct) return 0;
  return used_places(rounded(mask.taps.values), height, width, mask.multiply_zeros);
}

}  // namespace

Index choose_steps_per_sweep(const StagePlan& stage, ElementType compute_type,
                             const Config::Run& run) {
  // the sums of several terms are bound by multiply-adds, not by memory
  if (stage.steps == 1 || stage.min_valid || stage.channels || stage.choice.method == Method::fft ||
      stage.choice.separable_terms() > 1 || run.kernel != "auto")
    return 1;
  const Taps& taps = stage.choice.mask.taps;
  StepShape shape{.mask = {taps.height, taps.width},
                  .adds = Index(stage.adds_per_point()),
                  .element = static_cast<Index>(size_of(compute_type)),
                  .steps = stage.steps};
  const unsigned places = places_of(stage, compute_type);
  shape.shares_rows = places == all_places || places == plus_places;
  // a mask along the batch axis is laid along y
  const int across = stage.mask_axis == batch_axis ? batch_axis : y_axis;
  for (const int axis : {across, x_axis}) {
    const int place = axis == x_axis ? 1 : 0;
    shape.block[place] = smallest_part(stage.input, axis);
    shape.repeats[place] =
        shape.mask[place] > 1 &&
        (stage.input.grid()[axis] > 1 || stage.boundary.rule[axis] == BoundaryRule::wrap);
  }
  return run.backend == "cuda" ? gpu_steps_per_sweep(shape, places) : steps_per_sweep(shape);
}

Halo needed_halo(const StagePlan& stage) {
  Halo halo;
  for (int axis = 0; axis < axes; ++axis)
    for (Index k = 0; k < stage.input.grid()[axis]; ++k) {
      const Interval reads = reads_of_sweep(stage, axis, k);
      if (reads.empty()) continue;
      const Interval owned = stage.input.part(axis, k);
      halo.low[axis] = std::max(halo.low[axis], owned.first - reads.first);
      halo.high[axis] = std::max(halo.high[axis], reads.last - owned.last);
    }
  return halo;
}

}  // namespace stencil
