// Both passes of a separable mask with strides in one sweep. A block walks down a strip. Rows of
// inputs are copied one step in advance. The row sums are computed at every stride_x-th column and
// written to a ring in shared memory, from which the column sums are computed at every stride_y-th
// row.
#include "kernels/cuda/production/strided_walk.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#endif

namespace stencil::cuda {
namespace {

constexpr int halves = 2;  // halves of the memory for inputs: one is read while the other is filled
constexpr int deep = 2;    // number of rows of outputs of a thread in the column pass
template <class T>
constexpr int row_outputs = 2 * chunk<T>;  // number of outputs of a thread in the row pass
template <class T>
constexpr int row_lanes = strip_columns<T> / row_outputs<T>;

/// Factors as a kernel argument in the constant bank. If the sides are 0, the argument is not used,
/// and the factors are in shared memory. This is the case if the sides of the mask are not known to
/// the compiler, or if taps are skipped.
template <class T, int height, int width>
struct StridedFactors {
  T column[height > 0 ? height : 1], row[width > 0 ? width : 1];
};

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

/// Computes the row sums of `count` rows in shared memory, and writes them to the ring from `slot`
/// on. Called by all threads of the block.
template <int stride, bool skip_zeros, int height, int width, class T>
__device__ __forceinline__ void add_row_sums(const StridedPlan<T>& plan,
                                             const StridedFactors<T, height, width>& factors,
                                             const T* inputs, const T* taps, const SumRing<T>& ring,
                                             int slot, int count) {
  using Layout = Spans<T, stride, row_outputs<T>>;
  const int lane = threadIdx.x % row_lanes<T>;
  for (int r = threadIdx.x / row_lanes<T>; r < count; r += blockDim.x / row_lanes<T>) {
    T sum[row_outputs<T>] = {};
    const T* const from = inputs + r * plan.pitch + lane * Layout::pitch;
    if constexpr (width > 0) {
      strided_sums_fixed<stride, width, 0>(from, factors.row, sum);
    } else {
      strided_sums<skip_zeros, stride>(from, taps, plan.arguments.width, sum);
    }
    T* const to = ring.rows + ring.after(slot, r) * strip_columns<T> + lane * row_outputs<T>;
#pragma unroll
    for (int c = 0; c < row_outputs<T>; c += chunk<T>) put_chunk(to + c, sum + c);
  }
}

/// `sum[r] += sum_j taps[j] * row(r * down + j)` for a chunk of columns. Rows that contribute to
/// both sums of a thread are read only once.
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

/// Like strided_column_sums, for a height and a stride known to the compiler.
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

/// @tparam down           stride along y, if the sides of the mask are known
/// @tparam height, width  sides of the mask; 0: any size
template <class T, int stride, int down, int height, int width, bool skip_zeros>
__global__ void __launch_bounds__(256, 2)
    strided_separable(const __grid_constant__ StridedPlan<T> plan,
                      const __grid_constant__ StridedFactors<T, height, width> factors) {
  using Layout = Spans<T, stride, row_outputs<T>>;
  extern __shared__ __align__(16) unsigned char memory[];
  const KernelArguments<T>& arguments = plan.arguments;
  const int warp = threadIdx.x / 32, at = threadIdx.x % 32 * chunk<T>,
            rows_down = int(arguments.stride_y);
  const int outputs = plan.warps * deep, step = outputs * rows_down;
  T* const row_taps = reinterpret_cast<T*>(memory);
  T* const column_taps = row_taps + plan.taps;
  T* const inputs = column_taps + plan.table;
  const SumRing<T> ring{inputs + halves * step * plan.pitch, plan.slots};
  if constexpr (height == 0) {
    for (int k = threadIdx.x; k < arguments.width; k += blockDim.x) row_taps[k] = arguments.row[k];
    for (int k = threadIdx.x; k < arguments.height; k += blockDim.x)
      column_taps[k] = arguments.column[k];
  }
  const StridedSegment<T> segment(plan);
  segment.template start<Layout>(inputs, step, 0, 0, step);
  // the ring holds the rows that one step needs, and the rows of `late` further outputs
  const int late = (arguments.height - 1) / rows_down;
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
    // the slot after that of the newest row has the oldest row
    slot = ring.after(slot, step);
    const int row = first + warp * deep;
    if (row + deep <= 0 || row >= segment.rows) continue;
    T sum[deep][chunk<T>] = {};
#pragma unroll
    for (int r = 0; r < deep; ++r) {
      if (arguments.resume) segment.load(row + r, at, sum[r]);
    }
    const int from = ring.after(slot, warp * deep * rows_down);
    if constexpr (height > 0) {
      strided_column_sums_fixed<down>(ring, at, from, factors.column, sum);
    } else {
      strided_column_sums<skip_zeros>(ring, at, from, column_taps, arguments.height, rows_down,
                                      sum);
    }
#pragma unroll
    for (int r = 0; r < deep; ++r) segment.store(row + r, at, sum[r]);
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

/// Largest stride along x with kernels: the inputs of two neighbouring threads are whole chunks
/// apart.
constexpr long most_stride = 8;

template <class T>
int find_plan(const KernelArguments<T>& arguments, const LoadedKernel& kernel,
              StridedPlan<T>& best) {
  const auto lay_out = [&](int warps) {
    StridedPlan<T> plan = start_plan(arguments, warps);
    const int down = int(arguments.stride_y), outputs = warps * deep;
    plan.pitch =
        span_row_size<T>(int(arguments.stride_x), row_outputs<T>, row_lanes<T>, arguments.width);
    plan.slots = ((arguments.height - 1) / down + outputs) * down;
    plan.taps = tap_pitch<T>(arguments.width);
    plan.table = tap_pitch<T>(arguments.height);
    plan.bytes = sizeof(T) * (std::size_t(plan.taps) + plan.table +
                              halves * std::size_t(outputs * down) * plan.pitch +
                              std::size_t(plan.slots) * strip_columns<T>);
    return plan;
  };
  return find_strided_plan(kernel, lay_out, deep, best);
}

template <class T>
const LoadedKernel& kernel_for(const KernelArguments<T>& arguments, bool known) {
  return instance("strided_separable.cu",
                  instance_name<T>("strided_separable", arguments.stride_x,
                                   known ? arguments.stride_y : 0, known ? arguments.height : 0,
                                   known ? arguments.width : 0, arguments.skip_zeros));
}

/// Returns whether the kernel for the given sides of the mask can keep all inputs of a row in
/// registers and has short loops over a column.
template <class T>
bool is_known(const KernelArguments<T>& arguments) {
  const long reach = (row_outputs<T> - 1) * arguments.stride_x + arguments.width;
  return !arguments.skip_zeros && !arguments.resume && arguments.finish && arguments.height <= 65 &&
         arguments.stride_y <= 16 && reach * long(sizeof(T)) <= 256;
}

}  // namespace

template <class T>
bool fits_strided_separable(const KernelArguments<T>& arguments) {
  StridedPlan<T> plan;
  return arguments.height < 50000 && arguments.width < 50000 && arguments.stride_y <= 1000 &&
         arguments.stride_x <= most_stride &&
         find_plan(arguments, kernel_for(arguments, false), plan) > 0;
}

template <class T>
void launch_strided_separable(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                              CUstream_st* stream) {
  StridedPlan<T> plan;
  if (is_known(arguments)) {
    const LoadedKernel& kernel = kernel_for(arguments, true);
    if (find_plan(arguments, kernel, plan) > 0) {
      std::vector<T> factors = stencil.column;
      factors.insert(factors.end(), stencil.row.begin(), stencil.row.end());
      return launch_strided_plan(kernel, plan, stream, factors);
    }
  }
  const LoadedKernel& kernel = kernel_for(arguments, false);
  find_plan(arguments, kernel, plan);
  launch_strided_plan(kernel, plan, stream, std::vector<T>(2));
}

template bool fits_strided_separable(const KernelArguments<float>&);
template bool fits_strided_separable(const KernelArguments<double>&);
template void launch_strided_separable(const KernelArguments<float>&, const Stencil<float>&,
                                       CUstream_st*);
template void launch_strided_separable(const KernelArguments<double>&, const Stencil<double>&,
                                       CUstream_st*);

#endif

}  // namespace stencil::cuda
