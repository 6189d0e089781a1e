#include "drivers/plan/windows.hpp"

#include <algorithm>

#include "drivers/plan/plan_costs.hpp"
#include "framework/device/field_layout.hpp"
#include "io/read/reading_memory.hpp"
#include "io/write/writing_memory.hpp"
#include "kernels/cpu/convolve_cpu.hpp"

namespace stencil {
namespace {

constexpr Index most_sweeps = 64;          // each sweep widens the inputs of a window
constexpr Index most_periodic_sweeps = 4;  // at the edges each sweep splits an interval in two

/// The outermost axis with more than one output: slabs along it are long contiguous ranges of the
/// file.
int cut_axis(const Plan& plan) {
  const Point& shape = plan.chain.output_shape();
  int axis = batch_axis;
  while (axis < x_axis && shape[axis] == 1) ++axis;
  return axis;
}

bool is_possible(const Plan& plan, int axis) {
  bool is_periodic = false;
  for (const BoundStage& stage : plan.chain.stages) {
    if (stage.channels) return false;
    is_periodic |= stage.boundary.rule[axis] == BoundaryRule::wrap;
  }
  const Index sweeps = plan.chain.steps();
  return plan.chain.backend == Backend::cpu && sweeps <= most_sweeps &&
         (!is_periodic || sweeps <= most_periodic_sweeps) && plan.chain.output_shape()[axis] > 1;
}

/// Upper bound on the inputs that `outputs` consecutive outputs read.
Index most_inputs(const BoundStage& stage, int axis, Index outputs) {
  const Index count = stage.sampling[axis].count;
  const Index inputs = stage.reads(axis, {0, std::min(outputs, count)}).extent();
  const bool is_fft = stage.choice.method == Method::fft && axis == stage.mask_axis;
  return inputs + (is_fft ? stage.choice.blocks.pair() : 0);
}

/// Upper bound on the outputs along a normal axis in one row of chunks.
Index most_rows_of_a_chunk(const Plan& plan, int axis) {
  Index rows = 1;
  const Interval folded = plan.output_form.dataset_axes(axis);
  for (Index at = folded.first; at < folded.last; ++at)
    rows = checked_multiply(rows, at == folded.first
                                      ? plan.output.chunk[static_cast<std::size_t>(at)]
                                      : plan.output_form.dims()[static_cast<std::size_t>(at)]);
  return std::min(rows, plan.output_form.shape()[axis]);
}

/// Bytes of a shape, with ghosts, that is restricted to an interval along one axis.
Index slab_bytes(Point shape, int axis, Index extent, const Halo& halo, Index element) {
  shape[axis] = extent;
  return static_cast<Index>(
      FieldLayout::of({make_box(shape), halo}, static_cast<std::size_t>(element)).bytes);
}

/// Bytes of the inputs of one sweep, and of those ghosts that are computed in a separate interval.
Index sweep_bytes(const BoundStage& stage, int axis, Index inputs, Index element) {
  Halo sides = nominal_halo(stage);
  const Index ghosts = sides.low[axis] + sides.high[axis];
  sides.low[axis] = sides.high[axis] = 0;
  const Point& shape = stage.input.shape();
  return checked_add(slab_bytes(shape, axis, inputs, sides, element),
                     slab_bytes(shape, axis, std::min(ghosts, shape[axis]), {}, element));
}

/// Bytes of the output blocks that cross the two borders of a window and are kept for the next
/// window.
Index split_bytes(const Plan& plan, int axis, Index outputs) {
  constexpr Index contiguous_block = Index{2} << 20;
  const Point& shape = plan.output_form.shape();
  const auto element = static_cast<Index>(size_of(plan.output.type));
  const Index row = checked_multiply(points(shape) / shape[axis], element);
  if (plan.output.chunk.empty()) return 2 * std::max(contiguous_block, row);
  return checked_multiply(row, 2 * std::max(outputs, most_rows_of_a_chunk(plan, axis)));
}

/// Minimum number of outputs of a window: for thinner windows the overhead per window dominates.
Index least_outputs(const Plan& plan, int axis) {
  constexpr Index least_bytes = Index{256} << 10;
  const Point& shape = plan.chain.output_shape();
  const Index each = std::max<Index>(1, points(shape) / shape[axis] * plan.compute_bytes());
  return std::clamp<Index>(least_bytes / each, 1, shape[axis]);
}

}  // namespace

Index window_bytes(const Plan& plan, int axis, Index outputs) {
  const Index element = plan.compute_bytes();
  Index scratch = 0, bytes = writing_bytes(plan.output, split_bytes(plan, axis, outputs));
  bytes = checked_add(bytes, slab_bytes(plan.chain.output_shape(), axis, outputs, {}, element));
  const auto& stages = plan.chain.stages;
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    bytes = checked_add(bytes, standing_bytes(*stage, 0));
    if (stage->choice.method == Method::fft)
      scratch = std::max(scratch, fft_scratch_bytes(stage->choice.blocks, element));
    for (Index step = 0; step < stage->steps; ++step) {
      const Index inputs = most_inputs(*stage, axis, outputs);
      bytes = checked_add(bytes, sweep_bytes(*stage, axis, inputs, element));
      outputs = std::min(inputs, stage->input.shape()[axis]);
    }
  }
  const Point& shape = plan.input_form.shape();
  const Index points_read = checked_multiply(points(shape) / shape[axis], outputs);
  return checked_add(checked_add(bytes, scratch), reading_bytes(plan.input, points_read));
}

std::optional<Windows> choose_windows(const Plan& plan, Index available, bool is_asked) {
  const int axis = cut_axis(plan);
  if (plan.memory_per_rank <= available || !is_possible(plan, axis)) return {};
  const Index all = plan.chain.output_shape()[axis];
  const auto fits = [&](Index outputs, Index bytes) {
    return window_bytes(plan, axis, outputs) <= bytes;
  };
  const Index least = least_outputs(plan, axis);
  if (!fits(least, available)) return {};
  const Index budget = is_asked || !fits(least, available / 4) ? available : available / 4;
  Index fitting = least, beyond = all + 1;
  while (beyond - fitting > 1) {
    const Index middle = fitting + (beyond - fitting) / 2;
    (fits(middle, budget) ? fitting : beyond) = middle;
  }
  return Windows{axis, fitting, window_bytes(plan, axis, fitting)};
}

Index least_memory(const Plan& plan) {
  const int axis = cut_axis(plan);
  if (!is_possible(plan, axis)) return plan.memory_per_rank;
  return std::min(plan.memory_per_rank, window_bytes(plan, axis, least_outputs(plan, axis)));
}

}  // namespace stencil
