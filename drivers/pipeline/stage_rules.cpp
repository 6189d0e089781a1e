#include "drivers/pipeline/stage_rules.hpp"

#include <fmt/format.h>

#include <cmath>

#include "framework/grid/error.hpp"

namespace stencil {

void require_channels_possible(const Stage& stage) {
  if (!stage.mask.taps.values.empty() || stage.mask.factors) {
    const Mask& mask = stage.mask;
    const Mask plane = first_plane(*stage.channels);
    if (mask.taps.height != plane.taps.height || mask.taps.width != plane.taps.width ||
        mask.centre != plane.centre || mask.taps.values != plane.taps.values || mask.factors)
      throw ShapeError(
          "a mask that is given together with a mask of channels, but is not its first plane: "
          "leave the mask out, and "
          "give an origin to make_channel_mask");
  }
  if (!stage.bank.empty()) throw ShapeError("a bank of filters cannot mix channels as well");
  if (stage.min_valid)
    throw ShapeError(fmt::format(
        "min_valid = {}: missing points are not left out of sums over channels", *stage.min_valid));
}

void require_bank_possible(const Stage& stage) {
  if (stage.steps > 1)
    throw ShapeError(fmt::format("{} steps keep the shape, but a bank makes {} outputs of an input",
                                 stage.steps, stage.bank.size()));
  for (std::size_t k = 0; k < stage.bank.size(); ++k) {
    const Mask& mask = stage.bank[k];
    require_sound(mask);
    if (mask.rank == 3 || (mask.rank == 1 && mask.axis == batch_axis))
      throw ShapeError("a bank of filters runs along y, x or both, not along batch");
    if (mask.rank != stage.mask.rank || mask.axis != stage.mask.axis ||
        mask.taps.height != stage.mask.taps.height || mask.taps.width != stage.mask.taps.width ||
        mask.centre != stage.mask.centre)
      throw ShapeError(
          fmt::format("filter {} of the bank has another shape, centre or axis than the "
                      "mask or the first filter",
                      k));
  }
}

void require_value_fits(double value, Precision precision) {
  if (precision == Precision::float32 && std::isinf(static_cast<float>(value)))
    throw ShapeError(fmt::format("a boundary value of {} is too large for float32", value));
}

void require_shape_kept(const Stage& stage, const std::array<AxisSampling, axes>& sampling) {
  if (stage.steps < 1) throw ShapeError(fmt::format("a stage of {} steps", stage.steps));
  if (stage.steps == 1) return;
  for (const AxisSampling& axis : sampling)
    if (axis.count != axis.extent || axis.first != 0)
      throw ShapeError(fmt::format("{} steps keep the shape, but one makes {} outputs of {} inputs",
                                   stage.steps, axis.count, axis.extent));
}

void require_taps_under_strides(const Stage& stage) {
  if (stage.mask.rank != 1) return;
  const bool along_x = stage.mask.axis == x_axis;
  if (stage.stride[along_x ? 0 : 1] != 1)
    throw ShapeError(fmt::format("a stride of {} along {}, where the mask has no taps",
                                 stage.stride[along_x ? 0 : 1], along_x ? "y" : "x"));
}

void require_volume_possible(const Stage& stage, Backend backend) {
  if (stage.mask.rank != 3) {
    if (stage.plane_stride != 1)
      throw ShapeError(
          fmt::format("a plane_stride of {}, and the mask does not have three axes: "
                      "use stride",
                      stage.plane_stride));
    return;
  }
  if (backend != Backend::cuda) return;
  if (stage.min_valid)
    throw ShapeError(
        "missing points are left out of sums over three axes on CPUs only: write backend = cpu");
  if (stage.method == MethodRequest::fft)
    throw ShapeError(
        "transforms of masks of three axes are computed on CPUs only: write backend = cpu, or "
        "method = auto");
}

void require_rows_possible(const Stage& stage, const Point& shape, Backend backend) {
  if (!stage.rows) return;
  const VaryingRows& rows = *stage.rows;
  const Index masks = rows.has_masks() ? std::ssize(*rows.masks) : 0;
  for (const Index count : {std::ssize(rows.factors), masks})
    if (count > 1 && count != shape[rows.axis])
      throw ShapeError(
          fmt::format("{} factors or masks for {} rows of inputs", count, shape[rows.axis]));
  if (masks > 0 && (stage.mask.rank != 1 || stage.edge_fit))
    throw ShapeError("masks that depend on the latitude run along one axis");
  if (masks > 0 && stage.method != MethodRequest::automatic &&
      stage.method != MethodRequest::direct)
    throw ShapeError(
        "masks that depend on the latitude are summed directly: write method = direct or auto");
  for (Index row = 0; row < masks; ++row) {
    const Mask& mask = (*rows.masks)[static_cast<std::size_t>(row)];
    if (mask.rank != 1 || mask.axis != stage.mask.axis || mask.centre[0] > stage.mask.centre[0] ||
        mask.centre[1] > stage.mask.centre[1] ||
        mask.taps.height - mask.centre[0] > stage.mask.taps.height - stage.mask.centre[0] ||
        mask.taps.width - mask.centre[1] > stage.mask.taps.width - stage.mask.centre[1])
      throw ShapeError(
          "the mask of a row reaches beyond the mask of the stage, or runs along "
          "another axis");
  }
  if (stage.steps != 1 || !stage.bank.empty() || stage.channels)
    throw ShapeError("results that depend on the latitude need a single step of a single mask");
  if (backend == Backend::cuda)
    throw ShapeError(
        "results that depend on the latitude are computed on CPUs only: write backend = cpu");
}

void require_fit_possible(const Stage& stage, const AxisSampling& axis, Backend backend) {
  if (!stage.edge_fit) return;
  const auto refuse = [](const char* needs, const char* remedy) {
    throw ShapeError(
        fmt::format("polynomials fitted at the edges (boundary = interp) {}: {}, or another "
                    "boundary",
                    needs, remedy));
  };
  const Index size = stage.edge_fit->size;
  if (stage.mask.rank != 1 || axis.width != size || axis.centre != size / 2)
    refuse("need a mask of one axis about its centre", "write origin = 0");
  if (stage.extent != Extent::same) refuse("need extent = same", "write extent = same");
  if (axis.stride != 1) refuse("need stride = 1", "take every n-th point in a later stage");
  if (stage.steps != 1) refuse("need steps = 1", "write steps = 1");
  if (stage.min_valid) refuse("cannot leave missing points out", "compute without min_valid");
  if (!stage.bank.empty() || stage.channels) refuse("need a single mask", "write one mask");
  if (backend == Backend::cuda) refuse("are computed on CPUs only", "write backend = cpu");
}

}  // namespace stencil
