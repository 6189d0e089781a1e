#include "python/arrays/filter_call.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

#include "drivers/pipeline/apply.hpp"
#include "drivers/pipeline/apply_on_gpu.hpp"
#include "framework/device/most_threads.hpp"
#include "framework/grid/error.hpp"
#include "kernels/families/families_round.hpp"

namespace stencil {
namespace {

constexpr double small_work = 1 << 20;           // multiply-adds; with fewer, one thread is faster
constexpr Index part_in_place = Index{1} << 21;  // points of a part, see is_in_place()

std::atomic<bool> has_team = false, must_be_alone = false;

/// One axis of the input and of the output.
struct Dimension {
  Index in_extent, out_extent, in_stride, out_stride;
  int of_mask = -1;  ///< index in FilterCall::axes; -1: the mask does not run along this axis
};

std::vector<Dimension> dimensions_of(const FilterCall& call, const AnyInput& input,
                                     const AnyOutput& output) {
  std::vector<Dimension> all;
  for (int axis = 0; axis < input.shape.size(); ++axis) {
    const auto found = std::find(call.axes.begin(), call.axes.end(), axis);
    const int of_mask = found == call.axes.end() ? -1 : int(found - call.axes.begin());
    if (of_mask < 0 && input.shape[axis] == 1) continue;
    all.push_back({input.shape[axis], output.shape[axis], input.strides[axis], output.strides[axis],
                   of_mask});
  }
  std::stable_sort(all.begin(), all.end(), [](const Dimension& a, const Dimension& b) {
    return std::abs(a.in_stride) > std::abs(b.in_stride);
  });
  return all;
}

/// Merges axes along which the mask does not run, if they are contiguous in both arrays.
std::vector<Dimension> merged(const std::vector<Dimension>& all) {
  std::vector<Dimension> result;
  for (const Dimension& next : all) {
    if (!result.empty()) {
      Dimension& last = result.back();
      if (last.of_mask < 0 && next.of_mask < 0 &&
          last.in_stride == next.in_stride * next.in_extent &&
          last.out_stride == next.out_stride * next.out_extent) {
        last = {last.in_extent * next.in_extent, last.out_extent * next.out_extent, next.in_stride,
                next.out_stride, -1};
        continue;
      }
    }
    result.push_back(next);
  }
  return result;
}

struct Arrays {
  AnyInput input;
  AnyOutput output;
};

Arrays arrays_of(const std::vector<Dimension>& all, const AnyInput& input,
                 const AnyOutput& output) {
  AxisList in_shape, out_shape, in_strides, out_strides;
  for (const Dimension& axis : all) {
    in_shape.push_back(axis.in_extent);
    out_shape.push_back(axis.out_extent);
    in_strides.push_back(axis.in_stride);
    out_strides.push_back(axis.out_stride);
  }
  return {AnyInput(input.data, input.element, in_shape, in_strides),
          AnyOutput(output.data, output.element, out_shape, out_strides)};
}

std::vector<double> transposed(const std::vector<double>& taps, Index rows, Index columns) {
  std::vector<double> result(taps.size());
  for (Index y = 0; y < rows; ++y)
    for (Index x = 0; x < columns; ++x) result[x * rows + y] = taps[y * columns + x];
  return result;
}

/// Returns the taps of a three-dimensional mask with permuted axes.
///
/// @param order  for each axis of the result, the axis of the mask in the call
Taps reordered(const FilterCall& call, const std::array<int, 3>& order) {
  const std::vector<Index>& extents = call.extents;
  const Point pitch{extents[1] * extents[2], extents[2], 1};
  Taps taps{extents[order[1]], extents[order[2]], {}, extents[order[0]]};
  taps.values.reserve(call.taps[0].size());
  for (Index k = 0; k < taps.depth; ++k)
    for (Index j = 0; j < taps.height; ++j)
      for (Index i = 0; i < taps.width; ++i)
        taps.values.push_back(
            call.taps[0][k * pitch[order[0]] + j * pitch[order[1]] + i * pitch[order[2]]]);
  return taps;
}

/// A stage, and the axes of the array that become the axes y and x, or batch, y and x, of the
/// stage.
struct Plan {
  Stage stage;
  std::vector<int> axes;
};

/// Plans a one-dimensional mask. If its axis has the smallest stride, the axis becomes x. Otherwise
/// it becomes y, and the axis with the smallest stride becomes x.
Plan plan_line(const FilterCall& call, const std::vector<Dimension>& all) {
  const int count = int(all.size());
  int own = 0;
  while (all[own].of_mask < 0) ++own;
  const bool is_last = own + 1 == count;
  const Axis axis = is_last ? x_axis : y_axis;
  Plan plan;
  plan.stage.mask = Mask::line(call.taps[0], axis, call.origins[0]);
  (is_last ? plan.stage.boundary.rule[x_axis] : plan.stage.boundary.rule[y_axis]) = call.rules[0];
  if (!is_last)
    plan.axes = {own, count - 1};
  else if (count > 1)
    plan.axes = {count - 2, own};
  return plan;
}

Plan plan_grid(const FilterCall& call, const std::vector<Dimension>& all) {
  std::vector<int> places;  // the axes of the mask; the axis with the larger stride is first
  for (int axis = 0; axis < int(all.size()); ++axis)
    if (all[axis].of_mask >= 0) places.push_back(axis);
  const int y = all[places[0]].of_mask, x = all[places[1]].of_mask;
  const std::array<Index, 2> origins{call.origins[y], call.origins[x]};
  Plan plan{.stage = {}, .axes = places};
  if (call.taps.size() == 2)
    plan.stage.mask = Mask::outer(call.taps[y], call.taps[x], origins);
  else
    plan.stage.mask = Mask::grid(
        y == 0 ? call.taps[0] : transposed(call.taps[0], call.extents[0], call.extents[1]),
        call.extents[y], call.extents[x], origins);
  plan.stage.boundary.rule[y_axis] = call.rules[y];
  plan.stage.boundary.rule[x_axis] = call.rules[x];
  return plan;
}

Plan plan_volume(const FilterCall& call, const std::vector<Dimension>& all) {
  std::vector<int> places;  // the axes of the mask, in the order of descending strides
  for (int axis = 0; axis < int(all.size()); ++axis)
    if (all[axis].of_mask >= 0) places.push_back(axis);
  std::array<int, 3> order{};
  std::array<Index, 3> origins{};
  Plan plan{.stage = {}, .axes = places};
  for (int axis = 0; axis < 3; ++axis) {
    order[axis] = all[places[axis]].of_mask;
    origins[axis] = call.origins[order[axis]];
    plan.stage.boundary.rule[axis] = call.rules[order[axis]];
  }
  plan.stage.mask =
      call.taps.size() == 3
          ? sum_of_products({{call.taps[order[0]], call.taps[order[1]], call.taps[order[2]]}},
                            origins)
          : Mask::volume(reordered(call, order), origins);
  return plan;
}

Plan plan_of(const FilterCall& call, const std::vector<Dimension>& all) {
  Plan plan = call.axes.size() == 1   ? plan_line(call, all)
              : call.axes.size() == 2 ? plan_grid(call, all)
                                      : plan_volume(call, all);
  plan.stage.mask.multiply_zeros = call.multiply_zeros;
  plan.stage.boundary.value = call.value;
  plan.stage.extent = call.extent;
  plan.stage.steps = call.steps;
  plan.stage.method = call.method;
  plan.stage.min_valid = call.min_valid;
  return plan;
}

int threads_of(const FilterCall& call, const AnyOutput& output) {
  if (must_be_alone) return 1;
  int threads = call.threads;
  if (threads == 0) {
    double taps = 0;
    for (const auto& list : call.taps) taps += double(list.size());
    const bool is_small = double(points(output.shape)) * std::min(taps, 64.0) < small_work;
    threads = is_small ? 1 : std::min(omp_get_max_threads(), most_threads());
  }
  if (threads > 1) has_team = true;
  return threads;
}

/// Returns whether input and output are the same array, which must then be processed in parts.
bool is_in_place(const Arrays& arrays) {
  return arrays.input.data == arrays.output.data && arrays.input.shape == arrays.output.shape &&
         arrays.input.strides == arrays.output.strides &&
         arrays.input.element == arrays.output.element;
}

}  // namespace

void run_filter(const FilterCall& call, const AnyInput& input, const AnyOutput& output,
                void (*between_parts)()) {
  const std::vector<Dimension> all = merged(dimensions_of(call, input, output));
  const Plan plan = plan_of(call, all);
  Arrays arrays = arrays_of(all, input, output);
  ApplyOptions options{.threads = threads_of(call, arrays.output), .axes = plan.axes};
  options.between_parts = between_parts;
  if (!is_in_place(arrays) || all.front().of_mask >= 0)
    return apply({plan.stage}, arrays.input, arrays.output, options);
  const Index count = all.front().in_extent, others = points(arrays.input.shape) / count;
  const Index part = std::clamp<Index>(part_in_place / others, 1, count);
  for (Index first = 0; first < count; first += part) {
    arrays.input.shape[0] = arrays.output.shape[0] = std::min(part, count - first);
    arrays.input.data = input.data + first * all.front().in_stride;
    arrays.output.data = output.data + first * all.front().out_stride;
    apply({plan.stage}, arrays.input, arrays.output, options);
  }
}

void run_filter_on_gpu(const FilterCall& call, const AnyInput& input, const AnyOutput& output,
                       int device, void* stream) {
  const std::vector<Dimension> all = merged(dimensions_of(call, input, output));
  const Plan plan = plan_of(call, all);
  const Arrays arrays = arrays_of(all, input, output);
  apply_on_gpu(plan.stage, arrays.input, arrays.output,
               {.device = device, .stream = stream, .axes = plan.axes});
}

void compute_alone_after_fork() {
  if (has_team) must_be_alone = true;
}

}  // namespace stencil
