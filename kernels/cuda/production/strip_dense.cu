// Squares that multiply somewhat more than they read: a warp walks down a strip of columns, four in
// each lane, and every row of inputs meets the sums of all outputs that want it in its registers.
#include <cuda_runtime.h>

#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/one_of.hpp"
#include "kernels/cuda/production/tile.cuh"
#include "kernels/cuda/production/tile_sums.cuh"

namespace stencil::cuda {
namespace {

constexpr int columns = 4;    // of a lane
constexpr int warps = 4;      // of a block, side by side
constexpr int ring_rows = 4;  // of inputs that are on their way or waiting
constexpr int width = 32 * columns;

/// Rows after which the sums move on, which costs instructions where it is done often and the cache
/// of instructions where the loop is long; blocks that should fit on a multiprocessor. Each choice
/// was the fastest of some on an H200.
struct StripShape {
  int unrolled, blocks;
};
__host__ __device__ constexpr StripShape strip_shape(int side, bool plain) {
  if (!plain) return {1, 4};
  if (side <= 8) return {4, 6};
  if (side <= 10) return {4, side == 9 ? 5 : 4};
  return {1, 4};
}

template <int side>
struct StripPlan {
  Sweep<float> sweep;
  int shift;  ///< columns that strips begin before the first one
  bool bulk;  ///< whether inputs begin 16 bytes, see TilePlace
  int rows;   ///< of outputs that a warp makes
  long parts;

  /// Columns of inputs that are copied before those which the first output reads.
  static constexpr int lead = tile_lead<float>(side) % 4;
  /// 16 bytes that a lane reads of each row, and 16 bytes of a row behind those of the lanes.
  static constexpr int pieces = (lead + columns + side - 1 + 3) / 4, more = pieces - 1;
  static constexpr unsigned row_bytes = 16 * (32 + more);
};

__device__ __forceinline__ void fetch(unsigned to, const float* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

/// Orders the copy of four inputs, those in [0, end) alone.
///
/// @param column  the first of them
/// @param bulk    whether they begin 16 bytes: then all are memory if one is
__device__ __forceinline__ void fetch_some(unsigned to, const float* from, int column, int end,
                                           bool bulk) {
  if (bulk) {
    if (column + 4 > 0 && column < end) fetch(to, from);
    return;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (column + k >= 0 && column + k < end)
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to + 4 * k), "l"(from + k)
                   : "memory");
}

/// @tparam plain  whether all inputs and outputs begin 16 bytes, strips with the first column, and
///                the columns of every lane exist or none of them do
template <int side, bool plain>
__global__ void __launch_bounds__(32 * warps, strip_shape(side, plain).blocks)
    strip_dense(const __grid_constant__ StripPlan<side> plan,
                const __grid_constant__ ConstantTaps<float, side * side> taps) {
  using Plan = StripPlan<side>;
  constexpr int unrolled = strip_shape(side, plain).unrolled;
  static_assert(unrolled == 1 || unrolled == ring_rows);
  __shared__ __align__(16) float ring[warps][ring_rows * Plan::row_bytes / 4];
  const Sweep<float>& sweep = plan.sweep;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int shift = plain ? 0 : plan.shift;
  const long strip = (long(blockIdx.x) * warps + warp) * width - shift;
  const long y = long(blockIdx.y) * plan.rows;
  if (strip >= sweep.columns) return;
  // columns are counted from the strip's first one
  const int first = strip < 0 ? shift : 0, last = int(min(long(width), sweep.columns - strip));
  const int rows = int(min(long(plan.rows), sweep.rows - y)), reads = rows + side - 1;
  const int x = lane * columns;
  const unsigned written = x + columns > first && x < last ? unsigned(rows) : 0;

  // the last 16 bytes that hold an input; lanes beyond copy them, too, and nobody looks at it
  const int end = last - first + side - 1;
  const int latest = (Plan::lead + end - 1) / 4 * 4;
  const int from_x = plain ? min(x, latest) : x,
            more_x = plain ? min(x + width, latest) : x + width;
  const float* from = sweep.source + blockIdx.z * sweep.source_batch + y * sweep.source_row +
                      strip - Plan::lead + from_x;
  float* to = sweep.target + blockIdx.z * sweep.target_batch + (y - (side - 1)) * sweep.target_row +
              strip + x;
  const unsigned mine = unsigned(__cvta_generic_to_shared(ring[warp])) + 16u * lane;
  const auto fetch_row = [&](int slot) {
    const unsigned place = mine + slot * Plan::row_bytes;
    if constexpr (plain) {
      fetch(place, from);
      if (lane < Plan::more) fetch(place + 512, from + (more_x - from_x));
    } else {
      const int column = x - Plan::lead - first;
      fetch_some(place, from, column, end, plan.bulk);
      if (lane < Plan::more) fetch_some(place + 512, from + width, column + width, end, plan.bulk);
    }
  };

  // those of the outputs that have begun, then of those that begin with each row
  float sums[side - 1 + unrolled][columns] = {};
#pragma unroll
  for (int k = 0; k < ring_rows - 1; ++k) {
    if (k < reads) fetch_row(k);
    from += sweep.source_row;
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  for (int i = 0; i < reads; i += unrolled) {
#pragma unroll
    for (int u = 0; u < unrolled; ++u) {
      const int slot = unrolled == 1 ? i % unsigned(ring_rows) : u;
      asm volatile("cp.async.wait_group %0;" ::"n"(ring_rows - 2) : "memory");
      __syncwarp();  // lanes read what others have copied
      float window[4 * Plan::pieces];
#pragma unroll
      for (int q = 0; q < Plan::pieces; ++q)
        asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(window[4 * q]), "=f"(window[4 * q + 1]), "=f"(window[4 * q + 2]),
                       "=f"(window[4 * q + 3])
                     : "r"(mine + slot * Plan::row_bytes + 16 * q)
                     : "memory");
      // into the row that all have read before they came here
      if (i + u + ring_rows - 1 < reads) fetch_row((slot + ring_rows - 1) % unsigned(ring_rows));
      from += sweep.source_row;
      asm volatile("cp.async.commit_group;" ::: "memory");
#pragma unroll
      for (int c = 0; c < columns; ++c) sums[u + side - 1][c] = 0;
#pragma unroll
      for (int k = 0; k < side; ++k)
#pragma unroll
        for (int s = u; s < u + side; ++s)
#pragma unroll
          for (int c = 0; c < columns; ++c)
            sums[s][c] = fused(taps.values[(u + side - 1 - s) * side + k],
                               window[Plan::lead + c + k], sums[s][c]);
      if (unsigned(i + u - (side - 1)) < written) {
        if constexpr (plain) {
          __stcs(reinterpret_cast<float4*>(to), make_float4(clean(sums[u][0]), clean(sums[u][1]),
                                                            clean(sums[u][2]), clean(sums[u][3])));
        } else {
#pragma unroll
          for (int c = 0; c < columns; ++c)
            if (x + c >= first && x + c < last) __stcs(to + c, clean(sums[u][c]));
        }
      }
      to += sweep.target_row;
    }
#pragma unroll
    for (int s = 0; s < side - 1; ++s)
#pragma unroll
      for (int c = 0; c < columns; ++c) sums[s][c] = sums[s + unrolled][c];
  }
}

template <int side, bool plain>
void launch(const Sweep<float>& sweep, const TilePlace& place,
            const ConstantTaps<float, side * side>& taps, CUstream_st* stream) {
  StripPlan<side> plan{};
  plan.sweep = sweep;
  plan.shift = place.shift % columns;  // whole lanes before the first column are none of a strip's
  plan.bulk = place.bulk;
  const long strips = (sweep.columns + plan.shift + width - 1) / width;
  const long across = (strips + warps - 1) / warps;
  // of the one GPU that a process has
  static const long resident =
      long(resident_blocks(strip_dense<side, plain>, 32 * warps, 0)) * multiprocessors();
  // in two rounds rather than one: blocks that begin late even out those that take longer
  const long wanted = best_parts(sweep.rows, across * sweep.batches, 2 * resident, side - 1);
  plan.rows = int((sweep.rows + wanted - 1) / wanted);
  plan.parts = (sweep.rows + plan.rows - 1) / plan.rows;
  strip_dense<side, plain><<<dim3(unsigned(across), unsigned(plan.parts), unsigned(sweep.batches)),
                             32 * warps, 0, stream>>>(plan, taps);
  check_launch("cuda strip");
}

template <int side>
void launch_side(const Sweep<float>& sweep, const Stencil<float>& stencil, CUstream_st* stream) {
  ConstantTaps<float, side * side> taps;
  std::copy(stencil.taps.begin(), stencil.taps.end(), taps.values);
  const TilePlace place = place_tiles(sweep, StripPlan<side>::lead);
  const long whole = sweep.columns / columns * columns;
  if (!place.bulk || !place.aligned_target || place.shift % columns != 0 || whole == 0)
    return launch<side, false>(sweep, place, taps, stream);
  Sweep<float> part = sweep;
  part.columns = whole;
  launch<side, true>(part, place, taps, stream);
  if (whole == sweep.columns) return;
  part.source += whole;
  part.target += whole;
  part.columns = sweep.columns - whole;
  launch_generic(part, false, stream);
}

}  // namespace

template <class T>
bool try_strip_dense(const Sweep<T>* sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  if (!is_plain(stencil, Method::direct) || stencil.height != stencil.width) return false;
  // larger ones are faster in tiles (tile_wide.cu), float64 on tensor cores
  if constexpr (sizeof(T) == 4)
    return with_one_of<8, 9, 10, 11>(stencil.height, [&](auto side) {
      if (sweep != nullptr) launch_side<side>(*sweep, stencil, stream);
    });
  return false;
}

template bool try_strip_dense(const Sweep<float>*, const Stencil<float>&, CUstream_st*);
template bool try_strip_dense(const Sweep<double>*, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda
