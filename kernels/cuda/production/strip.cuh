#pragma once

#include "kernels/cuda/production/bulk_copy.cuh"
#include "kernels/cuda/production/tile.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/tensor_map.cuh"
#endif

namespace stencil::cuda {

// Code shared by the kernels in which a warp walks down a strip of columns. The sums of all outputs
// to which some, but not all, rows of the mask have been added are in registers. The tensor copy
// engine copies the inputs in boxes of some rows. Each warp is a block, so that the compiler knows
// that all lanes take the same branches.

inline constexpr int box_rows = 8;  ///< number of rows of inputs that are copied together

template <class T>
struct StripPlan {
  T* target;
  long target_batch, target_row;
  int rows, columns;  ///< numbers of rows and columns of outputs
  int part;           ///< number of rows of outputs of one warp
  int strips;
  /// Strips with columns outside the target (edges) are divided separately. The members are, for
  /// such strips, the rows of outputs of a part, the number of parts of a strip, the number of
  /// parts of the first strip, and the number of all parts.
  int edge_part, edge_rows, first_edge, edges;
  int first;     ///< column of the tensor map at which the inputs of the first strip begin
  int shift;     ///< number of columns from the start of the first strip to the first output
  int lead;      ///< number of elements from an address aligned to 16 bytes to the first input
  bool aligned;  ///< the outputs of a lane may be written with one store
};

#ifndef __CUDACC_RTC__  // host code

/// Returns the number of elements from an address aligned to 16 bytes to the first input of a
/// strip. Strips begin at aligned addresses of the target.
template <class T>
int strip_lead(const KernelArguments<T>& arguments) {
  return lead_of_tiles(arguments, chunk<T>);
}

/// Makes a plan, except for the division of strips into parts.
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

/// Makes the tensor map of the inputs of a plan. The map begins less than 16 bytes before the first
/// input, because earlier memory may belong to another allocation.
template <class T>
InputMap map_strips(const KernelArguments<T>& arguments, const StripPlan<T>& plan, int pitch) {
  const int ahead = (plan.shift + plan.lead) % chunk<T>;
  return map_inputs(arguments, arguments.source - ahead,
                    ahead + arguments.columns + arguments.width - 1, pitch, box_rows);
}

/// Division of the rows of a strip into parts.
struct StripCut {
  int blocks;  ///< number of blocks of a multiprocessor for which the rows are divided
  int unit;    ///< the number of rows of a part is a multiple of this number
  /// The kernel is limited by memory, so blocks that run at the same time should be close in
  /// memory.
  bool reads_most;
  bool slow_edges;  ///< strips at the edges take longer
};

/// Divides the strips at the edges into a tenth more parts than the other strips, if the last wave
/// of blocks has room for the additional parts: the last warp determines the time, and rows at an
/// edge take longer. On 12007 x 10007 points on an H200, a mask of 8 x 8 runs at 402e9 points per
/// second in this way, and at 391e9 with equal parts.
///
/// @param parts  number of parts of the other strips
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

/// Launches a kernel with the arguments `(map, plan, others...)`.
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

/// Writes the outputs of a lane with as few stores as possible.
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

/// The part of a strip that a warp computes. Row 0 is the row of inputs that completes the first
/// output of the part; columns are relative to the first column of the strip.
template <class T, int width>
struct StripPart {
  int strip;
  int y;            ///< row of the first output
  int rows;         ///< number of rows of outputs; 0 or less: the warp has no work
  int first, last;  ///< columns that exist
  bool whole;       ///< all columns exist, and the outputs of a lane may be written with one store
  T* target;

  __device__ __forceinline__ explicit StripPart(const StripPlan<T>& plan) {
    int size = plan.part, index = int(blockIdx.y) - plan.edge_rows;
    bool exists = true;
    strip = int(blockIdx.x) + (plan.first_edge > 0);
    if (index < 0) {  // the edges are first, so that they run in the first waves
      size = plan.edge_part;
      index = int(blockIdx.y * gridDim.x + blockIdx.x);
      exists = index < plan.edges;
      strip = index < plan.first_edge ? 0 : plan.strips - 1;
      if (index >= plan.first_edge) index -= plan.first_edge;
    }
    const int column = strip * width - plan.shift;
    y = exists ? index * size : plan.rows;
    rows = min(size, plan.rows - y);
    asm("" : "+r"(strip), "+r"(y), "+r"(rows));  // uniform registers are for taps
    first = max(0, -column);
    last = min(width, plan.columns - column);
    whole = plan.aligned && first == 0 && last == width;
    target = plan.target + blockIdx.z * plan.target_batch + y * plan.target_row + column;
  }

  /// Starts the copy of `box_rows` rows of inputs. All threads of a warp must call this function
  /// together.
  ///
  /// @param row  index of the first of these rows; rows before row 0 do not exist and are copied as
  ///             zeros
  /// @param shift  number of columns by which the copy begins to the right of the inputs of the
  ///               first tap
  __device__ __forceinline__ void fetch(const InputMap& map, const StripPlan<T>& plan, int height,
                                        int row, T* to, int pitch, unsigned barrier,
                                        int shift = 0) const {
    copy_box(to, map, pitch, box_rows, plan.first + strip * width + shift, y + (height - 1) + row,
             int(blockIdx.z), barrier);
  }

  /// Returns a bit for each output of a lane from column x on: 1 if the output exists.
  __device__ __forceinline__ unsigned outputs_at(int x, int columns) const {
    unsigned bits = 0;
#pragma unroll
    for (int c = 0; c < columns; ++c) bits |= unsigned(x + c >= first && x + c < last) << c;
    asm("" : "+r"(bits));  // keeps the compiler from recomputing the bits for every row
    return bits;
  }

  /// Writes the outputs of a lane that exist. Separate stores are faster than branches.
  template <int columns>
  __device__ __forceinline__ void store(T* to, unsigned exist, const T (&sum)[columns]) const {
#pragma unroll
    for (int c = 0; c < columns; ++c)
      if (exist >> c & 1) to[c] = clean(sum[c]);
  }
};

}  // namespace stencil::cuda
