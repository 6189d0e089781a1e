#pragma once

#include "kernels/cuda/production/strip.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#endif

namespace stencil::cuda {

// Shared by kernels of masks of three axes. A block owns a tile in y and x and marches over the
// planes of inputs, which the tensor copy engine copies to shared memory.

template <class T>
struct VolumePlan {
  T* target;
  long target_plane, target_row;
  int planes, rows, columns;  ///< numbers of outputs
  int part;                   ///< number of planes of outputs of one block
  int first;     ///< column of the tensor map at which the inputs of the first tile begin
  int shift;     ///< number of columns from the first tile's start to the first output
  bool aligned;  ///< the outputs of a lane may be written with one store
};

/// Writes the finished sums of a lane to one plane of outputs.
///
/// @param to           the lane's first output
/// @param row, column  row and column of that output; column may be negative
/// @param whole        whether all outputs exist and each row may be written with one store
template <int rows, class T>
__device__ __forceinline__ void store_plane(const VolumePlan<T>& plan, T* to, int row, int column,
                                            bool whole, const T (&sum)[rows][chunk<T>]) {
  if (whole) {
#pragma unroll
    for (int o = 0; o < rows; ++o) store_clean(to + o * plan.target_row, sum[o]);
    return;
  }
#pragma unroll
  for (int o = 0; o < rows; ++o)
#pragma unroll
    for (int v = 0; v < chunk<T>; ++v)
      if (row + o < plan.rows && unsigned(column + v) < unsigned(plan.columns))
        to[o * plan.target_row + v] = clean(sum[o][v]);
}

/// After a plane of inputs, the sums for plane k of the mask become those for plane k + 1, and the
/// sums of a new plane of outputs begin at 0.
template <int depth, int rows, class T>
__device__ __forceinline__ void shift_planes(T (&sum)[depth][rows][chunk<T>]) {
#pragma unroll
  for (int k = depth - 1; k >= 0; --k)
#pragma unroll
    for (int o = 0; o < rows; ++o)
#pragma unroll
      for (int v = 0; v < chunk<T>; ++v) sum[k][o][v] = k > 0 ? sum[k - 1][o][v] : T(0);
}

#ifndef __CUDACC_RTC__  // host code

/// Rows and columns of a tile of outputs, and of the inputs of one plane of the tile.
struct VolumeTile {
  int rows, columns, in_columns, in_rows;
};

/// Blocks that march over the planes.
struct VolumeBlocks {
  int threads;
  std::size_t bytes;  ///< shared memory
  int slots;          ///< number of planes of inputs in shared memory
  /// Largest number of planes of outputs of a block. Blocks that run at the same time are close in
  /// memory if they are short: 3 x 3 x 3 on 640^3 points runs at 432 Gpt/s with parts of 128
  /// planes, and at 440 with 27 (an H200).
  long longest;
};

/// Returns the arguments of a sweep whose batches are the planes of inputs.
template <class T>
KernelArguments<T> inputs_of_volume(const VolumeArguments<T>& arguments) {
  KernelArguments<T> inputs = arguments.sweep;
  inputs.batches += arguments.depth - 1;
  return inputs;
}

/// Returns whether the numbers of tiles and planes are possible in one launch.
template <class T>
bool fits_grid(const VolumeArguments<T>& arguments, int tile_rows) {
  constexpr long most_planes = 1L << 30;
  return arguments.sweep.rows <= most_grid_side * tile_rows &&
         arguments.sweep.batches <= most_planes;
}

/// Launches a kernel with the arguments `(map, plan, others...)`; a launch of no planes queues no
/// work.
///
/// @param lead  elements from an address aligned to 16 bytes to the first input of a tile
template <class T, class... Others>
void launch_volume_tiles(const LoadedKernel& kernel, const VolumeArguments<T>& arguments,
                         const VolumeTile& tile, int lead, const VolumeBlocks& blocks,
                         CUstream_st* stream, const Others&... others) {
  const KernelArguments<T>& sweep = arguments.sweep;
  if (sweep.batches == 0) return;
  const StripPlan<T> strips = plan_strips(sweep);
  VolumePlan<T> plan{sweep.target,
                     sweep.target_batch,
                     sweep.target_row,
                     int(sweep.batches),
                     int(sweep.rows),
                     int(sweep.columns),
                     0,
                     strips.first,
                     strips.shift,
                     strips.aligned};
  const long across = divide_up(sweep.columns + plan.shift, tile.columns);
  const long down = divide_up(sweep.rows, tile.rows);
  const long resident =
      std::max(1, resident_blocks(kernel, blocks.threads, blocks.bytes)) * long(multiprocessors());
  // each part reads `depth - 1` additional planes, and its first copies take a while
  const long parts = std::max(
      best_parts(sweep.batches, across * down, resident, arguments.depth - 1 + blocks.slots),
      std::min(divide_up(sweep.batches, blocks.longest), most_grid_side));
  plan.part = int(divide_up(sweep.batches, parts));
  const int ahead = (plan.shift + lead) % chunk<T>;
  const InputMap map =
      map_inputs(inputs_of_volume(arguments), sweep.source - ahead,
                 ahead + sweep.columns + sweep.width - 1, tile.in_columns, tile.in_rows);
  const dim3 grid(unsigned(across), unsigned(down), unsigned(divide_up(sweep.batches, plan.part)));
  launch_instance(kernel, grid, blocks.threads, blocks.bytes, stream, map, plan, others...);
}

#endif

}  // namespace stencil::cuda
