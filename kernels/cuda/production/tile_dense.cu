// Small masks and columns, with or without renormalization. A block sums one tile from shared
// memory; each thread sums some rows of one chunk of columns.
#include "kernels/cuda/production/tile.cuh"
#include "kernels/cuda/production/tile_sums.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/grid_size.hpp"
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/tile_launch.cuh"
#endif

namespace stencil::cuda {
namespace {

/// Size of a tile: a tile has `chunks` chunks of columns and `rows` rows. Each thread computes
/// `outputs` of these rows, in one chunk of columns.
struct DenseTile {
  int chunks, rows, outputs;
  __host__ __device__ constexpr int threads() const { return chunks * rows / outputs; }
};

/// Computes the renormalized sums of some rows of a chunk of outputs. The loop over the rows of the
/// mask is not unrolled, so that the kernel needs no more registers than ordinary sums.
///
/// @tparam height, width, sub, pitch, absent  see block_sums
/// @tparam signs  whether the taps have both signs
template <int height, int width, int sub, int pitch, unsigned long long absent, bool signs, class T,
          int rows>
__device__ __forceinline__ void valid_sums(const T* from, const T* taps,
                                           const cpu::Weights<T>& weights,
                                           T (&sum)[rows][chunk<T>]) {
  constexpr int n = chunk<T>, chunks = (sub + width + n - 2) / n + 1;
  T points[rows][chunks * n], ones[rows][chunks * n];
  const auto read = [&](int r) {
#pragma unroll
    for (int c = 0; c < chunks; ++c) load_chunk(from + c * n, points[r] + c * n);
#pragma unroll
    for (int c = 0; c < chunks * n; ++c) {
      const bool is_valid = points[r][c] == points[r][c];
      ones[r][c] = is_valid ? T(1) : T(0);
      points[r][c] = is_valid ? points[r][c] : T(0);
    }
    from += pitch;
  };
  T valid[rows][n] = {}, shares[rows][n] = {};
#pragma unroll
  for (int r = 0; r < rows; ++r)
#pragma unroll
    for (int v = 0; v < n; ++v) sum[r][v] = 0;
#pragma unroll
  for (int r = 0; r < rows - 1; ++r) read(r);
#pragma unroll 1
  for (int k = 0; k < height * width;) {
    read(rows - 1);
#pragma unroll
    for (int i = 0; i < width; ++i, ++k) {
      if (absent >> k & 1) continue;
      const T tap = taps[k];
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int v = 0; v < n; ++v) {
          sum[r][v] = fused(tap, points[r][sub + i + v], sum[r][v]);
          valid[r][v] = fused(tap, ones[r][sub + i + v], valid[r][v]);
          if (signs) shares[r][v] = fused(abs(tap), ones[r][sub + i + v], shares[r][v]);
        }
    }
#pragma unroll
    for (int r = 0; r < rows - 1; ++r)
#pragma unroll
      for (int c = 0; c < chunks * n; ++c)
        points[r][c] = points[r + 1][c], ones[r][c] = ones[r + 1][c];
  }
#pragma unroll
  for (int r = 0; r < rows; ++r)
#pragma unroll
    for (int v = 0; v < n; ++v) {
      const T share = signs ? shares[r][v] : abs(valid[r][v]);
      sum[r][v] =
          rescaled(sum[r][v], valid[r][v], is_too_little(share, weights.threshold), weights.total);
    }
}

/// Computes the results that are NaN again, and stores them. All threads of a warp call this
/// function after Tile::store. Results near a missing point belong to few threads, so their
/// computation is distributed among all threads of the warp: each computes `rows` rows of a chunk
/// at a time.
///
/// @param y, x   first output of this thread
/// @param sum    the results of this thread
/// @param lists  shared memory, `32 * outputs / rows` elements for each warp
/// @param valid  `valid(y, x, sum)` computes some rows of a chunk
template <int chunks, int rows, class T, int outputs, class Valid>
__device__ __forceinline__ void replace_missing(const Tile<T>& tile, int y, int x,
                                                const T (&sum)[outputs][chunk<T>],
                                                unsigned char* lists, const Valid& valid) {
  constexpr int n = chunk<T>, parts = outputs / rows;
  static_assert(outputs % rows == 0);
  bool some = false;
#pragma unroll
  for (int r = 0; r < outputs; ++r)
#pragma unroll
    for (int v = 0; v < n; ++v) some |= sum[r][v] != sum[r][v];
  if (!__any_sync(~0u, some)) return;
  const int lane = threadIdx.x % 32, first = threadIdx.x - lane;
  unsigned char* const list = lists + first * parts;
  int count = 0;
#pragma unroll
  for (int part = 0; part < parts; ++part) {
    bool is_missing = false;
#pragma unroll
    for (int r = part * rows; r < (part + 1) * rows; ++r)
#pragma unroll
      for (int v = 0; v < n; ++v) is_missing |= sum[r][v] != sum[r][v] && tile.has(y + r, x + v);
    const unsigned lanes = __ballot_sync(~0u, is_missing);
    if (is_missing) list[count + __popc(lanes & ((1u << lane) - 1))] = part * 32 + lane;
    count += __popc(lanes);
  }
  __syncwarp();  // the list and the stored results are visible to all threads of the warp
#pragma unroll 1
  for (int k = lane; k < count; k += 32) {
    const int owner = first + list[k] % 32;
    const int row = owner / chunks * outputs + list[k] / 32 * rows, column = owner % chunks * n;
    T again[rows][n];
    valid(row, column, again);
    tile.store(row, column, again);
  }
}

/// @tparam absent                 see block_sums
/// @tparam renormalizes           whether missing points are left out. Results that are not NaN are
///                                then equal to sums without treatment of missing points
/// @tparam signs                  whether the taps have both signs, if missing points are left out
/// @tparam chunks, rows, outputs  see DenseTile
template <class T, int height, int width, unsigned long long absent, bool renormalizes, bool signs,
          int chunks, int rows, int outputs>
__global__ void __launch_bounds__(DenseTile{chunks, rows, outputs}.threads())
    tile_dense(const __grid_constant__ KernelArguments<T> arguments,
               const __grid_constant__ TilePlace place,
               const __grid_constant__ ConstantTaps<T, height * width> taps) {
  constexpr DenseTile size{chunks, rows, outputs};
  using Shape = TileShape<T, width, size.chunks * chunk<T>>;
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  const Tile<T> tile(arguments, place, size.chunks * chunk<T>, size.rows);
  tile.load(Shape{}, tile.end + height - 1, width, inputs,
            inputs + (size.rows + height - 1) * Shape::pitch);
  const int x = threadIdx.x % size.chunks * chunk<T>;
  const int y = threadIdx.x / size.chunks * size.outputs;
  const auto from = [&](int row, int column) {
    return inputs + row * Shape::pitch + column + Shape::skip;
  };
  T sum[size.outputs][chunk<T>];
  block_sums<height, width, Shape::sub, Shape::pitch, absent>(from(y, x), taps.values, sum);
  tile.store(y, x, sum);
  if constexpr (renormalizes) {
    constexpr int at_once = width == 1 ? 2 : 1;  // with a mask of one column, two rows share inputs
    __shared__ unsigned char lists[size.threads() * outputs / at_once];
    const auto valid = [&](int row, int column, T(&again)[at_once][chunk<T>]) {
      valid_sums<height, width, Shape::sub, Shape::pitch, absent, signs>(
          from(row, column), taps.values, arguments.weights, again);
    };
    replace_missing<chunks, at_once>(tile, y, x, sum, lists, valid);
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

/// Rows of inputs that two tiles share are read twice, so taller masks use taller tiles. Grids of
/// few points use small tiles, so that all multiprocessors have work. Each choice was the fastest
/// of several on an H200.
template <class T>
DenseTile dense_tile(const KernelArguments<T>& arguments) {
  const int height = arguments.height, width = arguments.width, taps = height * width;
  constexpr bool single = sizeof(T) == 4;
  if (width == 1) {
    if (height < 11) return {64, 16, 4};
    if (height < 21) return {64, 32, 8};
    return {16, 64, 8};
  }
  if (height > 1 && points_of(arguments) < large_grid) {
    if (points_of(arguments) < small_grid) return {32, 8, single ? 2 : 4};
    if (taps <= 25) return {32, 8, 2};
    if (taps > 49) return {single ? 16 : 32, 24, 6};
    return {single ? 16 : 64, 16, 4};
  }
  if (single && taps > 25) return {32, 24, 6};
  return {single && width > 5 ? 32 : 64, 16, 4};
}

/// Returns a bit mask of the taps that are skipped; 0 for masks of more than 64 taps, for which no
/// tap is skipped.
template <class T>
unsigned long long absent_taps(const Stencil<T>& stencil) {
  unsigned long long absent = 0;
  if (!stencil.multiply_zeros && stencil.taps.size() <= 64)
    for (std::size_t k = 0; k < stencil.taps.size(); ++k)
      absent |= static_cast<unsigned long long>(stencil.taps[k] == 0) << k;
  return absent;
}

}  // namespace

template <class T>
void launch_tile_dense(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                       CUstream_st* stream) {
  const int height = arguments.height, width = arguments.width;
  const DenseTile size = dense_tile(arguments);
  const int columns = size.chunks * chunk<T>;
  const std::size_t bytes =
      sizeof(T) * std::size_t(tile_pitch<T>(width, columns)) * (size.rows + height - 1) + 16;
  launch_tiles(instance("tile_dense.cu",
                        instance_name<T>("tile_dense", height, width, absent_taps(stencil),
                                         arguments.weights.wanted,
                                         arguments.weights.wanted && arguments.weights.mixed,
                                         size.chunks, size.rows, size.outputs)),
               arguments, place_tiles(arguments, tile_lead<T>(width)), columns, size.rows,
               size.threads(), bytes, stream, stencil.taps);
}

template void launch_tile_dense(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void launch_tile_dense(const KernelArguments<double>&, const Stencil<double>&,
                                CUstream_st*);

#endif

}  // namespace stencil::cuda
