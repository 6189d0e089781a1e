#include "kernels/method/gpu_costs.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/generated/step_spec.hpp"
#include "kernels/generated/strip_spec.hpp"

namespace stencil {
namespace {

/// Number of multiply-adds per output that take no additional time, because they overlap with
/// memory traffic. It is the same for all GPUs.
constexpr double hidden_adds = 40;
/// Numbers of taps from which on kernels are limited by multiply-adds.
constexpr Index many_line_taps = 64, many_taps = 100, many_taps_float64 = 72, many_rows = 33;

double divide_up(double a, double b) {
  return std::ceil(a / b);
}

bool is_strided(const MethodSite& site) {
  return site.stride != std::array<Index, 2>{1, 1};
}

/// Returns the number of inputs that are read: all inputs of the world, because strides skip less
/// than a cache line.
double inputs_of(const OutputsGrid& grid, const Taps& taps, const MethodSite& site) {
  const double rows =
      double((grid.rows - 1) * (taps.width == 1 ? 1 : site.stride[0]) + taps.height);
  const double columns =
      double((grid.columns - 1) * (taps.height == 1 ? 1 : site.stride[1]) + taps.width);
  return double(grid.batch) * rows * columns;
}

/// Returns whether a direct mask without strides has a generated kernel. This is the case for masks
/// with zeros, and for dense masks of uncommon shapes with at most `many_taps` taps (in float64
/// `many_taps_float64`), if the kernel supports them.
bool is_generated(const Mask& mask, Index element) {
  const Taps& taps = mask.taps;
  const Index multiplied = direct_taps(mask);
  const bool is_dense = multiplied == Index(taps.values.size());
  if (is_dense && taps.height == taps.width && taps.height > 2) return false;
  if (is_dense && multiplied > (element == 8 ? many_taps_float64 : many_taps)) return false;
  generated::StripSpec spec;
  spec.element = int(element);
  spec.height = int(taps.height);
  spec.width = int(taps.width);
  spec.lead = 16 / int(element) - 1;
  for (const double tap : taps.values) spec.multiplied.push_back(is_dense || tap != 0);
  return generated::fits_strip_walk(spec);
}

/// Returns whether so few taps are not 0 that a kernel lists these (is_sparse in
/// cuda/production/choice.cpp).
bool is_listed(const Mask& mask, const MethodSite& site) {
  const Index element = site.world.element, multiplied = direct_taps(mask),
              taps = mask.taps.height * mask.taps.width;
  constexpr Index most_taps = 50000;  // as in strided_any.cu
  if (multiplied == taps || multiplied * (element + 4) > 3400 || taps > most_taps) return false;
  if (is_strided(site)) return (element == 4 ? 8 : 5) * multiplied <= taps;
  return (element == 4 ? 28 : 12) * multiplied <= taps && !is_generated(mask, element);
}

/// Returns the number of steps in one sweep; 1 if each step is a separate sweep.
Index steps_in_a_sweep(const Mask& mask, Index terms, const MethodSite& site) {
  const Taps& taps = mask.taps;
  if (site.steps == 1 || site.renormalizes || is_strided(site) || terms > 1 || taps.depth > 1)
    return 1;
  const int element = int(site.world.element);
  const auto step_mask =
      terms > 0 ? generated::separable_step_mask(element, mask.factors->column, mask.factors->row,
                                                 mask.multiply_zeros)
                : generated::direct_step_mask(element, taps.height, taps.width, taps.values,
                                              mask.multiply_zeros);
  return step_mask ? std::min<Index>(site.steps, generated::deepest_sweep(*step_mask)) : 1;
}

Way way_along_one_axis(const Taps& taps, const MethodSite& site) {
  const bool along_x = taps.height == 1, is_long = taps.height * taps.width > many_line_taps;
  if (is_strided(site)) return along_x ? Way::gpu_line_strided : Way::gpu_column_strided;
  if (along_x) return is_long ? Way::gpu_line_long : Way::gpu_line;
  return is_long ? Way::gpu_column_long : Way::gpu_column;
}

Way way_of_factors(const Taps& taps, Index terms, const MethodSite& site) {
  if (site.renormalizes) return Way::gpu_separable_valid;
  if (terms > 1) return Way::gpu_sum;
  if (is_strided(site)) return Way::gpu_separable_strided;
  return std::max(taps.height, taps.width) > many_rows ? Way::gpu_separable_large
                                                       : Way::gpu_separable;
}

Way way_of(const Mask& mask, Index terms, const MethodSite& site) {
  const Taps& taps = mask.taps;
  if (steps_in_a_sweep(mask, terms, site) > 1)
    return terms > 0 ? Way::gpu_steps_separable : Way::gpu_steps;
  if (terms > 0) return way_of_factors(taps, terms, site);
  if (site.renormalizes) return Way::gpu_valid;
  if (taps.height == 1 || taps.width == 1) return way_along_one_axis(taps, site);
  if (taps.depth == 1 && is_listed(mask, site)) return Way::gpu_listed;
  if (is_strided(site)) return Way::gpu_dense_strided;
  const Index multiplied = direct_taps(mask);
  if (taps.depth == 1 && multiplied < Index(taps.values.size()))
    return is_generated(mask, site.world.element) ? Way::gpu_sparse : Way::gpu_sparse_large;
  return multiplied > many_taps ? Way::gpu_dense_large : Way::gpu_dense;
}

/// Returns the number of bands of a direct mask. The taps of a band must fit into the arguments of
/// a launch.
double bands_of(const Taps& taps, Index terms, Index element) {
  constexpr double most_argument_bytes = 3808;
  if (terms > 0) return 1;
  return divide_up(double(taps.height * taps.width * element), most_argument_bytes);
}

/// Returns whether rows of `width` taps have separate, unrolled loops in float32.
/// (cuda/production/tile_wide.cu).
bool has_unrolled_rows(Index width) {
  return width >= 8 && width <= 33 && width != 22 && width != 26 && width != 28 && width != 30;
}

/// Returns the number of multiply-adds per output that have a separate cost, because they are
/// slower or faster than all others. It depends on the way and the type.
double special_adds(Way way, const Taps& taps, Index terms, Index adds, Index element) {
  constexpr Index most_rows_of_pairs = 32, most_strip_rows = 65, most_strip_columns = 120;
  switch (way) {
    case Way::gpu_dense_strided:  // zeros are tested one by one
      return adds < taps.height * taps.width ? double(taps.height * taps.width) : 0;
    case Way::gpu_sum:
      return terms > 2 || taps.height > most_rows_of_pairs ? double(adds) : 0;
    case Way::gpu_separable_large:
      return taps.height > most_strip_rows || taps.width > most_strip_columns ? double(adds) : 0;
    case Way::gpu_line_long:
    case Way::gpu_column_long:
    case Way::gpu_dense:
    case Way::gpu_dense_large:
      // tensor cores process columns of taps in groups of four and outputs in groups of eight
      if (element == 8) return double(taps.height) * 4 * divide_up(double(taps.width) + 7, 4);
      return has_unrolled_rows(taps.width) ? 0 : double(adds);
    default:
      return 0;
  }
}

/// Returns whether the tiles of the inputs under strided outputs are too large for shared memory.
bool has_wide_strides(const Taps& taps, const MethodSite& site) {
  constexpr Index many_inputs = 6, large_side = 20;
  return std::max(site.stride[0], site.stride[1]) > many_inputs &&
         std::max(taps.height, taps.width) > large_side;
}

/// Returns amount 5 of gpu_costs.hpp for one output: the number of multiply-adds that take longer
/// than others because of strides or, if there are none, the number of bands after the first one.
double slow_adds(Way way, const Taps& taps, const MethodSite& site, double adds, double bands) {
  // for longer strides the kernel computes all row sums of every output (strided_separable.cu)
  constexpr Index most_separable_stride = 8;
  if (way == Way::gpu_separable_strided)
    return site.stride[1] > most_separable_stride ? double(taps.height * taps.width) : 0;
  return has_wide_strides(taps, site) ? adds : bands - 1;
}

/// Bytes of one complex transform.
double transform_bytes(double points, const MethodSite& site) {
  return 2 * points * double(site.world.element);
}

/// Returns whether `bytes` bytes of transforms fit into shared memory.
bool fits_on_chip(double bytes) {
  return bytes <= double(200 << 10);
}

/// Sets the amounts of work of `transforms` complex transforms in every step.
/// @param part_bytes  bytes of the transforms that are in device memory at the same time; if 0, the
///                    transforms stay in shared memory
void count_transforms(double transforms, double points, double part_bytes, const MethodSite& site,
                      WayWork& work) {
  const double steps = double(site.steps), all = steps * transforms * points;
  const double bytes = transforms * transform_bytes(points, site);
  work.amounts[0] = steps;
  work.amounts[2] = all;
  work.amounts[3] = all * std::log2(points);
  work.amounts[4] = work.outputs;
  work.amounts[7] = steps * (part_bytes > 0 ? divide_up(bytes, part_bytes) : 1);
  work.amounts[8] = points;
  work.amounts[9] = 1;
  work.amounts[11] = steps * points;
}

}  // namespace

WayWork gpu_work_by_taps(const Mask& mask, Index terms, const MethodSite& site) {
  const Taps& taps = mask.taps;
  const OutputsGrid grid = grid_of(taps, site);
  const Index element = site.world.element, depth = steps_in_a_sweep(mask, terms, site);
  const Index passes = taps.height + taps.width + (taps.depth > 1 ? taps.depth : 0);
  const Index multiplied = terms > 0 ? terms * passes : direct_taps(mask);
  WayWork work{.way = way_of(mask, terms, site)};
  const bool lists = work.way == Way::gpu_listed;
  const bool is_plain =
      terms == 0 && !is_strided(site) && !site.renormalizes && depth == 1 && taps.depth == 1;
  const bool generated = is_plain && is_generated(mask, element);
  const double steps = double(site.steps), outputs = steps * grid.outputs(),
               inputs = inputs_of(grid, taps, site), adds = double(multiplied),
               bands = lists || generated ? 1 : bands_of(taps, terms, element);
  const double sweeps = divide_up(steps, double(depth));
  work.outputs = outputs;
  work.amounts[0] = sweeps * bands;
  work.amounts[1] = sweeps * (inputs + grid.outputs());
  work.amounts[2] = outputs * adds;
  work.amounts[3] = outputs * std::max(0.0, adds - hidden_adds);
  work.amounts[4] = outputs;
  work.amounts[5] = outputs * slow_adds(work.way, taps, site, adds, bands);
  work.amounts[6] = outputs * double(taps.height - 1);
  work.amounts[7] = sweeps * adds;
  work.amounts[8] = generated ? 1 : 0;
  work.amounts[9] = 1;
  work.amounts[10] = outputs * special_adds(work.way, taps, terms, multiplied, element);
  work.amounts[11] = terms > 0 ? outputs * double(terms * taps.width * site.stride[0])
                     : is_strided(site) || lists ? steps * inputs
                                                 : 0;
  return work;
}

WayWork gpu_work_by_blocks(const FftBlocks& blocks, const Mask& mask, const MethodSite& site) {
  const bool along_x = mask.taps.height == 1;
  const OutputsGrid grid = grid_of(mask.taps, site);
  const Index element = site.world.element, stride = site.stride[along_x ? 1 : 0];
  const double dense = double(((along_x ? grid.columns : grid.rows) - 1) * stride + 1);
  const double lines = along_x ? double(grid.rows) : double(grid.batch * grid.columns);
  const double bytes = transform_bytes(double(blocks.points), site);
  const double columns_at_once = along_x ? 1 : 32 / double(element);
  const bool in_memory = !fits_on_chip(bytes * columns_at_once);
  const Way on_chip_way = along_x ? Way::gpu_fft_line : Way::gpu_fft_column,
            other_way = along_x ? Way::gpu_fft_line_in_memory : Way::gpu_fft_column_in_memory;
  WayWork work{.way = in_memory ? other_way : on_chip_way,
               .outputs = double(site.steps) * grid.outputs()};
  count_transforms(lines * divide_up(dense, double(blocks.pair())), double(blocks.points),
                   in_memory ? double(48 << 20) : 0, site, work);
  work.amounts[1] = double(site.steps) * lines * dense + work.outputs;
  work.amounts[5] = fits_on_chip(bytes) ? 0 : work.amounts[2];
  work.amounts[10] = double(site.steps) * lines * dense - work.outputs;
  return work;
}

WayWork gpu_work_by_tiles(const FftTiles& tiles, const MethodSite& site) {
  const Taps taps{tiles.y.width, tiles.x.width, {}};
  const OutputsGrid grid = grid_of(taps, site);
  const auto along = [](Index outputs, Index stride, const FftTileAxis& axis) {
    return divide_up(double((outputs - 1) * stride + 1), double(axis.outputs()));
  };
  const bool in_memory = !fits_on_chip(transform_bytes(double(tiles.points()), site));
  WayWork work{.way = in_memory ? Way::gpu_fft_tiles_in_memory : Way::gpu_fft_tiles,
               .outputs = double(site.steps) * grid.outputs()};
  const double transforms = double(grid.batch) * along(grid.rows, site.stride[0], tiles.y) *
                            along(grid.columns, site.stride[1], tiles.x);
  count_transforms(transforms, double(tiles.points()), in_memory ? double(12 << 20) : 0, site,
                   work);
  const double inputs = double(site.steps) * inputs_of(grid, taps, site);
  work.amounts[1] = inputs + work.outputs;
  work.amounts[10] = std::max(0.0, inputs - work.outputs);
  return work;
}

double gpu_transfer_seconds(const Taps& taps, const MethodSite& site) {
  // Reading 1 GiB from a file to the GPU, and writing 1 GiB back, took 0.17 to 0.19 s on an H200,
  // no matter which kernels ran. The constant assumes half of this time, so that the choice remains
  // valid if the transfer is faster.
  constexpr double bytes_per_second = 25e9;
  const OutputsGrid grid = grid_of(taps, site);
  return (inputs_of(grid, taps, site) + grid.outputs()) * double(site.world.element) /
         bytes_per_second;
}

double gpu_transfer_in_taps(const Taps& taps, const MethodSite& site) {
  // rate of an H200
  const double adds_per_second = site.world.element == 8 ? 16.5e12 : 32e12;
  const double outputs = double(site.steps) * grid_of(taps, site).outputs();
  return gpu_transfer_seconds(taps, site) * adds_per_second / outputs;
}

}  // namespace stencil
