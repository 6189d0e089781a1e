// Sums of two separable masks over one tile: the row sums of one mask go to a separate plane in
// shared memory, those of the other overwrite the inputs, and the column sums are computed from
// both, row by row of the mask, term by term. (Three terms leave too few warps on a
// multiprocessor.)
#include <cstddef>

#include "kernels/cuda/production/constant_sums.cuh"
#include "kernels/cuda/production/tile_any.cuh"
#ifndef __CUDACC_RTC__
#include <algorithm>

#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/tile_launch.cuh"
#endif

namespace stencil::cuda {
namespace {

constexpr int lines = 8, outputs = 8, rows = lines * outputs;  // of the column pass
constexpr int row_chunks = 3;    // of one thread in the row pass; odd, so that banks do not collide
constexpr int rows_at_once = 2;  // of one thread in the row pass
constexpr std::size_t most_bytes = 112 << 10;  ///< of shared memory, for two blocks

constexpr int terms = 2;
constexpr int lanes = 24;  ///< chunks of columns of a tile, one for each thread of a line
constexpr int threads = lanes * lines;
template <class T>
constexpr int columns = lanes* chunk<T>;

/// Of the inputs in shared memory, as TileShape has it.
template <class T>
struct SumShape {
  int lead, skip, sub, pitch;
  __host__ __device__ explicit SumShape(int width)
      : lead(tile_lead<T>(width) % (32 / int(sizeof(T)))),
        skip(lead / chunk<T> * chunk<T>),
        sub(lead % chunk<T>),
        pitch((lead + columns<T> + width - 1 + chunk<T> - 1) / chunk<T> * chunk<T>) {}
  /// Elements of the taps of a row, with what pads them.
  __host__ __device__ int taps(int width) const { return BandTaps<T>::pitch(sub + width); }
};

/// Elements of shared memory: of the inputs and of the plane.
template <class T>
std::size_t elements(const KernelArguments<T>& arguments) {
  // rows beyond the last are read, though not used
  const std::size_t all = rows + arguments.height - 1 + rows_at_once;
  return all * (SumShape<T>(arguments.width).pitch + columns<T>);
}

/// Position of the taps of the rows after those of the columns, which are stored term after term.
__host__ __device__ inline int rows_begin(int height) {
  return (terms * height + 3) / 4 * 4;
}

/// Row sums of `count` rows: of the first term to the plane, of the other in place.
template <class T>
__device__ __forceinline__ void sum_rows(T* inputs, const SumShape<T>& shape, T* plane,
                                         const T* taps, int width, int count) {
  constexpr int n = chunk<T>, row_lanes = lanes / row_chunks, across = columns<T>;
  constexpr int step = threads / row_lanes * rows_at_once;
  const int x = threadIdx.x % row_lanes * (row_chunks * n);
  for (int first = 0; first < count; first += step) {
    const int row = first + int(threadIdx.x) / row_lanes * rows_at_once;
    T* const from = inputs + row * shape.pitch + x;
#pragma unroll
    for (int term = 0; term < terms; ++term) {
      T sum[rows_at_once][row_chunks * n] = {};
      if (row < count)
        add_shifted_row<false, true>(from, shape.pitch, taps + term * shape.taps(width), shape.sub,
                                     width, sum);
      const bool last = term + 1 == terms;
      if (last) __syncwarp();  // all threads of a row have read what its sums overwrite
      T* const to = last ? from : plane + row * across + x;
#pragma unroll
      for (int r = 0; r < rows_at_once; ++r) {
        if (row + r >= count) continue;
#pragma unroll
        for (int c = 0; c < row_chunks; ++c)
          put_chunk(to + r * (last ? shape.pitch : across) + c * n, sum[r] + c * n);
      }
    }
  }
}

/// `sum[r][v] += sum_j sum_k taps[j][k] * from[k][(r + j) * pitch[k] + v]`, by one thread.
template <class T>
__device__ __forceinline__ void add_columns(const T* (&from)[terms], const int (&pitch)[terms],
                                            const T* taps, int height,
                                            T (&sum)[outputs][chunk<T>]) {
  constexpr int n = chunk<T>;
  T window[terms][outputs][n];
  const auto add = [&](int k) {
#pragma unroll
    for (int term = 0; term < terms; ++term) {
      load_chunk(from[term], window[term][(k + outputs - 1) % outputs]);
      from[term] += pitch[term];
      const T tap = taps[k * terms + term];
#pragma unroll
      for (int r = 0; r < outputs; ++r)
#pragma unroll
        for (int v = 0; v < n; ++v)
          sum[r][v] = fused(tap, window[term][(k + r) % outputs][v], sum[r][v]);
    }
  };
#pragma unroll
  for (int term = 0; term < terms; ++term) {
#pragma unroll
    for (int r = 0; r < outputs - 1; ++r, from[term] += pitch[term])
      load_chunk(from[term], window[term][r]);
  }
  int left = height;
#pragma unroll 1
  for (; left >= outputs; left -= outputs, taps += outputs * terms) {
#pragma unroll
    for (int k = 0; k < outputs; ++k) add(k);
  }
#pragma unroll
  for (int k = 0; k < outputs - 1; ++k) {
    if (left <= k) break;
    add(k);
  }
}

template <class T>
__global__ void __launch_bounds__(threads, 3)
    tile_separable_sum(const __grid_constant__ KernelArguments<T> arguments,
                       const __grid_constant__ TilePlace place,
                       const __grid_constant__ BandTaps<T> taps) {
  constexpr int n = chunk<T>, across = columns<T>;
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  const SumShape<T> shape(arguments.width);
  const int all = rows + arguments.height - 1 + rows_at_once;
  T* const plane = inputs + all * shape.pitch;
  const Tile<T> tile(arguments, place, across, rows);
  const int count = tile.end + arguments.height - 1;
  tile.load(shape, count, arguments.width, inputs, plane + all * across);
  sum_rows(inputs + shape.skip, shape, plane, taps.values + rows_begin(arguments.height),
           arguments.width, count);
  __syncthreads();
  const int x = threadIdx.x % lanes * n, y = threadIdx.x / lanes * outputs;
  const T* from[terms] = {plane + y * across + x, inputs + y * shape.pitch + x + shape.skip};
  const int pitch[terms] = {across, shape.pitch};
  T sum[outputs][n] = {};
  add_columns(from, pitch, taps.values, arguments.height, sum);
  tile.store(y, x, sum);
}

}  // namespace

#ifndef __CUDACC_RTC__  // what follows is the host's

template <class T>
bool fits_tile_separable_sum(const KernelArguments<T>& arguments) {
  const int taps =
      rows_begin(arguments.height) + terms * SumShape<T>(arguments.width).taps(arguments.width);
  // taller ones are left to rings, which sum no row twice
  return arguments.terms == terms && arguments.height <= rows / 2 && taps <= BandTaps<T>::most &&
         sizeof(T) * elements(arguments) + 16 <= std::min(most_bytes, most_shared_bytes());
}

template <class T>
void launch_tile_separable_sum(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                               CUstream_st* stream) {
  BandTaps<T> band{};
  const SumShape<T> shape(arguments.width);
  for (int term = 0; term < terms; ++term) {
    const T* const column = stencil.column.data() + term * stencil.height;
    for (int j = 0; j < arguments.height; ++j) band.values[j * terms + term] = column[j];
    std::copy_n(stencil.row.data() + term * stencil.width, arguments.width,
                band.values + rows_begin(arguments.height) + term * shape.taps(arguments.width) +
                    shape.sub);
  }
  const std::size_t bytes = sizeof(T) * elements(arguments) + 16;
  launch_tiles(instance("tile_separable_sum.cu", instance_name<T>("tile_separable_sum")), arguments,
               place_tiles(arguments, shape.lead), columns<T>, rows, threads, bytes, stream, band);
}

template bool fits_tile_separable_sum(const KernelArguments<float>&);
template bool fits_tile_separable_sum(const KernelArguments<double>&);
template void launch_tile_separable_sum(const KernelArguments<float>&, const Stencil<float>&,
                                        CUstream_st*);
template void launch_tile_separable_sum(const KernelArguments<double>&, const Stencil<double>&,
                                        CUstream_st*);

#endif

}  // namespace stencil::cuda
