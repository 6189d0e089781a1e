// Masks along y for which multiplying takes about as long as reading. Each warp walks down a strip
// of columns and keeps the rows that it needs in a ring in shared memory. No block-wide barrier is
// needed.
#include "kernels/cuda/production/constant_sums.cuh"
#include "kernels/cuda/production/stage.cuh"
#include "kernels/cuda/production/tile.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/launch_plan.cuh"
#endif

namespace stencil::cuda {
namespace {

constexpr int warps = 4;             // number of warps of a block, side by side
constexpr int lanes = 8, lines = 4;  // arrangement of the 32 lanes of a warp: 8 along x, 4 along y
constexpr int outputs = 12;          // number of rows of outputs of a lane
constexpr int step = lines * outputs, width = lanes * chunk<float>;

struct ColumnPlan {
  KernelArguments<float> arguments;
  int steps;   ///< smallest number of steps of a part
  int longer;  ///< the first `longer` parts have steps + 1 steps
  int groups;  ///< number of groups of `outputs` rows of the ring
};

/// The ring of input rows of one warp, with the state of its copies.
struct ColumnRing {
  static constexpr unsigned row_bytes = width * sizeof(float), group_bytes = outputs * row_bytes;
  unsigned memory, end;  ///< address of the ring in shared memory, and its size in bytes
  unsigned place = 0;    ///< offset of the next group in bytes
  const float* from;     ///< next row to be copied by this lane, which copies every fourth row
  long pitch;
  int left;  ///< number of rows from `from` on

  /// Starts the copy of the next group.
  __device__ __forceinline__ void fetch() {
    const unsigned to = memory + place + 16 * (threadIdx.x % 32);
#pragma unroll
    for (int r = 0; r < outputs; r += lines) {
      if (left > r) start_copy<16>(to + r * row_bytes, from);
      from += lines * pitch;
    }
    left -= outputs;
    place += group_bytes;
    if (place == end) place = 0;
  }
};

/// Reads one chunk of shared memory. The compiler must not move this load to an earlier place: the
/// rows would then occupy registers for a longer time, and registers would be spilled.
__device__ __forceinline__ void load_here(unsigned from, float (&to)[4]) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "r"(from)
               : "memory");
}

#ifdef __CUDACC_RTC__  // nvcc would compile a kernel that is not a template ahead

__global__ void __launch_bounds__(32 * warps, 3)
    strip_column(const __grid_constant__ ColumnPlan plan,
                 const __grid_constant__ BandTaps<float> taps) {
  constexpr int n = chunk<float>;
  extern __shared__ __align__(128) unsigned char memory[];
  const KernelArguments<float>& arguments = plan.arguments;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, line = lane / lanes;
  const long strip = (long(blockIdx.x) * warps + warp) * width;
  if (strip >= arguments.columns) return;
  const int part = int(blockIdx.y);
  const long y = (long(part) * plan.steps + min(part, plan.longer)) * step;
  const int rows = int(min(long(plan.steps + (part < plan.longer)) * step, arguments.rows - y));
  const long x = strip + lane % lanes * n;
  // lanes without outputs read the same inputs as the last lane with outputs
  const long last = (arguments.columns - 1) / n * n, batch = blockIdx.z;
  ColumnRing ring;
  ring.end = plan.groups * ColumnRing::group_bytes;
  ring.memory = unsigned(__cvta_generic_to_shared(memory)) + warp * ring.end;
  ring.pitch = arguments.source_row;
  ring.left = rows + arguments.height - 1 - line;
  ring.from = arguments.source + batch * arguments.source_batch +
              (y + line) * arguments.source_row + min(x, last);
  float* to = arguments.target + batch * arguments.target_batch +
              (y + line * outputs) * arguments.target_row + x;
#pragma unroll 1
  for (int k = 0; k < plan.groups - lines; ++k) ring.fetch();
  commit_copies();
  const unsigned mine = ring.memory + lane % lanes * 16;
  unsigned begin = line * ColumnRing::group_bytes;  // offset of the rows for the first outputs
#pragma unroll 1
  for (int row = 0; row < rows; row += step) {
    await_copies<0>();
    __syncwarp();
#pragma unroll
    for (int k = 0; k < lines; ++k) ring.fetch();
    commit_copies();
    // the arriving rows replace rows that all lanes have read before the __syncwarp
    float sum[outputs][n] = {}, window[outputs][n];
    unsigned at = begin;
    const auto advance = [&] {
      at += ColumnRing::group_bytes;
      if (at >= ring.end) at -= ring.end;
    };
    const auto add = [&](float tap, int k) {
#pragma unroll
      for (int r = 0; r < outputs; ++r)
#pragma unroll
        for (int v = 0; v < n; ++v) sum[r][v] = fused(tap, window[(k + r) % outputs][v], sum[r][v]);
    };
#pragma unroll
    for (int r = 0; r < outputs; ++r) load_here(mine + at + r * ColumnRing::row_bytes, window[r]);
    advance();
    const float* tap = taps.values;
    int left = arguments.height;
#pragma unroll 1
    for (; left >= outputs; left -= outputs, tap += outputs) {
#pragma unroll
      for (int k = 0; k < outputs; ++k) {
        add(tap[k], k);
        load_here(mine + at + k * ColumnRing::row_bytes, window[k]);
      }
      advance();
    }
#pragma unroll
    for (int k = 0; k < outputs - 1; ++k) {
      if (left <= k) break;
      add(tap[k], k);
      load_here(mine + at + k * ColumnRing::row_bytes, window[k]);
    }
    begin += step * ColumnRing::row_bytes;
    if (begin >= ring.end) begin -= ring.end;
#pragma unroll
    for (int r = 0; r < outputs; ++r)
#pragma unroll
      for (int v = 0; v < n; ++v) sum[r][v] = clean(sum[r][v]);
    if (row + step <= rows && strip + width <= arguments.columns) {
      float* here = to;
#pragma unroll
      for (int r = 0; r < outputs; ++r, here += arguments.target_row) stream_chunk(here, sum[r]);
    } else {
      float* here = to;
#pragma unroll
      for (int r = 0; r < outputs; ++r, here += arguments.target_row)
#pragma unroll
        for (int v = 0; v < n; ++v)
          if (row + line * outputs + r < rows && x + v < arguments.columns) here[v] = sum[r][v];
    }
    to += step * arguments.target_row;
  }
}

#endif

static_assert(sizeof(ColumnPlan) + sizeof(BandTaps<float>) <= 4096, "larger masks go in bands");

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

/// Number of groups of the ring: the rows of a step's outputs, one row that is read but not used,
/// and the rows of the next step.
int groups_for(int height) {
  return (height + step + outputs - 1) / outputs + lines;
}

/// Number of bytes of the rings of a block.
std::size_t ring_bytes(int groups) {
  return std::size_t(warps) * groups * ColumnRing::group_bytes;
}

}  // namespace

template <class T>
bool fits_strip_column(const KernelArguments<T>& arguments) {
  // Lower masks are limited by memory bandwidth, and tiles use more of this bandwidth. With taller
  // masks, shared memory holds the rings of too few warps. On a narrow grid, most warps would have
  // no work.
  if (sizeof(T) == 8 || arguments.height < 48 || arguments.height > 96) return false;
  if (arguments.columns < warps * width ||
      ring_bytes(groups_for(arguments.height)) > most_shared_bytes())
    return false;
  const TilePlace place = place_tiles(arguments, 0);
  return !arguments.skip_zeros && place.bulk && place.aligned_target && place.shift % chunk<T> == 0;
}

void launch_strip_column(const KernelArguments<float>& arguments, const Stencil<float>& stencil,
                         CUstream_st* stream) {
  const LoadedKernel& kernel = instance("strip_column.cu", "strip_column");
  if (arguments.batches == 0) return;
  ColumnPlan plan{};
  plan.arguments = arguments;
  plan.groups = groups_for(arguments.height);
  BandTaps<float> taps;
  std::copy_n(stencil.taps.data(), arguments.height, taps.values);
  const std::size_t bytes = ring_bytes(plan.groups);
  const long across = divide_up(divide_up(arguments.columns, width), warps);
  const long resident =
      std::max(1, resident_blocks(kernel, 32 * warps, bytes)) * long(multiprocessors());
  const long wanted =
      best_parts(arguments.rows, across * arguments.batches, resident, arguments.height - 1);
  const long steps = divide_up(arguments.rows, step),
             parts = divide_up(steps, divide_up(steps, wanted));
  plan.steps = int(steps / parts);
  plan.longer = int(steps % parts);
  launch_instance(kernel, dim3(unsigned(across), unsigned(parts), unsigned(arguments.batches)),
                  32 * warps, bytes, stream, plan, taps);
}

template bool fits_strip_column(const KernelArguments<float>&);
template bool fits_strip_column(const KernelArguments<double>&);

#endif

}  // namespace stencil::cuda
