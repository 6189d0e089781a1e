#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/production/bulk_copy.cuh"
#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/tensor_map.cuh"
#include "kernels/cuda/production/tile.cuh"

namespace stencil::cuda {

// What kernels share of which a warp walks down a strip of columns, with the sums of all outputs
// that have begun in registers and its inputs in boxes of some rows from the tensor copy engine. A
// warp is a block of its own, so that the compiler knows that its lanes do the same.

inline constexpr int box_rows = 8;  ///< of inputs that arrive at once

template <class T>
struct StripPlan {
  T* target;
  long target_batch, target_row;
  int rows, columns;  ///< of outputs
  int part;           ///< rows of outputs of one warp
  int first;          ///< column of the map with which the first strip's inputs begin
  int shift;          ///< columns that strips begin before the first one
  int lead;           ///< elements ahead of the first input, which does not begin 16 bytes
  bool aligned;       ///< the outputs of a lane may be written at once
};

/// How far the inputs of a strip are from beginning 16 bytes, if strips begin where results do.
template <class T>
int strip_lead(const Sweep<T>& sweep) {
  return lead_of_tiles(sweep, chunk<T>);
}

/// Everything but the rows of a part.
template <class T>
StripPlan<T> plan_strips(const Sweep<T>& sweep) {
  StripPlan<T> plan{};
  plan.target = sweep.target;
  plan.target_batch = sweep.target_batch;
  plan.target_row = sweep.target_row;
  plan.rows = int(sweep.rows);
  plan.columns = int(sweep.columns);
  plan.lead = strip_lead(sweep);
  const TilePlace place = place_tiles(sweep, plan.lead);
  plan.shift = place.shift % chunk<T>;
  plan.aligned = place.aligned_target;
  plan.first = -(plan.shift + plan.lead) / chunk<T> * chunk<T>;
  return plan;
}

/// The inputs of a plan: what lies more than 16 bytes ahead of the first one may belong to nobody.
template <class T>
CUtensorMap map_strips(const Sweep<T>& sweep, const StripPlan<T>& plan, int pitch) {
  const int ahead = (plan.shift + plan.lead) % chunk<T>;
  return map_inputs(sweep, sweep.source - ahead, ahead + sweep.columns + sweep.width - 1, pitch,
                    box_rows);
}

/// Launches a kernel `(map, plan, arguments...)`.
///
/// @param width       columns of a strip
/// @param pitch       columns of a box
/// @param blocks      for which the rows are cut, of a multiprocessor
/// @param reads_most  rather than it multiplies: then neighbours in memory pay
template <class Kernel, class T, class... Arguments>
void launch_strips(Kernel kernel, const Sweep<T>& sweep, StripPlan<T> plan, int width, int pitch,
                   std::size_t bytes, int blocks, bool reads_most, CUstream_st* stream,
                   const Arguments&... arguments) {
  const long strips = (sweep.columns + plan.shift + width - 1) / width;
  plan.part = int(rows_of_walks(sweep.rows, strips * sweep.batches, blocks, sweep.height - 1,
                                box_rows, reads_most ? 700 : 1536));
  const dim3 grid(unsigned(strips), unsigned((sweep.rows + plan.part - 1) / plan.part),
                  unsigned(sweep.batches));
  kernel<<<grid, 32, bytes, stream>>>(map_strips(sweep, plan, pitch), plan, arguments...);
  check_launch("cuda strip");
}

/// Writes the outputs of a lane, all at once.
__device__ __forceinline__ void store_columns(float* to, const float (&v)[4]) {
  stream_chunk(to, v);
}
__device__ __forceinline__ void store_columns(float* to, const float (&v)[2]) {
  __stcs(reinterpret_cast<float2*>(to), make_float2(v[0], v[1]));
}
__device__ __forceinline__ void store_columns(double* to, const double (&v)[2]) {
  stream_chunk(to, v);
}

template <class T, int columns>
__device__ __forceinline__ void store_clean(T* to, const T (&sum)[columns]) {
  T v[columns];
#pragma unroll
  for (int c = 0; c < columns; ++c) v[c] = clean(sum[c]);
  store_columns(to, v);
}

/// The part of a strip that a warp makes. Rows are counted from that with which its first output is
/// complete, columns from the strip's first one.
template <class T, int width>
struct StripPart {
  int y;            ///< of the first output
  int rows;         ///< of outputs
  int first, last;  ///< columns that exist
  bool whole;       ///< all do, and those of a lane may be written at once
  T* target;

  __device__ __forceinline__ explicit StripPart(const StripPlan<T>& plan)
      : y(int(blockIdx.y) * plan.part), rows(min(plan.part, plan.rows - y)) {
    const int column = int(blockIdx.x) * width - plan.shift;
    first = max(0, -column);
    last = min(width, plan.columns - column);
    whole = plan.aligned && first == 0 && last == width;
    target = plan.target + blockIdx.z * plan.target_batch + y * plan.target_row + column;
  }

  /// Starts the copy of `box_rows` rows of inputs, by a warp that is together here.
  ///
  /// @param row  of the first of them: before 0 it may be ahead of all rows, and arrives as zeros
  __device__ __forceinline__ void fetch(const CUtensorMap& map, const StripPlan<T>& plan,
                                        int height, int row, T* to, int pitch,
                                        unsigned barrier) const {
    if (!is_elected()) return;
    expect_bytes(barrier, unsigned(box_rows * pitch * sizeof(T)));
    start_box_copy(to, map, plan.first + int(blockIdx.x) * width, y + (height - 1) + row,
                   int(blockIdx.z), barrier);
  }

  /// Which outputs of a lane exist, from column x on: a bit each.
  __device__ __forceinline__ unsigned outputs_at(int x, int columns) const {
    unsigned bits = 0;
#pragma unroll
    for (int c = 0; c < columns; ++c) bits |= unsigned(x + c >= first && x + c < last) << c;
    asm("" : "+r"(bits));  // or they would be found again for every row
    return bits;
  }

  /// Writes those outputs of a lane: branches would cost more than stores one by one.
  template <int columns>
  __device__ __forceinline__ void store(T* to, unsigned exist, const T (&sum)[columns]) const {
#pragma unroll
    for (int c = 0; c < columns; ++c)
      if (exist >> c & 1) to[c] = clean(sum[c]);
  }
};

}  // namespace stencil::cuda
