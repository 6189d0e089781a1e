#include "drivers/pipeline/bound_stage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "drivers/pipeline/stage_rules.hpp"
#include "framework/grid/error.hpp"
#include "kernels/channels/channel_method.hpp"
#include "kernels/channels/channel_stencil.hpp"

namespace stencil {
namespace {

/// Returns the axes along which a mask has taps.
std::vector<int> axes_of(const Mask& mask) {
  if (mask.rank == 3) return {batch_axis, y_axis, x_axis};
  if (mask.rank == 2) return {y_axis, x_axis};
  return {mask.axis};
}

/// Returns the axis of transforms and of one-dimensional kernels.
Axis main_axis_of(const Mask& mask) {
  if (mask.rank == 1) return mask.axis;
  return mask.taps.width == 1 && mask.taps.height > 1 ? y_axis : x_axis;
}

/// Returns the sampling along an axis along which the mask has taps.
AxisSampling sampling_along(int axis, const Stage& stage, const Point& shape) {
  const Mask& mask = stage.mask;
  const auto make = [&](Index taps, Index centre, Index stride) {
    return make_sampling(stage.extent, shape[axis], taps, centre, stride, stage.crop[axis].shift);
  };
  if (mask.rank == 3 && axis == batch_axis)
    return make(mask.taps.depth, mask.centre_plane, stage.plane_stride);
  if (axis == x_axis) return make(mask.taps.width, mask.centre[1], stage.stride[1]);
  return make(mask.taps.height, mask.centre[0], stage.stride[0]);
}

/// Returns a stage with channels or a bank with `mask` set to the mask that gives extent and
/// centre.
Stage with_mask(Stage stage) {
  if (stage.channels) {
    require_channels_possible(stage);
    stage.mask = first_plane(*stage.channels);
  }
  const bool is_empty = stage.mask.taps.values.empty() && !stage.mask.factors;
  if (!stage.bank.empty() && is_empty) stage.mask = stage.bank.front();
  require_sound(stage.mask);
  if (!stage.bank.empty()) require_bank_possible(stage);
  return stage;
}

/// Returns the batch sampling of a mask of channels. The channels of whole images fold into the
/// batch axis.
AxisSampling sampling_of_channels(const ChannelMask& mask, const Point& shape) {
  const Index batch = shape[batch_axis], channels = mask.channels();
  if (channels < 1 || batch % channels != 0)
    throw ShapeError(
        fmt::format("the batch extent {} (shape {}) is not a multiple of the {} input channels of "
                    "the mask: pass whole images",
                    batch, to_string(shape), channels));
  return make_block_sampling(batch / channels, channels, mask.out);
}

std::array<AxisSampling, axes> sampling_of(const Stage& stage, const Point& shape) {
  std::array<AxisSampling, axes> sampling;
  for (int axis = 0; axis < axes; ++axis)
    sampling[axis] = make_sampling(Extent::same, shape[axis], 1, 0, 1, stage.crop[axis].shift);
  for (const int axis : axes_of(stage.mask)) sampling[axis] = sampling_along(axis, stage, shape);
  for (int axis = 0; axis < axes; ++axis)
    if (const Index count = stage.crop[axis].count; count != 0) {
      if (count < 0 || count > sampling[axis].count)
        throw ShapeError(fmt::format("{} outputs wanted of {}", count, sampling[axis].count));
      sampling[axis].count = count;
    }
  if (stage.channels) sampling[batch_axis] = sampling_of_channels(*stage.channels, shape);
  if (!stage.bank.empty())
    sampling[batch_axis] = make_block_sampling(shape[batch_axis], 1, std::ssize(stage.bank));
  return sampling;
}

/// Makes all checks that could reject the mask later.
template <class T>
void require_kernel_possible(const BoundStage& stage) {
  const auto require = [&](const MethodChoice& choice) {
    make_stencil<T>(choice.mask, choice.method, stage.stride, stage.min_valid, choice.blocks,
                    choice.tiles, FftTables::left_out);
  };
  if (stage.channels)
    make_channel_stencil<T>(*stage.channels, stage.stride);
  else if (stage.bank.empty())
    require(stage.choice);
  if (stage.rows && stage.rows->has_masks())
    for (const Mask& mask : *stage.rows->masks)
      make_stencil<T>(mask, Method::direct, stage.stride, stage.min_valid);
  for (std::size_t k = 0; k < stage.bank.size(); ++k) try {
      require(stage.bank[k]);
    } catch (const ShapeError& error) {
      throw ShapeError(fmt::format("filter {} of the bank: {}", k, error.what()));
    }
}

/// Chooses for each mask of a bank the method of a single mask. `choice` becomes the first FFT,
/// which reads the most inputs, or else the first mask.
void choose_methods(const Stage& stage, double epsilon, const MethodSite& site, BoundStage& bound) {
  for (const Mask& mask : stage.bank)
    bound.bank.push_back(choose_method(mask, stage.method, epsilon, site));
  const auto by_fft = [](const MethodChoice& choice) { return choice.method == Method::fft; };
  const auto widest = std::find_if(bound.bank.begin(), bound.bank.end(), by_fft);
  if (!bound.bank.empty())
    bound.choice = widest == bound.bank.end() ? bound.bank.front() : *widest;
  else
    bound.choice = choose_method(stage.mask, stage.method, epsilon, site);
}

}  // namespace

bool BoundStage::is_mixed() const {
  const std::string method = to_string(choice);
  return std::any_of(bank.begin(), bank.end(),
                     [&](const MethodChoice& one) { return to_string(one) != method; });
}

std::string BoundStage::methods() const {
  if (!is_mixed()) return to_string(choice);
  std::map<std::string, Index> counts;
  for (const MethodChoice& one : bank) ++counts[to_string(one)];
  std::vector<std::string> words;
  for (const auto& [method, count] : counts) words.push_back(fmt::format("{} {}", count, method));
  return fmt::format("{}", fmt::join(words, ", "));
}

MethodSite method_site(const BoundStage& stage, Precision precision, Backend backend, Index batch) {
  const auto dense = [](const AxisSampling& axis) { return (axis.count - 1) * axis.stride + 1; };
  MethodSite site{.stride = stage.stride,
                  .steps = stage.steps,
                  .renormalizes = stage.min_valid.has_value(),
                  .backend = backend};
  site.world = {{dense(stage.sampling[y_axis]), dense(stage.sampling[x_axis])},
                batch,
                size_of(precision),
                stage.sampling[x_axis].low(0)};
  for (int axis = 0; axis < axes; ++axis) {
    const Index count = axis == batch_axis ? batch : stage.sampling[axis].count;
    if (axis != stage.mask_axis) site.lines = checked_multiply(site.lines, count);
  }
  site.axis_outputs = stage.sampling[stage.mask_axis].count;
  return site;
}

std::array<Interval, 2> BoundStage::fitted(int axis, const Interval& outputs) const {
  if (!edge_fit || axis != mask_axis) return {};
  const AxisSampling& s = sampling[axis];
  const Index reach = edge_fit->size / 2;
  return {intersect(outputs, {-s.first, reach - s.first}),
          intersect(outputs, {s.extent - reach - s.first, s.extent - s.first})};
}

Interval BoundStage::reads(int axis, const Interval& outputs) const {
  Interval read = reads_of_mask(axis, outputs);
  const auto ends = fitted(axis, outputs);
  if (!ends[0].empty()) read.last = std::max(read.last, edge_fit->size);
  if (!ends[1].empty()) read.first = std::min(read.first, sampling[axis].extent - edge_fit->size);
  if (!ends[0].empty()) read.first = std::min<Index>(read.first, 0);
  if (!ends[1].empty()) read.last = std::max(read.last, sampling[axis].extent);
  return read;
}

Interval BoundStage::reads_of_mask(int axis, const Interval& outputs) const {
  const AxisSampling& s = sampling[axis];
  if (fft_reads_beyond(axis) == 0 || outputs.empty()) return s.reads(outputs);
  const FftTiles& tiles = choice.tiles;
  const Interval whole =
      tiles.empty() ? choice.blocks.reads(outputs, s.stride, s.count)
                    : (axis == x_axis ? tiles.x : tiles.y).reads(outputs, s.stride, s.count);
  return {s.low(0) + whole.first, s.low(0) + whole.last};
}

Index BoundStage::reads_beyond(int axis) const {
  const Index fit = edge_fit && axis == mask_axis ? edge_fit->size / 2 : 0;
  return std::max(fft_reads_beyond(axis), fit);
}

Index BoundStage::fft_reads_beyond(int axis) const {
  if (choice.method != Method::fft) return 0;
  if (choice.tiles.empty()) return axis == mask_axis ? choice.blocks.pair() - 1 : 0;
  return axis == batch_axis ? 0 : (axis == x_axis ? choice.tiles.x : choice.tiles.y).inputs() - 1;
}

Anchor BoundStage::anchor(const Point& first) const {
  return {first[mask_axis], sampling[mask_axis].count, first[y_axis], sampling[y_axis].count,
          first};
}

BoundStage bind_to_shape(const Stage& given, const Point& shape, Precision precision,
                         Backend backend) {
  const bool is_double = precision == Precision::float64;
  const Stage stage = with_mask(given);
  require_value_fits(stage.boundary.value, precision);
  BoundStage bound;
  bound.name = stage.name;
  bound.channels = stage.channels;
  bound.mask_axis = main_axis_of(stage.mask);
  bound.sampling = sampling_of(stage, shape);
  bound.stride = stage.stride;
  bound.boundary = stage.boundary;
  bound.steps = stage.steps;
  bound.min_valid = stage.min_valid;
  bound.edge_fit = stage.edge_fit;
  bound.rows = stage.rows;
  require_shape_kept(stage, bound.sampling);
  require_fit_possible(stage, bound.sampling[bound.mask_axis], backend);
  require_rows_possible(stage, shape, backend);
  require_taps_under_strides(stage);
  require_volume_possible(stage, backend);
  MethodSite site =
      method_site(bound, precision, backend, shape[batch_axis] / stage.filters_before);
  site.steps += stage.steps_elsewhere;
  if (stage.channels)
    bound.choice = choose_for_channels(*stage.channels, stage.method, site);
  else if (stage.rows && stage.rows->has_masks())
    bound.choice = direct_sum(stage.mask, "a mask for each latitude");
  else
    choose_methods(
        stage,
        is_double ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon(),
        site, bound);
  if (is_double)
    require_kernel_possible<double>(bound);
  else
    require_kernel_possible<float>(bound);
  return bound;
}

Halo nominal_halo(const BoundStage& stage) {
  Halo halo;
  for (int axis = 0; axis < axes; ++axis) {
    halo.low[axis] = stage.sampling[axis].centre;
    halo.high[axis] = stage.sampling[axis].width - 1 - stage.sampling[axis].centre;
    const Index beyond = std::min(stage.sampling[axis].extent, stage.reads_beyond(axis));
    halo.low[axis] += beyond;
    halo.high[axis] += beyond;
  }
  return halo;
}

StepAxis step_axis(const BoundStage& stage, int axis, const Interval& owned) {
  const AxisSampling& sampling = stage.sampling[axis];
  return {{-owned.first, sampling.extent - owned.first},
          stage.boundary.rule[axis],
          sampling.centre,
          sampling.width - 1 - sampling.centre};
}

namespace {

/// Returns the inputs that the k-th block along an axis reads in one sweep, in global indices.
Interval reads_of_sweep(const BoundStage& stage, int axis, Index k) {
  const Interval outputs = stage.output.part(axis, k);
  if (stage.steps_per_sweep == 1 || outputs.empty()) return stage.reads(axis, outputs);
  const StepAxis along = step_axis(stage, axis, outputs);
  const Interval reads =
      reads_of_start(along, level_spans(along, {0, outputs.extent()}, stage.steps_per_sweep));
  return {reads.first + outputs.first, reads.last + outputs.first};
}

}  // namespace

Halo needed_halo(const BoundStage& stage) {
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
