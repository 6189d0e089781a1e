#include "kernels/method/method_costs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/method/gpu_costs.hpp"

namespace stencil {
namespace {

Index divide_up(Index a, Index b) {
  return (a + b - 1) / b;
}

double doublings(double ratio) {
  return std::max(0.0, std::log2(ratio));
}

/// Returns the number of panels into which a walk divides a row so that `rows` rows of a panel stay
/// in the cache.
double panels(const OutputsGrid& grid, Index rows, Index element) {
  constexpr Index cache_bytes = 384 << 10, narrowest = 512, widest = 32768;
  const Index panel = std::clamp(cache_bytes / (rows * element), narrowest, widest);
  return double(divide_up(grid.columns, panel));
}

/// Returns the number of doublings, at most four, by which the size of `rows` rows of a panel
/// exceeds half of the first-level cache. Rows that do not exceed this size are still in the cache
/// when the next row of outputs reads them again.
double beyond_first_level(const OutputsGrid& grid, Index rows, Index element) {
  constexpr double cache_bytes = 16 << 10;
  const double panel = double(grid.columns) / panels(grid, rows, element);
  return std::min(4.0, doublings(panel * double(rows * element) / cache_bytes));
}

/// Returns whether a sweep down the rows is efficient. The first height - 1 rows of a sweep
/// complete no sum, so the grid must have many more rows.
bool worth_a_sweep(const OutputsGrid& grid, Index height) {
  return grid.rows >= 4 * (height - 1);
}

/// Returns the number of elements of a very long row that take the same time as a row of this
/// length. Full groups of vectors are the fastest. The remainder is computed in single vectors, and
/// the rest in single elements; each of these takes as long as several elements of a full group.
/// The figures are for vectors of 64 bytes.
double padded(Index places, Index element, Way way) {
  const Index lanes = 64 / element;
  if (way == Way::line || way == Way::column || way == Way::dense || way == Way::dense_zeros ||
      // these walks compute many sums at a time, for any remainder
      way == Way::separable || way == Way::sum)
    return double(places < lanes ? places * lanes : divide_up(places, lanes) * lanes);
  const Index wide = (way == Way::dense_rows ? 4 : 8) * lanes;
  const double left_over = 2 * double(lanes);
  if (places < lanes) return double(places) * left_over;
  const Index left = places % wide, vectors = divide_up(left, lanes);
  if (way == Way::dense_rows) return double(places - left + (left > 0 ? vectors + 1 : 0) * lanes);
  return double(places - left) + double(vectors) * left_over;
}

/// Like padded(), for row sums with a stride. They compute eight single elements at a time; each
/// element of the remainder takes as long as two of these.
double padded_singles(Index places, Index element) {
  const Index lanes = 64 / element;
  return double(lanes * (places + places % 8));
}

/// Returns the share of memory traffic that does not overlap with this number of multiply-adds per
/// output.
double exposed(double adds) {
  constexpr double hiding = 128;
  return std::max(0.0, 1 - adds / hiding);
}

/// Returns the share of a world that is outside the caches. It grows from 0 for a world of `within`
/// bytes to 1 for a world of four times this size.
double beyond_caches(const MethodSite& site, double outputs, double within) {
  const double bytes = outputs * double(site.world.element * (1 + site.stride[0] * site.stride[1]));
  return std::min(1.0, doublings(bytes / within) / 2);
}

Way way_of(const Mask& mask, Index terms, const OutputsGrid& grid, const MethodSite& site) {
  const Taps& taps = mask.taps;
  const bool is_strided = site.stride != std::array<Index, 2>{1, 1};
  if (taps.depth > 1) return Way::dense_strided;  // computed one row of outputs after the other
  if (terms > 1) return !is_strided && worth_a_sweep(grid, taps.height) ? Way::sum : Way::sum_rows;
  if (terms == 1) return is_strided ? Way::separable_strided : Way::separable;
  if (taps.height == 1) return is_strided ? Way::line_strided : Way::line;
  if (taps.width == 1) return is_strided ? Way::column_strided : Way::column;
  if (is_strided) return Way::dense_strided;
  const bool all = direct_taps(mask) == Index(taps.values.size());
  if (worth_a_sweep(grid, taps.height)) return all ? Way::dense : Way::dense_zeros;
  return all ? Way::dense_rows : Way::dense_strided;
}

/// Returns the number of rows of inputs that are read for `outputs` rows of outputs. Rows that no
/// output needs are not included.
double rows_read(Index outputs, Index stride, Index height) {
  return double((outputs - 1) * std::min(stride, height) + height);
}

/// Returns `count` rounded up to whole groups: the last group takes as long as a full one.
double in_groups(Index count, Index group) {
  return double(divide_up(count, group) * group);
}

double bits_of(Index points) {
  return double(std::bit_width(std::uint64_t(points)) - 1);
}

/// Returns the share of the tiles of an axis of which all inputs exist.
double share_of_whole_tiles(const FftTileAxis& axis, Index outputs, Index stride) {
  const Index dense = (outputs - 1) * stride + 1, inputs = dense + axis.width - 1;
  const Index tiles = divide_up(dense, axis.outputs());
  const Index whole = inputs < axis.inputs() ? 0 : (inputs - axis.inputs()) / axis.outputs() + 1;
  return double(whole) / double(tiles);
}

constexpr double first_level_cache = 16 << 10, second_level_part = 64 << 10,
                 second_level_share = 512 << 10, third_level_share = 4 << 20;

/// Sets the amounts of work of `transforms` complex transforms in every step, each of `points`
/// points with two numbers of the element type.
void count_transforms(double transforms, Index points, const MethodSite& site, WayWork& work) {
  const double bytes = 2 * double(site.world.element * points);
  const double all = double(site.steps) * transforms * double(points);
  work.amounts[0] = work.outputs;
  work.amounts[1] = all;
  work.amounts[2] = all * bits_of(points);
  work.amounts[3] = all * doublings(bytes / second_level_share);
  work.amounts[4] = all * doublings(bytes / third_level_share);
  work.amounts[5] =
      (work.outputs + 2 * all) * beyond_caches(site, work.outputs / double(site.steps), 3 << 20);
  work.amounts[6] = double(site.steps);
  work.amounts[7] = all * std::min(2.0, doublings(bytes / first_level_cache));
  work.amounts[8] = double(points);
  work.amounts[11] = all * std::min(3.0, doublings(bytes / second_level_part));
}

}  // namespace

WayWork work_by_taps(const Mask& mask, Index terms, const MethodSite& site) {
  if (site.on_gpu()) return gpu_work_by_taps(mask, terms, site);
  const Taps& taps = mask.taps;
  const OutputsGrid grid = grid_of(taps, site);
  const bool is_volume = taps.depth > 1;
  const Index height = is_volume ? taps.depth * taps.height : taps.height;
  const Index passes = terms * (taps.width + taps.height + (is_volume ? taps.depth : 0));
  const double adds = double(terms > 0 ? passes : direct_taps(mask));
  if (is_volume) terms = 0;  // the tables have no costs for passes over three axes
  const Index element = site.world.element, stride = site.stride[1];
  const double steps = double(site.steps), rows = double(grid.batch * grid.rows) * steps;
  const double read = steps * double(grid.batch) * rows_read(grid.rows, site.stride[0], height);
  const Way way = way_of(mask, terms, grid, site);
  const double columns = padded(grid.columns, element, way);
  const double row_adds = double(terms * taps.width);
  WayWork work{.way = way, .outputs = steps * grid.outputs()};
  const double row_sums = terms > 0 ? read * double(grid.columns * terms) : work.outputs;
  work.amounts[0] = (work.outputs + row_sums) / 2 * exposed(adds);
  work.amounts[1] = terms > 0 ? read * columns * row_adds : rows * columns * adds;
  work.amounts[2] = rows * columns * double(terms * height);
  const Index window = std::max<Index>(1, terms) * height;
  work.amounts[3] = rows * panels(grid, window, element);
  work.amounts[4] = work.amounts[3] * double(height);
  if (way == Way::sum_rows && stride > 1) {
    work.amounts[1] = 0;
    work.amounts[5] = read * row_adds * padded_singles(grid.columns, element);
  } else if (stride > 1) {
    constexpr double group = 4;  // rows of outputs that use the same split rows
    const double split = terms > 0 ? read : rows * rows_read(4, site.stride[0], height) / group;
    // a stride of 2 is split with vector instructions, which is faster
    const double share = stride == 2 ? 0.4 : 1;
    work.amounts[5] = share * split * double(grid.columns * stride);
  } else if (way == Way::column_strided) {
    work.amounts[5] = read * double(grid.columns);
  }
  work.amounts[6] = steps;
  const bool is_strided = site.stride != std::array<Index, 2>{1, 1};
  work.amounts[7] = (is_strided ? read * double(grid.columns * stride) : work.amounts[0]) *
                    beyond_caches(site, grid.outputs(), 8 << 20);
  work.amounts[9] = work.amounts[0] * beyond_caches(site, grid.outputs(), 2 << 20);
  work.amounts[10] = work.amounts[3] * adds;
  work.amounts[11] = work.amounts[terms > 0 ? 2 : 1] * beyond_first_level(grid, window, element);
  return work;
}

WayWork work_by_blocks(const FftBlocks& blocks, const Mask& mask, const MethodSite& site) {
  if (site.on_gpu()) return gpu_work_by_blocks(blocks, mask, site);
  const bool along_x = mask.taps.height == 1;
  const OutputsGrid grid = grid_of(mask.taps, site);
  const Index element = site.world.element, stride = site.stride[along_x ? 1 : 0];
  const Index dense = ((along_x ? grid.columns : grid.rows) - 1) * stride + 1;
  const Index pairs = divide_up(dense, blocks.pair()), at_once = 8 / element;
  // along y, the columns of a cache line are transposed at the same time, and then transformed one
  // by one
  const double columns =
      (in_groups(grid.columns, at_once) + in_groups(grid.columns, 64 / element)) / 2;
  const double transforms =
      along_x ? in_groups(grid.rows * pairs, at_once) : double(grid.batch * pairs) * columns;
  WayWork work{.way = along_x ? Way::fft_line : Way::fft_column,
               .outputs = double(site.steps) * grid.outputs()};
  // One inverse transform for two pairs reduced the measured time by a factor of 0.79 to 0.92. The
  // figure is also used for banks along x, although their pairs are transformed back separately.
  const double share = fft_together(blocks.points, stride) == 2 ? 0.85 : 1;
  count_transforms(share * transforms, blocks.points, site, work);
  if (along_x) {
    work.amounts[9] = double(site.steps) * double(grid.rows);
    work.amounts[10] = stride > 1 ? work.amounts[1] : 0;
  }
  return work;
}

WayWork work_by_tiles(const FftTiles& tiles, const MethodSite& site) {
  if (site.on_gpu()) return gpu_work_by_tiles(tiles, site);
  const OutputsGrid grid = grid_of({tiles.y.width, tiles.x.width, {}}, site);
  const auto along = [](Index outputs, Index stride, const FftTileAxis& axis) {
    return double(divide_up((outputs - 1) * stride + 1, axis.outputs()));
  };
  WayWork work{.way = Way::fft_tiles, .outputs = double(site.steps) * grid.outputs()};
  const double transforms = double(grid.batch) * along(grid.rows, site.stride[0], tiles.y) *
                            along(grid.columns, site.stride[1], tiles.x);
  count_transforms(transforms, tiles.points(), site, work);
  // cost of four multiply-adds: multiplying by the spectrum of a plane of the mask, and adding the
  // product
  constexpr double product_in_doublings = 1.3;
  if (tiles.depth > 1)
    work.amounts[2] += product_in_doublings * work.amounts[1] * double(tiles.depth);
  const double whole = share_of_whole_tiles(tiles.y, grid.rows, site.stride[0]) *
                       share_of_whole_tiles(tiles.x, grid.columns, site.stride[1]);
  const bool is_strided = site.stride != std::array<Index, 2>{1, 1};
  work.amounts[9] = tiles.on_lines ? 0 : work.amounts[1] * whole;
  work.amounts[10] = work.amounts[1] * (is_strided ? 1 : 1 - whole);
  return work;
}

}  // namespace stencil
