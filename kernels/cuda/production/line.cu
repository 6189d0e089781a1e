// Masks along x alone, and rows of masks too wide for others. Pieces of rows are copied to shared
// memory one ahead; each thread sums five chunks of neighbouring outputs out of them, and each warp
// turns its results over in shared memory so that they leave in whole lines.
#include <cuda_runtime.h>

#include "kernels/cuda/production/constant_sums.cuh"
#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/stage.cuh"

namespace stencil::cuda {
namespace {

constexpr int warps = 8;
constexpr int chunks = 5;  // of outputs of one thread
constexpr int pieces = 2;  // of inputs: one that is summed, one that arrives
template <class T>
constexpr int outputs = chunks* chunk<T>;
template <class T>
constexpr int warp_columns = 32 * outputs<T>;

template <class T>
struct LinePlan {
  Sweep<T> sweep;
  Alignment alignment;
  int across, lines;  ///< warps side by side along x; rows of a piece
  int width;          ///< columns of a piece
  int run;            ///< pieces, one after the other along x, of a block
  long runs, groups;  ///< blocks along x; groups of `lines` rows
  int pitch;          ///< elements of a row of inputs in shared memory
  std::size_t bytes;

  static __host__ __device__ int threads() { return 32 * warps; }
};

static_assert(sizeof(LinePlan<double>) + sizeof(BandTaps<double>) <= 4096,
              "arguments of a kernel before CUDA 12.1");

/// Starts the copy of one line of a piece, whose outputs begin at column x, by its `across` warps.
template <class T>
__device__ __forceinline__ void start_piece(const LinePlan<T>& plan, const T* row, T* to, long x,
                                            int part) {
  const int width = int(min(long(plan.width), plan.sweep.columns - x)) + plan.sweep.width - 1;
  // each warp copies what its own outputs begin with, the last one the halo as well
  const int begin = part * warp_columns<T>, first = max(begin, x < 0 ? int(-x) : 0);
  const int last = part + 1 < plan.across ? min(width, begin + warp_columns<T>) : width;
  if (first < last)
    stage_rows(RowSource<T>{row + x, 0, first, last, plan.alignment.granule}, to, 0, 0, 1, 1);
}

/// Writes the results of one warp, as far as their columns, counted from `row`, lie in [first,
/// last).
///
/// @param turn    shared memory of this warp, where rows of threads become rows of columns
/// @param finish  they are results, not sums that another launch goes on with
template <class T>
__device__ __forceinline__ void store_turned(T* turn, T* row, int first, int last, bool aligned,
                                             bool finish, T (&sum)[outputs<T>]) {
  constexpr int n = chunk<T>;
  const int lane = threadIdx.x % 32;
  if (finish) {
#pragma unroll
    for (int k = 0; k < outputs<T>; ++k) sum[k] = clean(sum[k]);
  }
#pragma unroll
  for (int c = 0; c < chunks; ++c) put_chunk(turn + lane * outputs<T> + c * n, sum + c * n);
  __syncwarp();
#pragma unroll
  for (int c = 0; c < chunks; ++c) {
    const int at = (c * 32 + lane) * n;
    T v[n];
    load_chunk(turn + at, v);
    if (aligned && at >= first && at + n <= last) {
      stream_chunk(row + at, v);
    } else {
#pragma unroll
      for (int e = 0; e < n; ++e) {
        if (at + e >= first && at + e < last) row[at + e] = v[e];
      }
    }
  }
  __syncwarp();
}

template <class T, bool skip_zeros>
__global__ void __launch_bounds__(32 * warps, 3)
    line(const __grid_constant__ LinePlan<T> plan, const __grid_constant__ BandTaps<T> taps) {
  extern __shared__ __align__(16) unsigned char memory[];
  const Sweep<T>& sweep = plan.sweep;
  const int piece = plan.lines * plan.pitch;
  T* const inputs = reinterpret_cast<T*>(memory);
  T* const turns = inputs + pieces * piece;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int part = warp % plan.across, line = warp / plan.across;
  const int run = int(blockIdx.x % unsigned(plan.runs));
  const long row = long(blockIdx.x / unsigned(plan.runs)) * plan.lines;
  const long columns = sweep.columns + plan.alignment.shift;
  const int first_strip = run * plan.run;
  const int end = min(first_strip + plan.run, int((columns + plan.width - 1) / plan.width));
  const long b = (row + line) / sweep.rows, y = (row + line) % sweep.rows;
  const bool inside = b < sweep.batches;
  const T* const source = sweep.source + b * sweep.source_batch + y * sweep.source_row;
  T* const target = sweep.target + b * sweep.target_batch + y * sweep.target_row;
  T* const to = inputs + line * plan.pitch;
  const auto start = [&](int strip, int half) {
    const long x = long(strip) * plan.width - plan.alignment.shift;
    if (inside && strip < end) start_piece(plan, source, to + half * piece, x, part);
    commit_copies();
  };
  start(first_strip, 0);
  for (int strip = first_strip, half = 0; strip < end; ++strip, half = 1 - half) {
    await_copies<0>();
    __syncthreads();
    start(strip + 1, 1 - half);
    const long x = long(strip) * plan.width + part * warp_columns<T> - plan.alignment.shift;
    if (!inside || x >= sweep.columns) continue;
    const int first = x < 0 ? int(-x) : 0;
    const int last = int(min(long(warp_columns<T>), sweep.columns - x));
    T sum[1][outputs<T>] = {};
    if (sweep.resume) {
#pragma unroll
      for (int k = 0; k < outputs<T>; ++k) {
        const int at = lane * outputs<T> + k;
        if (at >= first && at < last) sum[0][k] = target[x + at];
      }
    }
    const T* const from = to + half * piece + part * warp_columns<T> + lane * outputs<T>;
    add_constant_row<skip_zeros>(from, 0, taps.values, sweep.width, sum);
    store_turned(turns + warp * warp_columns<T>, target + x, first, last,
                 plan.alignment.aligned_target, sweep.finish, sum[0]);
  }
}

template <class T>
LinePlan<T> plan_line(const Sweep<T>& sweep) {
  LinePlan<T> plan{};
  plan.sweep = sweep;
  plan.alignment = align_tiles(sweep);
  const long columns = sweep.columns + plan.alignment.shift;
  plan.across = warps;
  while (plan.across > 1 && plan.across / 2 * long(warp_columns<T>) >= columns) plan.across /= 2;
  plan.lines = warps / plan.across;
  plan.width = plan.across * warp_columns<T>;
  plan.pitch = plan.width + BandTaps<T>::pitch(sweep.width);
  const long strips = (columns + plan.width - 1) / plan.width;
  plan.groups = (sweep.batches * sweep.rows + plan.lines - 1) / plan.lines;
  // long runs, as long as there are some blocks for every multiprocessor
  plan.run = int(std::clamp(strips * plan.groups / 8192, 1L, std::min(strips, 16L)));
  plan.runs = (strips + plan.run - 1) / plan.run;
  plan.bytes = sizeof(T) * (std::size_t(warps) * warp_columns<T> +
                            pieces * std::size_t(plan.lines) * plan.pitch);
  return plan;
}

}  // namespace

template <class T>
bool fits_line(const Sweep<T>& sweep) {
  const LinePlan<T> plan = plan_line(sweep);
  return plan.bytes <= most_shared_bytes() && plan.runs * plan.groups <= 0x7fffffffL;
}

template <class T>
void launch_line(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  const LinePlan<T> plan = plan_line(sweep);
  BandTaps<T> taps;
  std::copy_n(stencil.taps.data() + sweep.first_tap, sweep.width, taps.values);
  const auto kernel = sweep.skip_zeros ? line<T, true> : line<T, false>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(plan.bytes)),
        "shared memory of cuda line");
  kernel<<<unsigned(plan.runs * plan.groups), plan.threads(), plan.bytes, stream>>>(plan, taps);
  check_launch("cuda line");
}

template bool fits_line(const Sweep<float>&);
template bool fits_line(const Sweep<double>&);
template void launch_line(const Sweep<float>&, const Stencil<float>&, CUstream_st*);
template void launch_line(const Sweep<double>&, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda
