// Masks with one input channel for each output channel. The kernel is limited by memory bandwidth
// only, because no input is used for two channels. A block copies its tile with the halo to shared
// memory in pieces of 16 bytes, all of which are started at once. Several resident blocks share a
// multiprocessor, so that some of them load inputs while another one computes sums.
#include "kernels/cuda/channels/element.cuh"
#include "kernels/cuda/channels/launchers.hpp"
#include "kernels/cuda/device_attributes.hpp"

namespace stencil::cuda {
namespace {

constexpr int threads = 128, lane_rows = 8;  // lane_rows: rows of outputs of one lane

/// Number of pieces of 16 bytes of a lane's window of inputs, which begins `shift` elements after
/// the beginning of the first piece.
template <class T, int width, int shift>
constexpr int window_pieces =
    (shift + Piece<T>::count + width - 1 + Piece<T>::count - 1) / Piece<T>::count;

/// @param lanes   number of lanes along x: a power of two
/// @tparam shift  elements from the preceding 16-byte boundary to the first column of a row
template <class T, int width, int shift>
__global__ void __launch_bounds__(threads, sizeof(T) * width > 40 ? 2 : 4)
    sum_depthwise(const ChannelShape shape, int lanes, const T* source, T* target, const T* taps) {
  constexpr int points = Piece<T>::count;
  constexpr int pieces = window_pieces<T, width, shift>;
  extern __shared__ float4 shared[];
  T* tile = reinterpret_cast<T*>(shared);
  const int across = lanes * points, down = threads / lanes * lane_rows;
  const unsigned tiles_x = (shape.nx + across - 1) / across;
  const unsigned tiles_y = (shape.ny + down - 1) / down;
  unsigned n = blockIdx.x;
  const int left = int(n % tiles_x) * across;
  n /= tiles_x;
  const int top = int(n % tiles_y) * down;
  const Index plane = n / tiles_y;

  const int row_pieces = lanes + pieces - 1, pitch = row_pieces * points;
  const int rows = min(down, shape.ny - top) + width - 1;
  const int wanted = shift + min(across, shape.nx - left) + width - 1;  // columns that exist
  const T* corner = source + plane * shape.source_plane + top * shape.source_row + left - shift;
  for (int row = threadIdx.x / lanes; row < rows; row += threads / lanes)
    for (int k = threadIdx.x % lanes; k * points < wanted && k < row_pieces; k += lanes)
      start_copy<16>(tile + row * pitch + k * points, corner + row * shape.source_row + k * points);
  commit_copies();

  T tap[width][width];
  const T* own = taps + plane % shape.out * (width * width);
#pragma unroll
  for (int k = 0; k < width * width; ++k) tap[k / width][k % width] = __ldg(own + k);
  await_copies<0>();
  __syncthreads();

  const int lane_x = threadIdx.x % lanes, first = threadIdx.x / lanes * lane_rows;
  alignas(16) T sum[lane_rows][points] = {};
  const T* from = tile + first * pitch + lane_x * points;
#pragma unroll
  for (int row = 0; row < lane_rows + width - 1; ++row) {
    alignas(16) T window[pieces * points];
#pragma unroll
    for (int k = 0; k < pieces; ++k)
      load_piece(from + row * pitch + k * points, window + k * points);
      // several rows of outputs use this row of inputs, each with a different row of taps
#pragma unroll
    for (int y = 0; y < lane_rows; ++y) {
      const int j = row - y;
      if (j < 0 || j >= width) continue;
#pragma unroll
      for (int i = 0; i < width; ++i)
#pragma unroll
        for (int p = 0; p < points; ++p)
          sum[y][p] = fused(tap[j][i], window[p + i + shift], sum[y][p]);
    }
  }
#pragma unroll
  for (int y = 0; y < lane_rows; ++y) {
    const int at = top + first + y;
    if (at >= shape.ny) break;
#pragma unroll
    for (int p = 0; p < points; ++p) sum[y][p] = clean(sum[y][p]);
    store_piece(target + plane * shape.target_plane + at * shape.target_row, left + lane_x * points,
                shape.nx, sum[y]);
  }
}

template <class T, int width, int shift>
int launch_shifted(const ChannelShape& shape, const T* source, T* target, const T* taps,
                   CUstream_st* stream) {
  constexpr int points = Piece<T>::count;
  int lanes = 32;
  while (lanes > 4 && lanes / 2 * points >= shape.nx) lanes /= 2;
  const int across = lanes * points, down = threads / lanes * lane_rows;
  const int bytes = (down + width - 1) * (lanes + window_pieces<T, width, shift> - 1) * 16;
  const auto blocks_of = [](Index n, Index size) { return (n + size - 1) / size; };
  const Index blocks =
      shape.images * shape.out * blocks_of(shape.ny, down) * blocks_of(shape.nx, across);
  if (blocks > 0x7fffffff) return cudaErrorInvalidConfiguration;
  const auto kernel = sum_depthwise<T, width, shift>;
  const int allowed = allow_shared_bytes(reinterpret_cast<const void*>(kernel), std::size_t(bytes));
  if (allowed != cudaSuccess) return allowed;
  kernel<<<unsigned(blocks), threads, bytes, stream>>>(shape, lanes, source, target, taps);
  return cudaGetLastError();
}

template <class T, int width>
int launch_width(const ChannelShape& shape, const T* source, T* target, const T* taps,
                 CUstream_st* stream) {
  const auto shift = reinterpret_cast<unsigned long long>(source) % 16 / sizeof(T);
  if (shift == 0) return launch_shifted<T, width, 0>(shape, source, target, taps, stream);
  if constexpr (Piece<T>::count == 4) {
    if (shift == 2) return launch_shifted<T, width, 2>(shape, source, target, taps, stream);
    if (shift == 3) return launch_shifted<T, width, 3>(shape, source, target, taps, stream);
  }
  return launch_shifted<T, width, 1>(shape, source, target, taps, stream);
}

}  // namespace

bool is_depthwise(const ChannelShape& shape) {
  return shape.in == 1 && shape.out == shape.groups && shape.stride_y == 1 && shape.stride_x == 1 &&
         shape.height == shape.width && (shape.width == 3 || shape.width == 5 || shape.width == 7);
}

template <class T>
int launch_depthwise(const ChannelShape& shape, const T* source, T* target, const T* taps,
                     CUstream_st* stream) {
  if (shape.width == 3) return launch_width<T, 3>(shape, source, target, taps, stream);
  if (shape.width == 5) return launch_width<T, 5>(shape, source, target, taps, stream);
  return launch_width<T, 7>(shape, source, target, taps, stream);
}

template int launch_depthwise(const ChannelShape&, const float*, float*, const float*,
                              CUstream_st*);
template int launch_depthwise(const ChannelShape&, const double*, double*, const double*,
                              CUstream_st*);

}  // namespace stencil::cuda
