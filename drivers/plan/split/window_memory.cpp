#include "drivers/plan/split/window_memory.hpp"

#include <omp.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "drivers/pipeline/fused_lines.hpp"
#include "drivers/plan/predict/device_costs.hpp"
#include "drivers/plan/predict/plan_costs.hpp"
#include "framework/device/device_blocks.hpp"
#include "framework/device/field_layout.hpp"
#include "io/write/blocks/writing_memory.hpp"

namespace stencil {
namespace {

/// Returns an upper bound on the inputs that `outputs` consecutive outputs read.
Index most_inputs(const BoundStage& stage, int axis, Index outputs) {
  const Index count = stage.sampling[axis].count;
  const Index inputs = stage.reads(axis, {0, std::min(outputs, count)}).extent();
  const Index beyond = stage.reads_beyond(axis);
  return inputs + (beyond > 0 ? beyond + 1 : 0);
}

/// Returns an upper bound on the outputs along a normal axis in one row of chunks.
Index most_rows_of_a_chunk(const Problem& problem, int axis) {
  Index rows = 1;
  const std::vector<int>& folded = problem.output_form.dataset_axes(axis);
  for (const int at : folded)
    rows = checked_multiply(rows, at == folded.front()
                                      ? problem.output.chunk[static_cast<std::size_t>(at)]
                                      : problem.output_form.dims()[static_cast<std::size_t>(at)]);
  return std::min(rows, problem.chain.output_shape()[axis]);
}

/// Returns the bytes of one output along a normal axis in the file, including the padding of chunks
/// at the upper edges of the other axes. A normal axis with one output need not correspond to any
/// axis of the dataset.
Index stored_bytes(const Problem& problem, int axis) {
  const std::vector<int>& folded = problem.output_form.dataset_axes(axis);
  const int outermost = folded.empty() ? 0 : folded.front();
  Index bytes = static_cast<Index>(size_of(problem.output.type)) * problem.output.filter_count(),
        inner_rows = 1;
  for (int at = 0; at < static_cast<int>(problem.output_form.dims().size()); ++at) {
    const auto i = static_cast<std::size_t>(at);
    const Index extent = problem.output_form.dims()[i];
    const Index chunk = problem.output.chunk.empty() ? 1 : problem.output.chunk[i];
    if (at == outermost) continue;
    bytes = checked_multiply(bytes, checked_multiply((extent - 1) / chunk + 1, chunk));
    if (std::find(folded.begin(), folded.end(), at) != folded.end()) inner_rows *= extent;
  }
  return (bytes - 1) / inner_rows + 1;
}

/// Returns the least multiple of `unit` that is not less than `count`.
Index rounded_up(Index count, Index unit) {
  return checked_multiply((count - 1) / unit + 1, unit);
}

/// Returns the bytes of a shape with ghost points, restricted to an interval along one axis.
Index slab_bytes(Point shape, int axis, Index extent, const Halo& halo, Index element) {
  shape[axis] = extent;
  return static_cast<Index>(
      FieldLayout::of({make_box(shape), halo}, static_cast<std::size_t>(element)).bytes);
}

/// Returns the bytes of the output blocks that cross the two borders of a window and are kept for
/// the next window.
Index split_bytes(const Problem& problem, int axis, Index outputs) {
  constexpr Index contiguous_block = Index{2} << 20;
  const Index row = stored_bytes(problem, axis);
  const std::vector<int>& folded = problem.output_form.dataset_axes(axis);
  // number of contiguous ranges of a window in the file
  Index runs = problem.output.filter_count();
  for (int outer = 0; !folded.empty() && outer < folded.back(); ++outer)
    if (std::find(folded.begin(), folded.end(), outer) == folded.end())
      runs = checked_multiply(runs, problem.output_form.dims()[static_cast<std::size_t>(outer)]);
  if (!fills_blocks(problem)) return checked_add(problem.bytes_written, contiguous_block);
  if (problem.output.chunk.empty())
    return std::min(std::max(checked_multiply(2 * runs, contiguous_block), 2 * row),
                    checked_add(problem.bytes_written, contiguous_block));
  return checked_multiply(row, 2 * std::max(outputs, most_rows_of_a_chunk(problem, axis)));
}

bool is_on_gpu(const Problem& problem) {
  return problem.chain.backend == Backend::cuda;
}

/// A stage, or several stages that WindowPipeline computes in one pass.
struct WindowPass {
  BoundStage stage;
  Index scratch = 0;  ///< temporary bytes of its kernel on a CPU, for all threads
};

std::vector<WindowPass> passes_of(const Problem& problem) {
  const std::vector<BoundStage>& stages = problem.chain.stages;
  const Index element = problem.compute_bytes();
  const bool is_on_cpu = !is_on_gpu(problem);
  std::vector<WindowPass> passes;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (auto lines = is_on_cpu ? fuse_lines(stages, k) : std::nullopt) {
      const Index scratch = lines_scratch_bytes(*lines, element);
      passes.push_back({std::move(*lines), scratch});
      k += lines_of_pass - 1;
    } else {
      passes.push_back({stages[k], is_on_cpu ? scratch_bytes(stages[k], element) : 0});
    }
  }
  return passes;
}

/// Calls `take(bytes)` for every field of one window.
template <class Take>
void for_each_field(const Problem& problem, const std::vector<WindowPass>& passes,
                    const Windows& windows, const Take& take) {
  const Index element = problem.compute_bytes();
  const int axis = windows.axis;
  Index outputs = windows.outputs;
  take(slab_bytes(problem.chain.output_shape(), axis, outputs, {}, element));
  for (auto pass = passes.rbegin(); pass != passes.rend(); ++pass)
    for (Index step = 0; step < pass->stage.steps; ++step) {
      Halo sides = nominal_halo(pass->stage);
      const Index ghosts = sides.low[axis] + sides.high[axis];
      sides.low[axis] = sides.high[axis] = 0;
      const Index inputs = most_inputs(pass->stage, axis, outputs);
      const Point& shape = pass->stage.input.shape();
      take(slab_bytes(shape, axis, inputs, sides, element));
      // ghost points that are computed in a separate interval
      take(slab_bytes(shape, axis, std::min(ghosts, shape[axis]), {}, element));
      outputs = std::min(inputs, shape[axis]);
    }
}

/// Returns the host memory in bytes for computing one window on the CPU.
Index computing_bytes(const Problem& problem, const Windows& windows) {
  Index bytes = 0, scratch = 0;
  const std::vector<WindowPass> passes = passes_of(problem);
  for_each_field(problem, passes, windows, [&](Index field) { bytes = checked_add(bytes, field); });
  for (const BoundStage& stage : problem.chain.stages)
    bytes = checked_add(bytes, standing_bytes(stage, 0));
  for (const WindowPass& pass : passes) scratch = std::max(scratch, pass.scratch);
  const Index threads = std::max(1, omp_get_max_threads());
  const Index computing = windows.unit > 0 ? windows.threads : threads;
  return checked_add(bytes, scratch / threads * computing + scratch % threads);
}

/// Returns the host memory in bytes for the points of one window in transfer to and from a GPU, and
/// for masks.
Index travelling_bytes(const Problem& problem, const Windows& windows) {
  Index bytes =
      checked_multiply(most_points_in_transfer(problem, windows), problem.compute_bytes());
  for (const BoundStage& stage : problem.chain.stages)
    bytes = checked_add(bytes, standing_bytes(stage, 0));
  return bytes;
}

}  // namespace

Index most_read(const Problem& problem, int axis, Index outputs) {
  const auto& stages = problem.chain.stages;
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
    for (Index step = 0; step < stage->steps; ++step)
      outputs = std::min(most_inputs(*stage, axis, outputs), stage->input.shape()[axis]);
  return outputs;
}

Index most_points_in_transfer(const Problem& problem, const Windows& windows) {
  const auto slab = [&](const Point& shape, Index extent) {
    return checked_multiply(points(shape) / shape[windows.axis], extent);
  };
  const Index outputs = std::min(windows.outputs, problem.chain.output_shape()[windows.axis]);
  return std::max(
      slab(problem.chain.output_shape(), outputs),
      slab(problem.chain.input_shape(), most_read(problem, windows.axis, windows.outputs)));
}

ReadsAtATime reads_of(const Problem& problem, const Windows& windows) {
  const Point& shape = problem.input_form.shape();
  ReadsAtATime reads;
  reads.points = checked_multiply(points(shape) / shape[windows.axis],
                                  most_read(problem, windows.axis, windows.outputs));
  reads.reads = windows.at_a_time;
  reads.threads = windows.unit > 0 ? windows.threads : 0;
  if (windows.unit > 0) reads.kept = kept_for(problem.input, reads);
  return reads;
}

Index window_bytes(const Problem& problem, const Windows& windows) {
  const Index row = stored_bytes(problem, windows.axis);
  Index writing =
      writing_bytes(problem.output, split_bytes(problem, windows.axis, windows.outputs));
  if (windows.unit > 0) {
    const Index window = checked_multiply(row, rounded_up(windows.outputs, windows.unit));
    writing = streaming_bytes(problem.output, window, windows.at_a_time);
    // blocks that have parts in several windows
    const Index count = problem.chain.output_shape()[windows.axis];
    const Index blocks = std::min(rounded_up(count, windows.unit),
                                  checked_multiply(windows.at_a_time + 2, windows.unit));
    if (windows.outputs % windows.unit != 0)
      writing = checked_add(writing, checked_multiply(row, blocks));
  }
  const Index each =
      is_on_gpu(problem) ? travelling_bytes(problem, windows) : computing_bytes(problem, windows);
  const Index reading = reading_bytes(problem.input, reads_of(problem, windows));
  return checked_add(checked_multiply(windows.at_a_time, each),
                     checked_add(checked_add(writing, reading), shared_bytes(problem.chain)));
}

Index window_device_bytes(const Problem& problem, const Windows& windows) {
  if (!is_on_gpu(problem)) return 0;
  Index each = 0;
  for_each_field(problem, passes_of(problem), windows,
                 [&](Index field) { each = checked_add(each, in_device_blocks(field)); });
  for (const BoundStage& stage : problem.chain.stages)
    each = checked_add(each, stage_device_bytes(stage, problem.compute_bytes()));
  return checked_add(code_device_bytes, checked_multiply(windows.at_a_time, each));
}

}  // namespace stencil
