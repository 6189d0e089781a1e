#pragma once

#include <cstddef>

#include "kernels/cuda/production/strided_stage.cuh"
#ifndef __CUDACC_RTC__
#include <algorithm>

#include "kernels/cuda/production/launch_plan.cuh"
#endif

namespace stencil::cuda {

/// Plan of a kernel that walks down strips.
template <class T>
struct StridedPlan {
  KernelArguments<T> arguments;
  int shift;          ///< number of columns from the start of the first strip to the first output
  int granule;        ///< alignment of the inputs of strips in bytes
  bool aligned;       ///< targets of strips are aligned to 16 bytes
  int warps;          ///< number of warps of a block
  int segment_rows;   ///< number of rows of outputs of a block
  int pitch, slots;   ///< elements of a row of inputs in shared memory; rows of the ring
  int table, taps;    ///< elements of shared memory of the column taps and of the row taps
  std::size_t bytes;  ///< number of bytes of shared memory

  int threads() const { return 32 * warps; }
};

template <class T>
inline constexpr int strip_columns = 32 * chunk<T>;

/// The segment of a strip that a block sums. Columns are relative to the segment's first column.
template <class T>
struct StridedSegment {
  const StridedPlan<T>& plan;
  const T* source;
  T* target;
  int rows;         ///< number of rows of outputs
  int inputs;       ///< number of rows of inputs
  int first, last;  ///< columns of outputs that exist

  __device__ explicit StridedSegment(const StridedPlan<T>& all) : plan(all) {
    const KernelArguments<T>& arguments = plan.arguments;
    const long x = long(blockIdx.x) * strip_columns<T> - plan.shift, b = blockIdx.z;
    const long y = long(blockIdx.y) * plan.segment_rows;
    source = arguments.source + b * arguments.source_batch +
             y * arguments.stride_y * arguments.source_row + x * arguments.stride_x;
    target = arguments.target + b * arguments.target_batch + y * arguments.target_row + x;
    rows = int(min(long(plan.segment_rows), arguments.rows - y));
    inputs = (rows - 1) * int(arguments.stride_y) + arguments.height;
    first = x < 0 ? int(-x) : 0;
    last = int(min(long(strip_columns<T>), arguments.columns - x));
  }

  /// Starts the copies of `count` rows of inputs to a ring, except for rows that do not exist.
  /// Called by all warps of the block.
  template <class Layout>
  __device__ __forceinline__ void start(T* ring, int slots, int row, int slot, int count) const {
    const KernelArguments<T>& arguments = plan.arguments;
    constexpr int stride = Layout::span / Layout::outputs_of_thread;
    const RowSource<T> rows_from{source + row * arguments.source_row, arguments.source_row,
                                 first * stride, (last - 1) * stride + arguments.width,
                                 plan.granule};
    stage_spans<Layout>(rows_from, ring, plan.pitch, slots, slot, int(threadIdx.x / 32), plan.warps,
                        min(count, inputs - row));
    commit_copies();
  }

  __device__ __forceinline__ void load(int row, int at, T* sum) const {
    const T* const from = target + row * plan.arguments.target_row + at;
#pragma unroll
    for (int v = 0; v < chunk<T>; ++v) {
      if (row >= 0 && row < rows && at + v >= first && at + v < last) sum[v] = from[v];
    }
  }

  __device__ __forceinline__ void store(int row, int at, T* sum) const {
    if (row < 0 || row >= rows) return;
    T* const to = target + row * plan.arguments.target_row + at;
    if (plan.arguments.finish) {
#pragma unroll
      for (int v = 0; v < chunk<T>; ++v) sum[v] = clean(sum[v]);
    }
    if (plan.aligned && at >= first && at + chunk<T> <= last) return stream_chunk(to, sum);
#pragma unroll
    for (int v = 0; v < chunk<T>; ++v) {
      if (at + v >= first && at + v < last) to[v] = sum[v];
    }
  }
};

#ifndef __CUDACC_RTC__  // host code

/// Returns the number of rows of outputs of a block that walks down a strip. The number is chosen
/// so that the blocks fill whole waves. Many waves are preferred, unless neighbouring blocks would
/// then read too many of the same rows.
///
/// @param across    number of blocks side by side, in all batches
/// @param resident  number of blocks that run at once on the whole GPU
/// @param step      rows that a block computes at once; the result is a multiple of this number
template <class T>
int segment_rows(const KernelArguments<T>& arguments, long across, long resident, int step) {
  const auto whole = [&](long rows) { return (rows + step - 1) / step * step; };
  const long shared = std::max(0L, arguments.height - arguments.stride_y);
  long rows = 0;
  for (const long waves : {8, 6, 4, 3, 2, 1}) {
    const long segments = std::clamp(waves * resident / std::max(1L, across), 1L, most_grid_side);
    rows = whole((arguments.rows + segments - 1) / segments);
    if (rows >= 8 * step && rows * arguments.stride_y >= 24 * shared) break;
  }
  return int(rows);
}

/// Returns a plan without its shared memory, whose layout depends on the kernel.
template <class T>
StridedPlan<T> start_plan(const KernelArguments<T>& arguments, int warps) {
  StridedPlan<T> plan{};
  plan.arguments = arguments;
  const int shift = target_shift(arguments);
  plan.aligned = shift >= 0;
  plan.shift = std::max(shift, 0);
  plan.granule = granule_of(arguments, plan.shift);
  plan.warps = warps;
  return plan;
}

/// Number of strips of a plan.
template <class T>
long strips_of(const StridedPlan<T>& plan) {
  return (plan.arguments.columns + plan.shift + strip_columns<T> - 1) / strip_columns<T>;
}

/// Finds the plan with which the most warps run at once on a multiprocessor (the first one of
/// several), and divides its strips into segments.
///
/// @param lay_out  `lay_out(warps)` returns a plan for this number of warps per block
/// @param step     rows of outputs of one warp between two barriers
/// @returns the number of these warps; 0 if no plan fits
template <class T, class LayOut>
int find_strided_plan(const LoadedKernel& kernel, const LayOut& lay_out, int step,
                      StridedPlan<T>& best) {
  int most = 0;
  long blocks = 0;
  for (const int warps : {4, 8, 2, 1}) {
    const StridedPlan<T> plan = lay_out(warps);
    const int resident = resident_blocks(kernel, plan.threads(), plan.bytes);
    if (resident * warps <= most) continue;
    most = resident * warps;
    blocks = long(resident) * multiprocessors();
    best = plan;
  }
  if (most < 2) return 0;
  best.segment_rows = segment_rows(best.arguments, strips_of(best) * best.arguments.batches, blocks,
                                   best.warps * step);
  return most;
}

/// @param taps  the second argument of the kernel
template <class T>
void launch_strided_plan(const LoadedKernel& kernel, const StridedPlan<T>& plan,
                         CUstream_st* stream, const std::vector<T>& taps) {
  const dim3 blocks(unsigned(strips_of(plan)),
                    unsigned((plan.arguments.rows + plan.segment_rows - 1) / plan.segment_rows),
                    unsigned(plan.arguments.batches));
  launch_instance(kernel, blocks, plan.threads(), plan.bytes, stream, plan, taps);
}

#endif

}  // namespace stencil::cuda
