#pragma once

#include "kernels/cuda/channels/channel_tiling.hpp"
#include "kernels/cuda/channels/element.cuh"
#include "kernels/cuda/channels/lane_sums.cuh"
#include "kernels/cuda/device_attributes.hpp"

namespace stencil::cuda {

/// Position of a block's outputs.
struct ChannelBlock {
  Index image;
  int group, bundle, y, x;  ///< first bundle within the group, first output
};

__device__ inline ChannelBlock channel_block(const ChannelShape& shape, const ChannelTiling& tiling,
                                             int points) {
  const int across = 8 * points, down = patch_rows * tiling.warps_y;
  const unsigned blocks_out = (tiling.bundles + tiling.warps_out - 1) / tiling.warps_out;
  const unsigned tiles_x = (shape.nx + across - 1) / across;
  const unsigned tiles_y = (shape.ny + down - 1) / down;
  // the blocks are numbered so that blocks that run at about the same time read the same inputs
  unsigned n = blockIdx.x;
  ChannelBlock block;
  block.bundle = int(n % blocks_out) * tiling.warps_out;
  n /= blocks_out;
  block.x = int(n % tiles_x) * across;
  n /= tiles_x;
  block.y = int(n % tiles_y) * down;
  n /= tiles_y;
  block.group = int(n % shape.groups);
  block.image = n / shape.groups;
  return block;
}

/// Starts to copy `count` input channels from `first` on, with their taps, to shared memory.
/// Columns and rows that no output needs are not written.
template <class T, int bundle>
__device__ void stage_channels(const ChannelShape& shape, const ChannelTiling& tiling,
                               const ChannelBlock& block, int first, int count, const T* source,
                               const T* taps, T* stage) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const Index plane = (block.image * shape.groups + block.group) * shape.in + first;
  const int top = block.y * shape.stride_y, left = block.x * shape.stride_x;
  const int rows = min(tiling.tile_rows, (shape.ny - 1) * shape.stride_y + shape.height - top);
  const int columns = min(tiling.tile_pitch, (shape.nx - 1) * shape.stride_x + shape.width - left);
  const T* corner = source + plane * shape.source_plane + top * shape.source_row + left;
  // The points of all rows and channels are distributed over the threads in order. Row and column
  // are computed by one division and then updated by additions.
  const int step_rows = int(blockDim.x) / columns, step_columns = int(blockDim.x) % columns;
  int row = int(threadIdx.x) / columns, column = int(threadIdx.x) % columns, c = 0;
  while (true) {
    while (row >= rows) row -= rows, ++c;
    if (c >= count) break;
    start_copy<int(sizeof(T))>(stage + (c * tiling.tile_rows + row) * tiling.tile_pitch + column,
                               corner + c * shape.source_plane + row * shape.source_row + column);
    row += step_rows, column += step_columns;
    if (column >= columns) column -= columns, ++row;
  }
  constexpr int pitch = bundle_pitch<bundle>;
  constexpr int bytes = pitch * sizeof(T) < 16 ? pitch * sizeof(T) : 16;
  constexpr int step = bytes / int(sizeof(T));
  // each warp copies the taps of its bundle; warps with the same bundle share this work
  const int area = shape.height * shape.width, wanted = count * area * pitch;
  const int warp_out = warp % tiling.warps_out, patch = warp / tiling.warps_out;
  if (block.bundle + warp_out >= tiling.bundles) return;
  const Index bundles = Index(block.group) * tiling.bundles + block.bundle + warp_out;
  const T* taps_from = taps + (bundles * shape.in + first) * area * pitch;
  T* taps_to =
      stage + (tiling.tile_rows * tiling.tile_pitch + warp_out * area * pitch) * tiling.chunk;
  for (int k = (patch * 32 + lane) * step; k < wanted; k += 32 * step * tiling.warps_y)
    start_copy<bytes>(taps_to + k, taps_from + k);
}

/// Writes the sums of a lane.
///
/// @param out  first output channel within the group
/// @param y    row of the lane's first points
template <class T, int bundle, int side, bool strided>
__device__ void store_sums(const ChannelShape& shape, const ChannelBlock& block, int out, int y,
                           int lane_x, const LaneSums<T, bundle, side, strided>& sums, T* target) {
  constexpr int points = Piece<T>::count;
  const int outs = shape.out / shape.groups;
#pragma unroll
  for (int k = 0; k < bundle; ++k) {
    if (out + k >= outs) continue;
    const Index plane = block.image * shape.out + block.group * outs + out + k;
#pragma unroll
    for (int r = 0; r < sums.rows; ++r) {
      if (y + 4 * r >= shape.ny) continue;
      T* to = target + plane * shape.target_plane + (y + 4 * r) * shape.target_row;
      alignas(16) T values[points];
#pragma unroll
      for (int p = 0; p < points; ++p) values[p] = clean(sums.sum[k][r][p]);
      if constexpr (strided) {
#pragma unroll
        for (int p = 0; p < points; ++p) {
          const int x = block.x + lane_x + 8 * p;
          if (x < shape.nx) to[x] = values[p];
        }
      } else {
        store_piece(to, block.x + lane_x * points, shape.nx, values);
      }
    }
  }
}

/// Sums staged tiles; see ChannelTiling.
template <class T, int bundle, int side, bool strided>
__global__ void __launch_bounds__(256, sizeof(T) == 4 ? 2 : 1)
    sum_channel_tiles(const ChannelShape shape, const ChannelTiling tiling, const T* source,
                      T* target, const T* taps) {
  using Sums = LaneSums<T, bundle, side, strided>;
  extern __shared__ float4 shared[];
  const int warp = threadIdx.x / 32, lane_x = threadIdx.x % 8, lane_y = threadIdx.x / 8 % 4;
  const int warp_out = warp % tiling.warps_out, patch = warp / tiling.warps_out;
  const ChannelBlock block = channel_block(shape, tiling, Sums::points);
  const int chunks = (shape.in + tiling.chunk - 1) / tiling.chunk;
  const auto stage_of = [&](int chunk) {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(shared) +
                                (tiling.stages == 2 ? chunk % 2 : 0) * tiling.stage_bytes);
  };
  const auto start = [&](int chunk) {
    const int first = chunk * tiling.chunk, count = min(tiling.chunk, shape.in - first);
    stage_channels<T, bundle>(shape, tiling, block, first, count, source, taps, stage_of(chunk));
    commit_copies();
  };

  // with larger masks the code would not fit into the instruction cache
  constexpr int rows_at_once = side > 0 && side <= 3 ? side : 1,
                channels_at_once = side == 1 ? 2 : 1;
  Sums sums;
  const int height = side > 0 ? side : shape.height, width = side > 0 ? side : shape.width;
  const int row = (patch_rows * patch + lane_y) * shape.stride_y;
  const int column = strided ? lane_x * shape.stride_x : lane_x * Sums::points;
  const int next_row = 4 * shape.stride_y * tiling.tile_pitch;
  const int first_tap =
      tiling.tile_rows * tiling.tile_pitch + warp_out * height * width * Sums::pitch;
  start(0);
  for (int chunk = 0; chunk < chunks; ++chunk) {
    if (tiling.stages == 2 && chunk + 1 < chunks) {
      start(chunk + 1);
      await_copies<1>();
    } else {
      await_copies<0>();
    }
    __syncthreads();
    const int count = min(tiling.chunk, shape.in - chunk * tiling.chunk);
    const T* from = stage_of(chunk) + row * tiling.tile_pitch + column;
    const T* tap = stage_of(chunk) + first_tap * tiling.chunk;
#pragma unroll channels_at_once
    for (int c = 0; c < count; ++c) {
#pragma unroll rows_at_once
      for (int j = 0; j < height; ++j) {
        sums.add_row(from + j * tiling.tile_pitch, next_row, tap, width, shape.stride_x);
        tap += width * Sums::pitch;
      }
      from += tiling.tile_rows * tiling.tile_pitch;
    }
    __syncthreads();
    if (tiling.stages == 1 && chunk + 1 < chunks) start(chunk + 1);
  }
  store_sums(shape, block, (block.bundle + warp_out) * bundle,
             block.y + patch_rows * patch + lane_y, lane_x, sums, target);
}

template <class T, int bundle, int side, bool strided>
int launch_tiles(const ChannelShape& shape, const ChannelTiling& tiling, const T* source, T* target,
                 const T* taps, CUstream_st* stream) {
  const auto kernel = sum_channel_tiles<T, bundle, side, strided>;
  const int allowed =
      allow_shared_bytes(reinterpret_cast<const void*>(kernel), std::size_t(tiling.shared_bytes()));
  if (allowed != cudaSuccess) return allowed;
  const auto blocks_of = [](Index n, Index size) { return (n + size - 1) / size; };
  const Index blocks =
      shape.images * shape.groups * blocks_of(shape.ny, patch_rows * tiling.warps_y) *
      blocks_of(shape.nx, 8 * Piece<T>::count) * blocks_of(tiling.bundles, tiling.warps_out);
  if (blocks > 0x7fffffff) return cudaErrorInvalidConfiguration;
  kernel<<<unsigned(blocks), tiling.threads(), tiling.shared_bytes(), stream>>>(
      shape, tiling, source, target, taps);
  return cudaGetLastError();
}

template <class T, int bundle>
int launch_bundle(const ChannelShape& shape, const ChannelTiling& tiling, const T* source,
                  T* target, const T* taps, CUstream_st* stream) {
  const int side = shape.height == shape.width ? shape.width : 0;
  if (shape.stride_x > 1) {
    const auto launch =
        side == 3 ? launch_tiles<T, bundle, 3, true> : launch_tiles<T, bundle, 0, true>;
    return launch(shape, tiling, source, target, taps, stream);
  }
  const auto launch = side == 1   ? launch_tiles<T, bundle, 1, false>
                      : side == 3 ? launch_tiles<T, bundle, 3, false>
                      : side == 5 ? launch_tiles<T, bundle, 5, false>
                      : side == 6 ? launch_tiles<T, bundle, 6, false>
                      : side == 7 ? launch_tiles<T, bundle, 7, false>
                                  : launch_tiles<T, bundle, 0, false>;
  return launch(shape, tiling, source, target, taps, stream);
}

template <class T>
int launch_tiled_channels(const ChannelShape& shape, const ChannelTiling& tiling, const T* source,
                          T* target, const T* taps, CUstream_st* stream) {
  const auto launch = tiling.bundle == 8   ? launch_bundle<T, 8>
                      : tiling.bundle == 6 ? launch_bundle<T, 6>
                      : tiling.bundle == 4 ? launch_bundle<T, 4>
                      : tiling.bundle == 2 ? launch_bundle<T, 2>
                                           : launch_bundle<T, 1>;
  return launch(shape, tiling, source, target, taps, stream);
}

}  // namespace stencil::cuda
