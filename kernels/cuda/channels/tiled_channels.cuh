#pragma once

#include "kernels/cuda/channels/channel_tiling.hpp"
#include "kernels/cuda/channels/element.cuh"

namespace stencil::cuda {

/// A lane's share of the output: `bundle` channels of one piece along x in each of two rows.
/// Without a stride the points of a piece are neighbours, and the window of inputs over them slides
/// through registers; with one they are 8 apart, so that lanes read neighbouring columns.
template <class T, int bundle, bool strided>
struct LaneSums {
  static constexpr int points = Piece<T>::count, rows = 2;
  static constexpr int pitch = bundle_pitch<bundle>;
  T sum[bundle][rows][points] = {};

  /// Adds one tap to all points; `window[r][p]` is the input under it.
  template <class Window>
  __device__ void add(const T* taps, const Window& window) {
    T tap[pitch];
    if constexpr (pitch % points == 0) {
#pragma unroll
      for (int k = 0; k < bundle; k += points) load_piece(taps + k, tap + k);
    } else {
#pragma unroll
      for (int k = 0; k < bundle; ++k) tap[k] = taps[k];
    }
#pragma unroll
    for (int k = 0; k < bundle; ++k)
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int p = 0; p < points; ++p) sum[k][r][p] = fused(tap[k], window(r, p), sum[k][r][p]);
  }

  /// One row of taps. @param from  input under tap 0 of the first point
  /// @param next_row  elements to the same point of the second row
  __device__ void add_row(const T* from, int next_row, const T* taps, int width, int stride) {
    if constexpr (strided) {
#pragma unroll 1
      for (int i = 0; i < width; ++i)
        add(taps + i * pitch,
            [&](int r, int p) { return from[r * next_row + i + 8 * p * stride]; });
    } else {
      T data[rows][2 * points];
#pragma unroll
      for (int r = 0; r < rows; ++r) load_piece(from + r * next_row, data[r] + points);
#pragma unroll 1
      for (int first = 0; first < width; first += points) {
#pragma unroll
        for (int r = 0; r < rows; ++r) {
#pragma unroll
          for (int p = 0; p < points; ++p) data[r][p] = data[r][points + p];
          if (width - first > 1) load_piece(from + r * next_row + first + points, data[r] + points);
        }
#pragma unroll
        for (int i = 0; i < points; ++i)
          if (first + i < width)
            add(taps + (first + i) * pitch, [&](int r, int p) { return data[r][p + i]; });
      }
    }
  }
};

/// Where a block works.
struct ChannelBlock {
  Index image;
  int group, bundle, y, x;  ///< first bundle of the group, first output
};

__device__ inline ChannelBlock channel_block(const ChannelShape& shape, const ChannelTiling& tiling,
                                             int points) {
  const int across = 8 * points, down = 8 * tiling.warps_y;
  const unsigned blocks_out = (tiling.bundles + tiling.warps_out - 1) / tiling.warps_out;
  const unsigned tiles_x = (shape.nx + across - 1) / across;
  const unsigned tiles_y = (shape.ny + down - 1) / down;
  // neighbours in time share their input
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

/// Starts copying `count` input channels from `first` on, and their taps, to shared memory. Columns
/// and rows that no output needs are left as they are.
template <class T, int bundle>
__device__ void stage_channels(const ChannelShape& shape, const ChannelTiling& tiling,
                               const ChannelBlock& block, int first, int count, const T* source,
                               const T* taps, T* stage) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  const Index plane = (block.image * shape.groups + block.group) * shape.in + first;
  const int top = block.y * shape.stride_y, left = block.x * shape.stride_x;
  const int rows = min(tiling.tile_rows, (shape.ny - 1) * shape.stride_y + shape.height - top);
  const int columns = min(tiling.tile_pitch, (shape.nx - 1) * shape.stride_x + shape.width - left);
  for (int k = warp; k < count * rows; k += warps) {
    const int c = k / rows, row = k - c * rows;
    const T* from =
        source + (plane + c) * shape.source_plane + (top + row) * shape.source_row + left;
    T* to = stage + (c * tiling.tile_rows + row) * tiling.tile_pitch;
    for (int x = lane; x < columns; x += 32) start_copy<int(sizeof(T))>(to + x, from + x);
  }
  constexpr int pitch = bundle_pitch<bundle>;
  constexpr int bytes = pitch * sizeof(T) < 16 ? pitch * sizeof(T) : 16;
  constexpr int step = bytes / int(sizeof(T));
  const int area = shape.height * shape.width, wanted = count * area * pitch;
  T* staged = stage + tiling.chunk * tiling.tile_rows * tiling.tile_pitch;
  for (int w = 0; w < tiling.warps_out && block.bundle + w < tiling.bundles; ++w) {
    const Index bundles = Index(block.group) * tiling.bundles + block.bundle + w;
    const T* from = taps + (bundles * shape.in + first) * area * pitch;
    T* to = staged + w * tiling.chunk * area * pitch;
    for (int k = threadIdx.x * step; k < wanted; k += blockDim.x * step)
      start_copy<bytes>(to + k, from + k);
  }
}

/// Sums staged tiles: see ChannelTiling.
template <class T, int bundle, bool strided>
__global__ void __launch_bounds__(256, sizeof(T) == 4 ? 2 : 1)
    sum_channel_tiles(const ChannelShape shape, const ChannelTiling tiling, const T* source,
                      T* target, const T* taps) {
  using Sums = LaneSums<T, bundle, strided>;
  constexpr int points = Sums::points;
  extern __shared__ float4 shared[];
  const int warp = threadIdx.x / 32, lane_x = threadIdx.x % 8, lane_y = threadIdx.x / 8 % 4;
  const int warp_out = warp % tiling.warps_out, patch = warp / tiling.warps_out;
  const ChannelBlock block = channel_block(shape, tiling, points);
  const int area = shape.height * shape.width;
  const int chunks = (shape.in + tiling.chunk - 1) / tiling.chunk;
  const auto stage_of = [&](int chunk) {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(shared) +
                                (tiling.stages == 2 ? chunk % 2 : 0) * tiling.stage_bytes);
  };
  const auto start = [&](int chunk) {
    const int first = chunk * tiling.chunk, count = min(tiling.chunk, shape.in - first);
    stage_channels<T, bundle>(shape, tiling, block, first, count, source, taps, stage_of(chunk));
    end_batch();
  };

  Sums sums;
  const int row = (8 * patch + lane_y) * shape.stride_y;
  const int column = strided ? lane_x * shape.stride_x : lane_x * points;
  const int next_row = 4 * shape.stride_y * tiling.tile_pitch;
  start(0);
  for (int chunk = 0; chunk < chunks; ++chunk) {
    if (tiling.stages == 2 && chunk + 1 < chunks) {
      start(chunk + 1);
      wait_for_copies<1>();
    } else {
      wait_for_copies<0>();
    }
    __syncthreads();
    const int count = min(tiling.chunk, shape.in - chunk * tiling.chunk);
    const T* stage = stage_of(chunk);
    const T* tap = stage + tiling.chunk * tiling.tile_rows * tiling.tile_pitch +
                   warp_out * tiling.chunk * area * Sums::pitch;
#pragma unroll 1
    for (int c = 0; c < count; ++c) {
      const T* from = stage + (c * tiling.tile_rows + row) * tiling.tile_pitch + column;
#pragma unroll 1
      for (int j = 0; j < shape.height; ++j) {
        sums.add_row(from, next_row, tap, shape.width, shape.stride_x);
        from += tiling.tile_pitch;
        tap += shape.width * Sums::pitch;
      }
    }
    __syncthreads();
    if (tiling.stages == 1 && chunk + 1 < chunks) start(chunk + 1);
  }

  const int first_out = (block.bundle + warp_out) * bundle, outs = shape.out / shape.groups;
#pragma unroll
  for (int k = 0; k < bundle; ++k) {
    if (first_out + k >= outs) continue;
    const Index plane = block.image * shape.out + block.group * outs + first_out + k;
#pragma unroll
    for (int r = 0; r < Sums::rows; ++r) {
      const int y = block.y + 8 * patch + lane_y + 4 * r;
      if (y >= shape.ny) continue;
      T* to = target + plane * shape.target_plane + y * shape.target_row;
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

template <class T, int bundle, bool strided>
int launch_tiles(const ChannelShape& shape, const ChannelTiling& tiling, const T* source, T* target,
                 const T* taps, CUstream_st* stream) {
  const auto kernel = sum_channel_tiles<T, bundle, strided>;
  const cudaError_t allowed = cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, tiling.shared_bytes());
  if (allowed != cudaSuccess) return allowed;
  const auto blocks_of = [](Index n, Index size) { return (n + size - 1) / size; };
  const Index blocks = shape.images * shape.groups * blocks_of(shape.ny, 8 * tiling.warps_y) *
                       blocks_of(shape.nx, 8 * Piece<T>::count) *
                       blocks_of(tiling.bundles, tiling.warps_out);
  if (blocks > 0x7fffffff) return cudaErrorInvalidConfiguration;
  kernel<<<unsigned(blocks), tiling.threads(), tiling.shared_bytes(), stream>>>(
      shape, tiling, source, target, taps);
  return cudaGetLastError();
}

template <class T, int bundle>
int launch_tiles_of(const ChannelShape& shape, const ChannelTiling& tiling, const T* source,
                    T* target, const T* taps, CUstream_st* stream) {
  const auto launch =
      shape.stride_x == 1 ? launch_tiles<T, bundle, false> : launch_tiles<T, bundle, true>;
  return launch(shape, tiling, source, target, taps, stream);
}

template <class T>
int launch_tiled_channels(const ChannelShape& shape, const ChannelTiling& tiling, const T* source,
                          T* target, const T* taps, CUstream_st* stream) {
  switch (tiling.bundle) {
    case 1:
      return launch_tiles_of<T, 1>(shape, tiling, source, target, taps, stream);
    case 2:
      return launch_tiles_of<T, 2>(shape, tiling, source, target, taps, stream);
    case 4:
      return launch_tiles_of<T, 4>(shape, tiling, source, target, taps, stream);
    case 6:
      return launch_tiles_of<T, 6>(shape, tiling, source, target, taps, stream);
    default:
      return launch_tiles_of<T, 8>(shape, tiling, source, target, taps, stream);
  }
}

}  // namespace stencil::cuda
