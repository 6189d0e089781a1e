#include "kernels/volume_step_depth.hpp"

#include <algorithm>

namespace stencil {
namespace {

constexpr Index cache_bytes = 800 << 10;  // server processors have 1 MiB and more
constexpr Index deepest = 4;              // more steps were slower for all masks that were measured
/// Time of a step whose points are in the second-level cache, expressed as the number of elements
/// that memory moves in this time: `elements_per_step`, plus `elements_per_add` for each
/// multiply-add of a point.
constexpr double elements_per_step = 0.55, elements_per_add = 0.08;
/// Blocks of up to this size stay in the second-level cache from step to step. Moving these blocks
/// costs only `cached_share` of the time.
constexpr Index cached_block = 1 << 20;  // bytes, of inputs and outputs
constexpr double cached_share = 0.4;

/// Returns the cost of one point and step as a number of bytes moved.
double cost(const VolumeStepShape& shape, Index depth) {
  const double element = double(shape.element);
  const double memory =
      2 * element *
      (2 * element * double(points(shape.block)) <= double(cached_block) ? cached_share : 1);
  double step = element * (elements_per_step + elements_per_add * double(shape.adds));
  // the first step is computed while memory moves its points
  const double first = std::max(memory, step);
  const auto [rows, columns] = volume_step_tile(shape, depth);
  const Point tile{shape.block[batch_axis], std::min(rows, shape.block[y_axis]),
                   std::min(columns, shape.block[x_axis])};
  for (int axis = 0; axis < axes; ++axis)
    if (shape.repeats[std::size_t(axis)] || tile[axis] < shape.block[axis])
      step *= 1 + double((depth - 1) * (shape.mask[axis] - 1)) / 2 / double(tile[axis]);
  return (first + double(depth - 1) * step) / double(depth);
}

/// Returns whether the block has at least as many points as this number of steps needs ghost
/// points, along each axis along which points are computed twice.
bool fits(const VolumeStepShape& shape, Index depth) {
  for (int axis = 0; axis < axes; ++axis)
    if (shape.repeats[std::size_t(axis)] && depth * (shape.mask[axis] - 1) > shape.block[axis])
      return false;
  return true;
}

}  // namespace

std::array<Index, 2> volume_step_tile(const VolumeStepShape& shape, Index depth) {
  const Index planes = shape.mask[0] + (depth - 1) * (shape.mask[0] - 1 + planes_of_step);
  const Index points = cache_bytes / shape.element / planes;
  constexpr Index wide = 512, narrow = 256, few_rows = 16;
  const Index columns = points / wide >= few_rows ? wide : narrow;
  return {std::max(points / columns, few_rows / 2), columns};
}

Index volume_steps_per_sweep(const VolumeStepShape& shape) {
  if (points(shape.block) < 1) return 1;
  constexpr double worthwhile = 0.95;
  Index best = 1;
  double least = worthwhile * cost(shape, 1);
  for (Index depth = 2; depth <= std::min(deepest, shape.steps) && fits(shape, depth); ++depth) {
    if (cost(shape, depth) >= least) continue;
    best = depth;
    least = cost(shape, depth);
  }
  const Index sweeps = (shape.steps + best - 1) / best;
  return (shape.steps + sweeps - 1) / sweeps;  // all sweeps have nearly the same number of steps
}

}  // namespace stencil
