// Both passes of a separable mask with strides, in one sweep. A block walks down a strip: rows of
// inputs are copied one step ahead, the row sums of the columns that are kept go into a ring in
// shared memory, and the column sums of the rows that are kept come out of it.
#include <cuda_runtime.h>

#include "kernels/cuda/production/strided_walk.cuh"

namespace stencil::cuda {
namespace {

constexpr int halves = 2;  // of the staged inputs: one that is summed, one that arrives
constexpr int deep = 2;    // rows of outputs of a thread in the column pass
template <class T>
constexpr int row_outputs = 2 * chunk<T>;  // of a thread in the row pass
template <class T>
constexpr int row_lanes = strip_columns<T> / row_outputs<T>;

/// Largest stride along x with a kernel that skips taps of 0: such masks are rare.
constexpr int most_skipping_stride = 4;

/// Factors as kernel arguments, which lie in the constant bank; side 0 where only the run knows how
/// many taps there are, and where taps are skipped: these lie in shared memory.
template <class T, int side>
struct StridedFactors {
  T column[side], row[side];
};
template <class T>
struct StridedFactors<T, 0> {};

/// A ring of row sums.
template <class T>
struct SumRing {
  T* rows;
  int slots;

  __device__ int after(int slot, int count) const {
    const int next = slot + count;
    return next >= slots ? next - slots : next;
  }
};

/// Row sums of `count` staged rows, into the ring from `slot` on, by all threads of the block.
template <int stride, bool skip_zeros, int side, class T>
__device__ __forceinline__ void add_row_sums(const StridedPlan<T>& plan,
                                             const StridedFactors<T, side>& factors,
                                             const T* inputs, const T* taps, const SumRing<T>& ring,
                                             int slot, int count) {
  using Layout = Spans<T, stride, row_outputs<T>>;
  const int lane = threadIdx.x % row_lanes<T>;
  for (int r = threadIdx.x / row_lanes<T>; r < count; r += blockDim.x / row_lanes<T>) {
    T sum[row_outputs<T>] = {};
    const T* const from = inputs + r * plan.pitch + lane * Layout::pitch;
    if constexpr (side > 0) {
      strided_sums_fixed<stride, side, 0>(from, factors.row, sum);
    } else {
      strided_sums<skip_zeros, stride>(from, taps, plan.arguments.width, sum);
    }
    T* const to = ring.rows + ring.after(slot, r) * strip_columns<T> + lane * row_outputs<T>;
#pragma unroll
    for (int c = 0; c < row_outputs<T>; c += chunk<T>) put_chunk(to + c, sum + c);
  }
}

/// `sum[r] += sum_j taps[j] * row(r * down + j)` for a chunk of columns: both sums of a thread read
/// the rows that they share at once.
template <bool skip_zeros, class T>
__device__ __forceinline__ void strided_column_sums(const SumRing<T>& ring, int at, int slot,
                                                    const T* taps, int height, int down,
                                                    T (&sum)[deep][chunk<T>]) {
  const T* const end = ring.rows + ring.slots * strip_columns<T> + at;
  const T* from = ring.rows + slot * strip_columns<T> + at;
  const auto read = [&](T(&data)[chunk<T>]) {
    load_chunk(from, data);
    from += strip_columns<T>;
    if (from == end) from -= ring.slots * strip_columns<T>;
  };
  const auto add = [&](int r, T tap, const T(&data)[chunk<T>]) {
    if (skip_zeros && tap == 0) return;
#pragma unroll
    for (int v = 0; v < chunk<T>; ++v) sum[r][v] = fused(tap, data[v], sum[r][v]);
  };
  T data[chunk<T>];
  const int alone = min(down, height);
#pragma unroll 2
  for (int j = 0; j < alone; ++j) read(data), add(0, taps[j], data);
  if (down > height) {
    const int gap = (down - height) * strip_columns<T>;
    from += gap;
    if (from >= end) from -= ring.slots * strip_columns<T>;
  }
#pragma unroll 4
  for (int j = down; j < height; ++j)
    read(data), add(0, taps[j], data), add(1, taps[j - down], data);
#pragma unroll 2
  for (int j = height - alone; j < height; ++j) read(data), add(1, taps[j], data);
}

/// The same for a height and a stride known to the compiler.
template <int down, int height, class T>
__device__ __forceinline__ void strided_column_sums_fixed(const SumRing<T>& ring, int at, int slot,
                                                          const T (&taps)[height],
                                                          T (&sum)[deep][chunk<T>]) {
  const T* const end = ring.rows + ring.slots * strip_columns<T> + at;
  const T* from = ring.rows + slot * strip_columns<T> + at;
#pragma unroll
  for (int j = 0; j < height + (deep - 1) * down; ++j) {
    T data[chunk<T>];
    load_chunk(from, data);
    from += strip_columns<T>;
    if (from == end) from -= ring.slots * strip_columns<T>;
#pragma unroll
    for (int r = 0; r < deep; ++r) {
      if (j < r * down || j - r * down >= height) continue;
#pragma unroll
      for (int v = 0; v < chunk<T>; ++v) sum[r][v] = fused(taps[j - r * down], data[v], sum[r][v]);
    }
  }
}

/// @param side  of the mask, and its strides are the same along both axes; 0: of any mask
template <class T, int stride, int side, bool skip_zeros>
__global__ void __launch_bounds__(256, 2)
    strided_separable(const __grid_constant__ StridedPlan<T> plan,
                      const __grid_constant__ StridedFactors<T, side> factors) {
  using Layout = Spans<T, stride, row_outputs<T>>;
  extern __shared__ __align__(16) unsigned char memory[];
  const KernelArguments<T>& arguments = plan.arguments;
  const int warp = threadIdx.x / 32, at = threadIdx.x % 32 * chunk<T>,
            down = int(arguments.stride_y);
  const int outputs = plan.warps * deep, step = outputs * down;
  T* const row_taps = reinterpret_cast<T*>(memory);
  T* const column_taps = row_taps + plan.taps;
  T* const inputs = column_taps + plan.table;
  const SumRing<T> ring{inputs + halves * step * plan.pitch, plan.slots};
  if constexpr (side == 0) {
    for (int k = threadIdx.x; k < arguments.width; k += blockDim.x) row_taps[k] = arguments.row[k];
    for (int k = threadIdx.x; k < arguments.height; k += blockDim.x)
      column_taps[k] = arguments.column[k];
  }
  const StridedSegment<T> segment(plan);
  segment.template start<Layout>(inputs, step, 0, 0, step);
  // the ring holds the rows of `late` outputs more than a step has
  const int late = (arguments.height - 1) / down;
  int half = 0, slot = 0;
  for (int k = 1, first = -late; first < segment.rows; ++k, first += outputs) {
    await_copies<0>();
    __syncthreads();
    segment.template start<Layout>(inputs + (1 - half) * step * plan.pitch, step, k * step, 0,
                                   step);
    add_row_sums<stride, skip_zeros>(plan, factors, inputs + half * step * plan.pitch, row_taps,
                                     ring, slot, step);
    __syncthreads();
    half = 1 - half;
    // the oldest row follows the newest
    slot = ring.after(slot, step);
    const int row = first + warp * deep;
    if (row + deep <= 0 || row >= segment.rows) continue;
    T sum[deep][chunk<T>] = {};
#pragma unroll
    for (int r = 0; r < deep; ++r) {
      if (arguments.resume) segment.load(row + r, at, sum[r]);
    }
    const int from = ring.after(slot, warp * deep * down);
    if constexpr (side > 0) {
      strided_column_sums_fixed<stride>(ring, at, from, factors.column, sum);
    } else {
      strided_column_sums<skip_zeros>(ring, at, from, column_taps, arguments.height, down, sum);
    }
#pragma unroll
    for (int r = 0; r < deep; ++r) segment.store(row + r, at, sum[r]);
  }
}

template <class T, int stride>
StridedPlan<T> lay_out(const KernelArguments<T>& arguments, int warps) {
  StridedPlan<T> plan = start_plan(arguments, warps);
  const int down = int(arguments.stride_y), outputs = warps * deep;
  plan.pitch = Spans<T, stride, row_outputs<T>>::row_size(row_lanes<T>, arguments.width);
  plan.slots = ((arguments.height - 1) / down + outputs) * down;
  plan.taps = tap_pitch<T>(arguments.width);
  plan.table = tap_pitch<T>(arguments.height);
  plan.bytes = sizeof(T) * (std::size_t(plan.taps) + plan.table +
                            halves * std::size_t(outputs * down) * plan.pitch +
                            std::size_t(plan.slots) * strip_columns<T>);
  return plan;
}

/// Calls `use(kernel, plan)` if there is a kernel for the stride and a plan that fits.
template <class T, int stride, int... strides, class Use>
bool with_plan(const KernelArguments<T>& arguments, const Use& use) {
  if (arguments.stride_x == stride) {
    auto kernel = strided_separable<T, stride, 0, false>;
    if constexpr (stride <= most_skipping_stride) {
      if (arguments.skip_zeros) kernel = strided_separable<T, stride, 0, true>;
    } else if (arguments.skip_zeros) {
      return false;
    }
    StridedPlan<T> plan;
    const auto lay = [&](int warps) { return lay_out<T, stride>(arguments, warps); };
    if (!find_strided_plan(kernel, lay, deep, plan)) return false;
    use(kernel, plan);
    return true;
  }
  if constexpr (sizeof...(strides) > 0) return with_plan<T, strides...>(arguments, use);
  return false;
}

template <class T, class Use>
bool with_any_plan(const KernelArguments<T>& arguments, const Use& use) {
  const bool small =
      arguments.height < 50000 && arguments.width < 50000 && arguments.stride_y <= 1000;
  return small && with_plan<T, 1, 2, 3, 4, 5, 6, 8>(arguments, use);
}

/// Launches the kernel for a stride and the mask's side if it is one of `sides`.
template <class T, int stride, int side, int... sides>
bool launch_square(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                   CUstream_st* stream) {
  if (stencil.width == side) {
    StridedFactors<T, side> factors;
    std::copy(stencil.column.begin(), stencil.column.end(), factors.column);
    std::copy(stencil.row.begin(), stencil.row.end(), factors.row);
    StridedPlan<T> plan;
    const auto kernel = strided_separable<T, stride, side, false>;
    const auto lay = [&](int warps) { return lay_out<T, stride>(arguments, warps); };
    if (!find_strided_plan(kernel, lay, deep, plan)) return false;
    launch_strided_plan(kernel, plan, "cuda strided separable", stream, factors);
    return true;
  }
  if constexpr (sizeof...(sides) > 0)
    return launch_square<T, stride, sides...>(arguments, stencil, stream);
  return false;
}

/// The same for one of some strides.
template <class T, int stride, int... more>
bool launch_any_square(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                       CUstream_st* stream) {
  if (arguments.stride_x == stride)
    return launch_square<T, stride, 5, 9, 17>(arguments, stencil, stream);
  if constexpr (sizeof...(more) > 0)
    return launch_any_square<T, more...>(arguments, stencil, stream);
  return false;
}

}  // namespace

template <class T>
bool fits_strided_separable(const KernelArguments<T>& arguments) {
  return with_any_plan(arguments, [](auto, const auto&) {});
}

template <class T>
void launch_strided_separable(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                              CUstream_st* stream) {
  const bool square = arguments.height == stencil.height && stencil.height == stencil.width &&
                      arguments.stride_y == arguments.stride_x;
  if (square && !arguments.skip_zeros && launch_any_square<T, 2>(arguments, stencil, stream))
    return;
  with_any_plan(arguments, [&](auto kernel, const auto& plan) {
    launch_strided_plan(kernel, plan, "cuda strided separable", stream, StridedFactors<T, 0>{});
  });
}

template bool fits_strided_separable(const KernelArguments<float>&);
template bool fits_strided_separable(const KernelArguments<double>&);
template void launch_strided_separable(const KernelArguments<float>&, const Stencil<float>&,
                                       CUstream_st*);
template void launch_strided_separable(const KernelArguments<double>&, const Stencil<double>&,
                                       CUstream_st*);

}  // namespace stencil::cuda
