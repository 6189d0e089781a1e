#include "kernels/step_depth.hpp"

#include <algorithm>
#include <cmath>

namespace stencil {
namespace {

constexpr Index cache_bytes = 640 << 10;  // server processors have 1 MiB and more
constexpr Index narrowest_panel = 256, widest_panel = 8192;
constexpr Index deepest_of_cpu = 64;
constexpr Index group = 4;  // number of rows computed together

/// Number of bytes that memory moves in the time of one multiply-add, divided by the bytes of an
/// element. The ratio is similar on old and new processors. Loads and stores of a point take as
/// long as `fewest_adds` multiply-adds, so fewer multiply-adds do not save time.
constexpr double bytes_per_add = 0.0625;
constexpr double fewest_adds = 8;
/// Blocks of up to this size stay in the second-level cache from step to step. Moving these blocks
/// costs only `cached_share` of the time.
constexpr Index cached_block = 1 << 20;  // bytes, of inputs and outputs
constexpr double cached_share = 0.4;
/// Cost of starting a row of a panel, in points.
constexpr double row_start = 160;

/// Returns the time of a multiply-add in a sweep of several steps, divided by that in a sweep of a
/// single step, whose kernel keeps more sums in registers (docs/measurements/time_steps.md). The
/// value is 1 for small masks and for masks of one row or one column.
double slowdown(const StepShape& shape) {
  const auto [height, width] = shape.mask;
  if (shape.is_separable) return std::max(1.0, 1 + 0.035 * double(height - 10));
  if (height == 1 || width == 1 || height * width <= 9) return 1;
  return shape.skips_taps ? 1.05 : 1.6;
}

/// Returns the cost of one point and step as a number of bytes moved. The time of arithmetic is
/// converted to bytes, too.
double cost(const StepShape& shape, Index depth) {
  const double element = double(shape.element);
  const double bytes =
      2 * element * double(shape.planes) * double(shape.block[0]) * double(shape.block[1]);
  const double memory =
      2 * element / double(depth) * (bytes <= double(cached_block) ? cached_share : 1);
  const double adds = std::max(double(shape.adds), fewest_adds);
  double compute = adds * element * bytes_per_add;
  if (depth == 1) return std::hypot(memory, compute);  // memory and arithmetic overlap in part
  compute *= slowdown(shape);
  const Index panel = std::min(step_panel(shape, depth), shape.block[1]);
  const std::array<Index, 2> piece{shape.block[0], panel};
  for (int axis = 0; axis < 2; ++axis) {
    const bool repeats = shape.repeats[axis] || piece[axis] < shape.block[axis];
    if (repeats)
      compute *= 1 + double((depth - 1) * (shape.mask[axis] - 1)) / 2 / double(piece[axis]);
  }
  compute *= 1 + row_start / (row_start + double(panel));
  return memory + compute;
}

/// Returns whether the block has at least as many points as this number of steps needs ghost
/// points, along each axis along which points are computed twice.
bool fits(const StepShape& shape, Index depth) {
  for (int axis = 0; axis < 2; ++axis)
    if (shape.repeats[axis] && depth * (shape.mask[axis] - 1) > shape.block[axis]) return false;
  return true;
}

}  // namespace

Index step_panel(const StepShape& shape, Index depth) {
  // Number of rows that a level keeps; a mask of one row needs only two levels at a time. A level
  // that shares rows keeps the last two rows of two groups.
  const Index kept = shape.shares_rows ? 4 : shape.mask[0] - 1 + group;
  const Index rows = shape.mask[0] == 1 ? 3 : depth * kept + 3 * group;
  const Index columns = cache_bytes / shape.element / rows - depth * (shape.mask[1] - 1);
  return std::clamp(columns, narrowest_panel, widest_panel) / 64 * 64;
}

Index steps_per_sweep(const StepShape& shape) {
  if (shape.block[0] < 1 || shape.block[1] < 1) return 1;
  constexpr double worthwhile = 0.95;
  Index best = 1;
  double least = worthwhile * cost(shape, 1);
  for (Index depth = 2; depth <= std::min(deepest_of_cpu, shape.steps) && fits(shape, depth);
       ++depth) {
    if (cost(shape, depth) >= least) continue;
    best = depth;
    least = cost(shape, depth);
  }
  const Index sweeps = (shape.steps + best - 1) / best;
  return (shape.steps + sweeps - 1) / sweeps;  // all sweeps have nearly the same number of steps
}

Index gpu_steps_per_sweep(const StepShape& shape, Index deepest) {
  Index depth = std::min(deepest, shape.steps);
  while (depth > 1 && !fits(shape, depth)) --depth;
  return depth;
}

}  // namespace stencil
