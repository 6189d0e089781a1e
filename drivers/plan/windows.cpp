#include "drivers/plan/windows.hpp"

#include <omp.h>

#include <algorithm>

#include "drivers/plan/plan_costs.hpp"
#include "framework/device/field_layout.hpp"
#include "io/read/reading_memory.hpp"
#include "io/write/output_file.hpp"
#include "io/write/writing_memory.hpp"

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
  const Index beyond = stage.reads_beyond(axis);
  return inputs + (beyond > 0 ? beyond + 1 : 0);
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

/// Bytes that a window of one output reads or writes, without what the mask reaches beyond.
Index bytes_per_output(const Plan& plan, int axis) {
  const Index element = plan.compute_bytes();
  const auto slice = [&](const Point& shape) {
    return std::max<Index>(1, checked_multiply(points(shape) / shape[axis], element));
  };
  const Index count = plan.chain.output_shape()[axis];
  const Index inputs_each = std::max<Index>(1, plan.chain.input_shape()[axis] / count);
  return std::max(slice(plan.chain.output_shape()),
                  checked_multiply(slice(plan.chain.input_shape()), inputs_each));
}

/// Minimum number of outputs of a window: for thinner windows the overhead per window dominates.
Index least_outputs(const Plan& plan, int axis) {
  constexpr Index least_bytes = Index{256} << 10;
  return std::clamp<Index>(least_bytes / bytes_per_output(plan, axis), 1,
                           plan.chain.output_shape()[axis]);
}

/// Upper bound on the inputs of the whole chain that a window reads along the axis.
Index most_read(const Plan& plan, int axis, Index outputs) {
  const auto& stages = plan.chain.stages;
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
    for (Index step = 0; step < stage->steps; ++step)
      outputs = std::min(most_inputs(*stage, axis, outputs), stage->input.shape()[axis]);
  return outputs;
}

/// Points of the inputs of a window.
ReadsAtATime reads_of(const Plan& plan, const Windows& windows) {
  const Point& shape = plan.input_form.shape();
  ReadsAtATime reads;
  reads.points = checked_multiply(points(shape) / shape[windows.axis],
                                  most_read(plan, windows.axis, windows.outputs));
  reads.reads = windows.at_a_time;
  reads.threads = windows.unit > 0 ? windows.threads : 0;
  if (windows.unit > 0) reads.kept = kept_for(plan.input, reads);
  return reads;
}

/// Host memory for the fields of one window.
Index field_bytes(const Plan& plan, const Windows& windows) {
  const Index element = plan.compute_bytes();
  const int axis = windows.axis;
  Index outputs = windows.outputs, scratch = 0;
  Index bytes = slab_bytes(plan.chain.output_shape(), axis, outputs, {}, element);
  const auto& stages = plan.chain.stages;
  const Index threads = std::max(1, omp_get_max_threads());
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    bytes = checked_add(bytes, standing_bytes(*stage, 0));
    scratch = std::max(scratch, scratch_bytes(*stage, element));
    for (Index step = 0; step < stage->steps; ++step) {
      const Index inputs = most_inputs(*stage, axis, outputs);
      bytes = checked_add(bytes, sweep_bytes(*stage, axis, inputs, element));
      outputs = std::min(inputs, stage->input.shape()[axis]);
    }
  }
  const Index computing = windows.unit > 0 ? windows.threads : threads;
  return checked_add(bytes, scratch / threads * computing + scratch % threads);
}

constexpr int waiting = 2;  // windows that wait for the disk while the others compute
constexpr int most_at_a_time = 8;

/// Sets how many windows go on at the same time, and the threads of each.
void share_threads(int threads, int at_a_time, Windows& windows) {
  const int computing = std::max(1, at_a_time - waiting);
  windows.at_a_time = at_a_time;
  windows.threads = (threads + computing - 1) / computing;
}

/// The largest windows, in multiples of a step, that fit; nothing if the thinnest do not.
///
/// @param least, most  outputs of a window
bool grow(const Plan& plan, Index budget, Index step, Index least, Index most, Windows& windows) {
  least = (least - 1) / step + 1;
  const auto fits = [&](Index steps) {
    windows.outputs = steps * step;
    windows.bytes = window_bytes(plan, windows);
    return windows.bytes <= budget;
  };
  if (!fits(least)) return false;
  Index fitting = least, beyond = std::max(least, most / step) + 1;
  while (beyond - fitting > 1) {
    const Index middle = fitting + (beyond - fitting) / 2;
    (fits(middle) ? fitting : beyond) = middle;
  }
  fits(fitting);
  windows.kept_chunk_bytes = reads_of(plan, windows).kept;
  return true;
}

/// Bytes that windows read more than once, over those of the input.
double read_twice(const Plan& plan, const Windows& windows) {
  const Index count = plan.chain.output_shape()[windows.axis],
              inputs = plan.input_form.shape()[windows.axis];
  const Index in_all = checked_multiply((count - 1) / windows.outputs + 1,
                                        most_read(plan, windows.axis, windows.outputs));
  return std::max(0.0, double(in_all) / double(inputs) - 1);
}

constexpr double most_read_twice = 0.25;

/// Windows of whole blocks, several at a time; as many at a time as the budget allows without
/// reading much twice.
std::optional<Windows> several_at_a_time(const Plan& plan, int axis, Index budget,
                                         const WindowLimits& limits) {
  constexpr Index good_bytes = Index{16} << 20;  // long transfers; larger ones win nothing
  const Index each = bytes_per_output(plan, axis), count = plan.chain.output_shape()[axis];
  Windows windows;
  windows.axis = axis;
  windows.unit = whole_blocks(plan.output, axis);
  const Index overlap = most_read(plan, axis, 1),
              reach = std::max<Index>(1, plan.chain.input_shape()[axis] / count);
  const Index good = std::clamp<Index>(std::max(good_bytes / each, 8 * overlap / reach), 1, count);
  // windows that are thinner than the blocks of the file complete them together
  const Index step = windows.unit <= 2 * good ? windows.unit : 1;
  for (int at_a_time = std::min(limits.threads + waiting, most_at_a_time); at_a_time > 0;
       --at_a_time) {
    share_threads(limits.threads, at_a_time, windows);
    if (limits.binds_threads && at_a_time > 1 && windows.threads > 1) continue;
    if (!grow(plan, budget, step, least_outputs(plan, axis), good, windows)) continue;
    windows.read_twice = read_twice(plan, windows);
    if (windows.read_twice <= most_read_twice || at_a_time == 1) return windows;
  }
  return std::nullopt;
}

/// Windows of any border, one after the other.
std::optional<Windows> one_at_a_time(const Plan& plan, int axis, Index budget) {
  Windows windows;
  windows.axis = axis;
  if (!grow(plan, budget, 1, least_outputs(plan, axis), plan.chain.output_shape()[axis], windows))
    return std::nullopt;
  windows.read_twice = read_twice(plan, windows);
  return windows;
}

/// Whether windows are faster than the world at once: they save the time for its memory, and read,
/// compute and write at the same time.
bool is_faster(const Plan& plan, const std::optional<Windows>& windows) {
  constexpr Index least_bytes = Index{64} << 20;  // per rank
  const Index bytes = checked_add(plan.bytes_read, plan.bytes_written);
  return windows && windows->at_a_time > 1 && windows->read_twice <= most_read_twice &&
         plan.chain.steps() == std::ssize(plan.chain.stages) && bytes / plan.ranks >= least_bytes;
}

}  // namespace

Index window_bytes(const Plan& plan, const Windows& windows) {
  const auto element = static_cast<Index>(size_of(plan.output.type));
  const Point& shape = plan.output_form.shape();
  const Index row = checked_multiply(points(shape) / shape[windows.axis], element);
  Index writing = writing_bytes(plan.output, split_bytes(plan, windows.axis, windows.outputs));
  if (windows.unit > 0) {
    writing =
        streaming_bytes(plan.output, checked_multiply(row, windows.outputs), windows.at_a_time);
    // blocks that several windows complete together
    const Index blocks = std::min(shape[windows.axis], (windows.at_a_time + 2) * windows.unit);
    if (windows.outputs % windows.unit != 0)
      writing = checked_add(writing, checked_multiply(row, blocks));
  }
  return checked_add(checked_multiply(windows.at_a_time, field_bytes(plan, windows)),
                     checked_add(writing, reading_bytes(plan.input, reads_of(plan, windows))));
}

std::optional<Windows> choose_windows(const Plan& plan, const WindowLimits& limits) {
  const int axis = cut_axis(plan);
  if (!is_possible(plan, axis)) return {};
  const Index quarter = limits.is_asked ? limits.available : limits.available / 4;
  if (plan.memory_per_rank <= limits.available) {
    if (limits.wants_blocks) return {};
    auto windows = several_at_a_time(plan, axis, quarter, limits);
    if (!is_faster(plan, windows)) return {};
    windows->is_needed = false;
    return windows;
  }
  for (const Index budget : {quarter, limits.available}) {
    if (const auto windows = several_at_a_time(plan, axis, budget, limits)) return windows;
    if (const auto windows = one_at_a_time(plan, axis, budget)) return windows;
  }
  return {};
}

Index least_memory(const Plan& plan) {
  const int axis = cut_axis(plan);
  if (!is_possible(plan, axis)) return plan.memory_per_rank;
  Index least = plan.memory_per_rank;
  for (const Index unit : {Index{0}, whole_blocks(plan.output, axis)}) {
    Windows thinnest;
    thinnest.axis = axis;
    thinnest.unit = unit;
    share_threads(std::max(1, omp_get_max_threads()), 1, thinnest);
    thinnest.outputs = least_outputs(plan, axis);
    if (unit > 0) thinnest.outputs = ((thinnest.outputs - 1) / unit + 1) * unit;
    least = std::min(least, window_bytes(plan, thinnest));
  }
  return least;
}

}  // namespace stencil
