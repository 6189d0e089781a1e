// Masks along x alone. A block copies a piece of one or several rows into shared memory; each
// thread sums row_outputs neighbouring outputs out of it, and each warp turns its results over in
// shared memory so that they leave in whole lines.
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/production/row_sums.cuh"
#include "kernels/cuda/production/stage.cuh"
#include "kernels/cuda/production/tiling.hpp"

namespace stencil::cuda {
namespace {

constexpr int warps = 8, threads = 32 * warps;
template <class T>
constexpr int warp_columns = 32 * row_outputs<T>;

template <class T>
struct LinePlan {
  Sweep<T> sweep;
  Alignment alignment;
  int across;  ///< warps side by side along x; the others take further rows
  int pitch;   ///< elements of one row of inputs in shared memory
  int taps;    ///< elements of the taps in shared memory
  long strips, tiles;
};

template <class T>
__device__ void store_line(const LinePlan<T>& plan, T* turn, long b, long y, long x,
                           const T (&sum)[row_outputs<T>]) {
  constexpr int n = chunk<T>;
  const Sweep<T>& sweep = plan.sweep;
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int c = 0; c < 3; ++c) put_chunk(turn + lane * row_outputs<T> + c * n, sum + c * n);
  __syncwarp();
  T* row = sweep.target + b * sweep.target_batch + y * sweep.target_row + x;
  const int first = x < 0 ? int(-x) : 0;
  const int last = int(min(long(warp_columns<T>), sweep.columns - x));
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    const int at = (c * 32 + lane) * n;
    T v[n];
    load_chunk(turn + at, v);
    store_results(row, at, first, last, plan.alignment.aligned_target, true, v);
  }
}

template <class T, bool skip_zeros>
__global__ void __launch_bounds__(threads, 4) line(const __grid_constant__ LinePlan<T> plan) {
  extern __shared__ __align__(16) unsigned char memory[];
  const Sweep<T>& sweep = plan.sweep;
  T* const taps = reinterpret_cast<T*>(memory);
  T* const turns = taps + plan.taps;
  T* const inputs = turns + warps * warp_columns<T>;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int part = warp % plan.across, line = warp / plan.across;
  const int lines = warps / plan.across;
  for (int i = threadIdx.x; i < sweep.width; i += threads) taps[i] = sweep.taps[i];
  for (long tile = blockIdx.x; tile < plan.tiles; tile += gridDim.x) {
    const long strip = tile % plan.strips, row = tile / plan.strips * lines + line;
    const long b = row / sweep.rows, y = row % sweep.rows;
    const long x = strip * plan.across * warp_columns<T> - plan.alignment.shift;
    const bool inside = b < sweep.batches;
    if (inside) {
      const int last = int(min(long(plan.across * warp_columns<T> + sweep.width - 1),
                               sweep.columns + sweep.width - 1 - x));
      // each warp copies what its first output begins with; the last one the halo as well
      const int begin = part * warp_columns<T>;
      const int end = part + 1 < plan.across ? min(last, begin + warp_columns<T>) : last;
      stage_row(inputs + line * plan.pitch,
                sweep.source + b * sweep.source_batch + y * sweep.source_row + x,
                max(begin, x < 0 ? int(-x) : 0), end, plan.alignment.granule, lane);
    }
    commit_copies();
    await_copies<0>();
    __syncthreads();
    if (inside) {
      T sum[row_outputs<T>];
      const int at = part * warp_columns<T>;
      row_sums<skip_zeros>(inputs + line * plan.pitch + at + lane * row_outputs<T>, taps,
                           sweep.width, sum);
      store_line(plan, turns + warp * warp_columns<T>, b, y, x + at, sum);
    }
    __syncthreads();
  }
}

template <class T>
std::size_t line_bytes(const LinePlan<T>& plan) {
  return sizeof(T) * (std::size_t(plan.taps) + warps * warp_columns<T> +
                      std::size_t(warps / plan.across) * plan.pitch);
}

template <class T>
LinePlan<T> plan_line(const Sweep<T>& sweep) {
  constexpr int n = chunk<T>;
  LinePlan<T> plan{sweep, align_tiles(sweep), warps, 0, (sweep.width + n - 1) / n * n, 0, 0};
  const long columns = sweep.columns + plan.alignment.shift;
  while (plan.across > 1 && plan.across / 2 * long(warp_columns<T>) >= columns) plan.across /= 2;
  const int width = plan.across * warp_columns<T>;
  plan.pitch = width + row_reach<T>(sweep.width) + n;
  plan.strips = (columns + width - 1) / width;
  const long lines = warps / plan.across;
  plan.tiles = (sweep.batches * sweep.rows + lines - 1) / lines * plan.strips;
  return plan;
}

}  // namespace

template <class T>
bool fits_line(const Sweep<T>& sweep) {
  return line_bytes(plan_line(sweep)) <= most_shared_bytes();
}

template <class T>
void launch_line(const Sweep<T>& sweep, CUstream_st* stream) {
  const LinePlan<T> plan = plan_line(sweep);
  const auto kernel = sweep.skip_zeros ? line<T, true> : line<T, false>;
  const int bytes = int(line_bytes(plan));
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "shared memory of cuda line");
  kernel<<<unsigned(std::min(plan.tiles, 0x7fffffffL)), threads, bytes, stream>>>(plan);
  check_launch("cuda line");
}

template bool fits_line(const Sweep<float>&);
template bool fits_line(const Sweep<double>&);
template void launch_line(const Sweep<float>&, CUstream_st*);
template void launch_line(const Sweep<double>&, CUstream_st*);

}  // namespace stencil::cuda
