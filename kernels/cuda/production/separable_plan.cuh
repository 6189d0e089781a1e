#pragma once

#include <cstddef>

#include "kernels/cuda/production/column_sums.cuh"
#include "kernels/cuda/production/ring.cuh"
#include "kernels/cuda/production/row_sums.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/launch_plan.cuh"
#endif

namespace stencil::cuda::separable_walk {

// What the kernels share that walk down strips with both passes of separable masks.

inline constexpr int outputs = 6;     // rows of one thread in the column pass
inline constexpr int row_chunks = 3;  // of outputs of one thread in the row pass
inline constexpr int row_lanes = 16;  // threads along a row in the row pass

template <class T>
inline constexpr int strip_width = row_lanes* row_outputs<T, row_chunks>;
template <class T>
inline constexpr int column_lanes = strip_width<T> / chunk<T>;
template <class T>
using Table = TapTable<T, outputs>;

template <class T>
struct SeparablePlan {
  KernelArguments<T> arguments;
  Alignment alignment;
  Tiling tiling;
  int groups;        ///< of `outputs` rows that a block sums between two barriers
  int width, step;   ///< columns of a strip, rows of a step
  int pitch, slots;  ///< elements of a row of inputs, rows of the ring of row sums
  int table, taps;   ///< elements of the taps of all columns and of all rows
  std::size_t bytes;

  __host__ __device__ int threads() const { return groups * column_lanes<T>; }
};

/// Chunks of inputs on their way: one that is summed, one that arrives.
inline constexpr int chunks = 2;

/// Row sums of `count` rows of inputs, into the ring from `slot` on, by all threads of the block.
template <bool skip_zeros, class T>
__device__ __forceinline__ void add_row_sums(const SeparablePlan<T>& plan, const T* inputs,
                                             const T* taps, const Ring<T>& ring, int slot,
                                             int count) {
  constexpr int n = chunk<T>;
  const int at = threadIdx.x % row_lanes * row_outputs<T, row_chunks>;
  for (int row = threadIdx.x / row_lanes; row < count; row += blockDim.x / row_lanes) {
    T sum[row_outputs<T, row_chunks>];
    row_sums<skip_zeros, row_chunks>(inputs + row * plan.pitch + at, taps, plan.arguments.width,
                                     sum);
    T* const to = ring.row(ring.after(slot, row)) + at;
#pragma unroll
    for (int c = 0; c < row_chunks; ++c) put_chunk(to + c * n, sum + c * n);
  }
}

/// Elements of the taps of one row in shared memory.
__host__ __device__ inline int padded_row(int width) {
  return (width + 3) / 4 * 4;
}

#ifndef __CUDACC_RTC__  // what follows is the host's

template <class T>
SeparablePlan<T> plan_separable(const KernelArguments<T>& arguments, int groups) {
  SeparablePlan<T> plan{};
  plan.arguments = arguments;
  plan.alignment = align_tiles(arguments);
  plan.groups = groups;
  plan.width = strip_width<T>;
  plan.step = groups * outputs;
  plan.pitch = strip_width<T> + row_reach<T>(arguments.width);
  plan.slots = arguments.height - 1 + plan.step;
  plan.table = arguments.terms * Table<T>::size(arguments.height);
  plan.taps = arguments.terms * padded_row(arguments.width);
  plan.bytes = sizeof(T) * (std::size_t(plan.table) + plan.taps +
                            arguments.terms * std::size_t(plan.slots) * strip_width<T> +
                            chunks * std::size_t(plan.step) * plan.pitch);
  return plan;
}

template <class T>
bool find_plan(const KernelArguments<T>& arguments, const LoadedKernel& kernel,
               SeparablePlan<T>& best) {
  return choose_plan(
      kernel,
      {plan_separable(arguments, 4), plan_separable(arguments, 8), plan_separable(arguments, 2)},
      best, 192);
}

#endif

}  // namespace stencil::cuda::separable_walk
