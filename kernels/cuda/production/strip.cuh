#pragma once

#include "kernels/cuda/production/bulk_copy.cuh"
#include "kernels/cuda/production/tile.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/tensor_map.cuh"
#endif

namespace stencil::cuda {

// Shared by kernels in which a warp walks down a strip of columns, with the sums of all outputs
// that have begun in registers, and inputs in boxes of some rows from the tensor copy engine. Each
// warp is a block, so that the compiler knows that its lanes do the same.

inline constexpr int box_rows = 8;  ///< of inputs that arrive at once

template <class T>
struct StripPlan {
  T* target;
  long target_batch, target_row;
  int rows, columns;  ///< of outputs
  int part;           ///< rows of outputs of one warp
  int strips;
  /// For strips with a ragged edge, which are divided separately: rows of outputs of a part, rows
  /// of blocks that are such parts, the number of these in the first strip, and their total number.
  int edge_part, edge_rows, first_edge, edges;
  int first;     ///< column of the map with which the first strip's inputs begin
  int shift;     ///< columns that strips begin before the first one
  int lead;      ///< elements ahead of the first input, which does not begin 16 bytes
  bool aligned;  ///< the outputs of a lane may be written at once
};

#ifndef __CUDACC_RTC__  // what follows is the host's

/// How far the inputs of a strip are from beginning 16 bytes, if strips begin where results do.
template <class T>
int strip_lead(const KernelArguments<T>& arguments) {
  return lead_of_tiles(arguments, chunk<T>);
}

/// Everything but the rows of a part.
template <class T>
StripPlan<T> plan_strips(const KernelArguments<T>& arguments) {
  StripPlan<T> plan{};
  plan.target = arguments.target;
  plan.target_batch = arguments.target_batch;
  plan.target_row = arguments.target_row;
  plan.rows = int(arguments.rows);
  plan.columns = int(arguments.columns);
  plan.lead = strip_lead(arguments);
  const TilePlace place = place_tiles(arguments, plan.lead);
  plan.shift = place.shift % chunk<T>;
  plan.aligned = place.aligned_target;
  plan.first = -(plan.shift + plan.lead) / chunk<T> * chunk<T>;
  return plan;
}

/// The inputs of a plan: memory more than 16 bytes before the first one may belong to another
/// allocation.
template <class T>
CUtensorMap map_strips(const KernelArguments<T>& arguments, const StripPlan<T>& plan, int pitch) {
  const int ahead = (plan.shift + plan.lead) % chunk<T>;
  return map_inputs(arguments, arguments.source - ahead,
                    ahead + arguments.columns + arguments.width - 1, pitch, box_rows);
}

/// How the rows of a strip are cut into parts.
struct StripCut {
  int blocks;       ///< of a multiprocessor to cut for
  int unit;         ///< rows of a part are a multiple of it
  bool reads_most;  ///< rather than the kernel multiplies: then neighbours in memory pay
  bool slow_edges;  ///< strips with a ragged edge take longer
};

/// Divides strips with a ragged edge into a tenth more parts than others, if the last round of
/// blocks has room for them: the last warp decides the time, and rows of these parts take longer. 8
/// x 8 on 12007 x 10007 points runs at 402 Gpt/s in this way, at 391 with equal parts (an H200).
///
/// @param parts  of the other strips
/// @returns the number of strips that are divided in this way
template <class T>
int cut_edges(const KernelArguments<T>& arguments, int width, long parts, StripPlan<T>& plan) {
  const bool first = plan.shift > 0, last = (arguments.columns + plan.shift) % width != 0;
  const int edges = first + last;
  if (!plan.aligned || edges == 0 || edges >= plan.strips) return 0;
  const long whole = plan.strips - edges, edge_parts = parts + parts / 10;
  if (edge_parts == parts) return 0;
  const long schedulers = 4L * multiprocessors();
  const long room = divide_up(parts * plan.strips * arguments.batches, schedulers) * schedulers;
  const long edge_rows = divide_up(edge_parts * edges, whole);
  if ((parts * whole + edge_parts * edges) * arguments.batches > room ||
      edge_rows + parts > most_grid_side)
    return 0;
  plan.edge_part = int(divide_up(arguments.rows, edge_parts));
  plan.edge_rows = int(edge_rows);
  plan.first_edge = first ? int(edge_parts) : 0;
  plan.edges = int(edge_parts) * edges;
  return edges;
}

/// Launches a kernel `(map, plan, others...)`.
///
/// @param width   columns of a strip
/// @param pitch   columns of a box
template <class T, class... Others>
void launch_strips(const LoadedKernel& kernel, const KernelArguments<T>& arguments,
                   StripPlan<T> plan, int width, int pitch, std::size_t bytes, const StripCut& cut,
                   CUstream_st* stream, const Others&... others) {
  if (arguments.batches == 0) return;
  plan.strips = int((arguments.columns + plan.shift + width - 1) / width);
  const long walks = plan.strips * arguments.batches;
  plan.part = int(rows_of_walks(arguments.rows, walks, cut.blocks, arguments.height - 1, cut.unit,
                                cut.reads_most ? 700 : 1536));
  const long parts = divide_up(arguments.rows, plan.part);
  long whole = plan.strips;
  if (cut.slow_edges) whole -= cut_edges(arguments, width, parts, plan);
  const dim3 grid(unsigned(whole), unsigned(plan.edge_rows + parts), unsigned(arguments.batches));
  launch_instance(kernel, grid, 32, bytes, stream, map_strips(arguments, plan, pitch), plan,
                  others...);
}

#endif

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
__device__ __forceinline__ void store_columns(double* to, const double (&v)[4]) {
  const double low[] = {v[0], v[1]}, high[] = {v[2], v[3]};
  stream_chunk(to, low);
  stream_chunk(to + 2, high);
}

template <class T, int columns>
__device__ __forceinline__ void store_clean(T* to, const T (&sum)[columns]) {
  T v[columns];
#pragma unroll
  for (int c = 0; c < columns; ++c) v[c] = clean(sum[c]);
  store_columns(to, v);
}

/// The part of a strip that a warp computes. Rows are counted from the one with which its first
/// output is complete, columns from the strip's first one.
template <class T, int width>
struct StripPart {
  int strip;
  int y;            ///< of the first output
  int rows;         ///< of outputs; 0 or less: the warp has nothing to do
  int first, last;  ///< columns that exist
  bool whole;       ///< all do, and those of a lane may be written at once
  T* target;

  __device__ __forceinline__ explicit StripPart(const StripPlan<T>& plan) {
    int size = plan.part, index = int(blockIdx.y) - plan.edge_rows;
    bool exists = true;
    strip = int(blockIdx.x) + (plan.first_edge > 0);
    if (index < 0) {  // ragged edges are first, so that they find their room
      size = plan.edge_part;
      index = int(blockIdx.y * gridDim.x + blockIdx.x);
      exists = index < plan.edges;
      strip = index < plan.first_edge ? 0 : plan.strips - 1;
      if (index >= plan.first_edge) index -= plan.first_edge;
    }
    const int column = strip * width - plan.shift;
    y = exists ? index * size : plan.rows;
    rows = min(size, plan.rows - y);
    asm("" : "+r"(strip), "+r"(y), "+r"(rows));  // or they take uniform registers from the taps
    first = max(0, -column);
    last = min(width, plan.columns - column);
    whole = plan.aligned && first == 0 && last == width;
    target = plan.target + blockIdx.z * plan.target_batch + y * plan.target_row + column;
  }

  /// Starts the copy of `box_rows` rows of inputs, by all threads of a warp together.
  ///
  /// @param row  of the first of them: if it is before 0, rows that do not exist arrive as zeros
  /// @param shift  columns to the right of those of the first tap
  __device__ __forceinline__ void fetch(const CUtensorMap& map, const StripPlan<T>& plan,
                                        int height, int row, T* to, int pitch, unsigned barrier,
                                        int shift = 0) const {
    if (!is_elected()) return;
    expect_bytes(barrier, unsigned(box_rows * pitch * sizeof(T)));
    start_box_copy(to, map, plan.first + strip * width + shift, y + (height - 1) + row,
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
