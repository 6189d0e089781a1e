// Direct masks of any size, renormalized. A block sums one tile from shared memory. Masks of one
// column use a separate kernel. Other masks are summed along rows: each thread sums some chunks of
// neighbouring outputs, and each warp transposes its outputs in shared memory, so that whole cache
// lines are written.
#include "kernels/cuda/production/tile_any.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/tile_launch.cuh"
#endif

namespace stencil::cuda {
namespace {

/// Number of adjacent threads along a row, numbers of rows and of chunks of outputs of each thread,
/// and number of blocks that should fit on a multiprocessor. The number of chunks is odd to avoid
/// bank conflicts.
template <int lanes_, int outputs_, int chunks_, int most_threads_, int blocks_>
struct ValidTile {
  static constexpr int lanes = lanes_, outputs = outputs_, chunks = chunks_;
  static constexpr int most_threads = most_threads_, blocks = blocks_;
  template <class T>
  static __host__ __device__ constexpr int columns() {
    return lanes * chunks * chunk<T>;
  }
  static __host__ __device__ constexpr int rows(int threads) { return threads / lanes * outputs; }
};
// each value was the fastest of those tried on an H200
using LongTile = ValidTile<64, 1, 5, 64, 16>;
using WideTile = ValidTile<8, 2, 3, 128, 6>;

/// Number of elements of the taps of one row in shared memory.
template <class T>
__host__ __device__ int row_of_taps(int sub, int width) {
  return (sub + width + chunk<T> - 1) / chunk<T> * chunk<T>;
}

/// Writes the results of a warp. They are transposed in shared memory, so that whole cache lines
/// are written.
///
/// @param turn  shared memory of this warp, in which chunks of threads become chunks of rows
template <class Size, class T>
__device__ __forceinline__ void store_turned(const Tile<T>& tile, T* turn,
                                             T (&sum)[Size::outputs][Size::chunks * chunk<T>]) {
  constexpr int n = chunk<T>, lanes = Size::lanes < 32 ? Size::lanes : 32;
  constexpr int row = lanes * Size::chunks;  // number of chunks of the warp in a row
  const int lane = threadIdx.x % 32, first = threadIdx.x - lane;
#pragma unroll
  for (int r = 0; r < Size::outputs; ++r)
#pragma unroll
    for (int c = 0; c < Size::chunks; ++c)
      put_chunk(
          turn + ((lane / lanes * Size::outputs + r) * row + lane % lanes * Size::chunks + c) * n,
          sum[r] + c * n);
  __syncwarp();
  const int x = first % Size::lanes * Size::chunks * n, y = first / Size::lanes * Size::outputs;
#pragma unroll
  for (int k = 0; k < Size::outputs * Size::chunks; ++k) {
    const int at = k * 32 + lane;
    T v[1][n];
    load_chunk(turn + at * n, v[0]);
    tile.store(y + at / row, x + at % row * n, v);
  }
}

template <class T, class Size, bool skip_zeros>
__global__ void __launch_bounds__(Size::most_threads, Size::blocks)
    tile_valid(const __grid_constant__ KernelArguments<T> arguments,
               const __grid_constant__ TilePlace place, const __grid_constant__ AnyShape shape) {
  constexpr int n = chunk<T>, columns = Size::template columns<T>();
  extern __shared__ __align__(128) unsigned char bytes[];
  const AnyMemory<T> memory(bytes, shape);
  const Tile<T> tile(arguments, place, columns, Size::rows(blockDim.x));
  const int rows = tile.end + arguments.height - 1,
            pitch = row_of_taps<T>(shape.sub, arguments.width);
  if (threadIdx.x == 0) make_barrier(memory.barrier, blockDim.x);
  __syncthreads();
  tile.start(shape, rows, arguments.width, memory.inputs, memory.barrier);
  memory.fill_taps(shape, [&](int k) {
    const int i = k % pitch - shape.sub;
    return i >= 0 && i < arguments.width ? arguments.taps[k / pitch * arguments.width + i] : T(0);
  });
  tile.finish(shape, rows, arguments.width, memory.inputs, memory.barrier, 0);
  const int x = threadIdx.x % Size::lanes * Size::chunks * n;
  const int y = threadIdx.x / Size::lanes * Size::outputs;
  T sum[Size::outputs][Size::chunks * n];
  const auto add = [&](bool absolute, T(&sums)[Size::outputs][Size::chunks * n]) {
    const T* from = memory.inputs + y * shape.pitch + x + shape.skip;
    const T* taps = memory.taps + (absolute ? shape.taps : 0);
#pragma unroll 1
    for (int j = 0; j < arguments.height; ++j, from += shape.pitch, taps += pitch)
      add_shifted_row<skip_zeros>(from, shape.pitch, taps, shape.sub, arguments.width, sums);
  };
  sum_valid(arguments, memory, rows * shape.pitch, add, sum);
  __syncthreads();  // all warps have read the inputs that the results overwrite
  store_turned<Size>(
      tile, memory.inputs + threadIdx.x / 32 * (32 * Size::outputs * Size::chunks * n), sum);
}

constexpr int column_lanes = 8, column_lines = 16, column_threads = column_lanes * column_lines;
constexpr int column_outputs = 8, column_rows = column_lines * column_outputs;

template <class T, bool skip_zeros>
__global__ void __launch_bounds__(column_threads, 5)
    tile_column_valid(const __grid_constant__ KernelArguments<T> arguments,
                      const __grid_constant__ TilePlace place,
                      const __grid_constant__ AnyShape shape) {
  constexpr int n = chunk<T>, pitch = column_lanes * n;
  extern __shared__ __align__(128) unsigned char bytes[];
  const AnyMemory<T> memory(bytes, shape);
  const Tile<T> tile(arguments, place, pitch, column_rows);
  const int rows = tile.end + arguments.height - 1;
  tile.template start_narrow<column_lanes, pitch>(rows, memory.inputs);
  memory.fill_taps(shape, [&](int k) { return k < arguments.height ? arguments.taps[k] : T(0); });
  await_all_copies();
  const int x = threadIdx.x % column_lanes * n, y = threadIdx.x / column_lanes * column_outputs;
  T sum[column_outputs][n];
  sum_valid(
      arguments, memory, rows * pitch,
      [&](bool absolute, T(&sums)[column_outputs][n]) {
        add_constant_column<skip_zeros>(memory.inputs + y * pitch + x, pitch,
                                        memory.taps + (absolute ? shape.taps : 0), arguments.height,
                                        sums);
      },
      sum);
  tile.store(y, x, sum);
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

/// The kernel for a sweep, and its tiles.
struct ValidPlan {
  const char* kernel;
  const char* size;  ///< second template argument of the kernel, if the kernel has three
  int columns, rows, threads;
  AnyShape shape;
};

template <class T>
ValidPlan plan_column(const KernelArguments<T>& arguments) {
  constexpr int columns = column_lanes * chunk<T>;
  return {"tile_column_valid",
          nullptr,
          columns,
          column_rows,
          column_threads,
          any_shape(arguments, columns, column_rows, arguments.height, 0)};
}

template <class Size, class T>
ValidPlan plan_rows(const KernelArguments<T>& arguments, const char* size, int threads) {
  const int columns = Size::template columns<T>(), rows = Size::rows(threads);
  const int lead = sector_lead(arguments);
  const int taps = arguments.height * row_of_taps<T>(lead % chunk<T>, arguments.width);
  return {"tile_valid", size,    columns,
          rows,         threads, any_shape(arguments, columns, rows, taps, lead)};
}

/// Finds the first plan that fits; returns false if no plan fits.
template <class T>
bool find_plan(const KernelArguments<T>& arguments, ValidPlan& plan) {
  if (double(arguments.height) * arguments.width > 1e5) return false;
  const auto fits = [&](const ValidPlan& found) {
    plan = found;
    return plan.shape.bytes <= most_shared_bytes();
  };
  if (arguments.width == 1) return fits(plan_column(arguments));
  if (arguments.height == 1 && arguments.columns > LongTile::columns<T>() / 2)
    return fits(plan_rows<LongTile>(arguments, "stencil::cuda::LongTile", LongTile::most_threads));
  for (int threads = WideTile::most_threads; threads >= 32; threads /= 2) {
    if (fits(plan_rows<WideTile>(arguments, "stencil::cuda::WideTile", threads))) return true;
  }
  return false;
}

}  // namespace

template <class T>
bool fits_tile_valid(const KernelArguments<T>& arguments) {
  ValidPlan plan;
  return find_plan(arguments, plan);
}

template <class T>
void launch_tile_valid(const KernelArguments<T>& arguments, const Stencil<T>& /*stencil*/,
                       CUstream_st* stream) {
  ValidPlan plan;
  find_plan(arguments, plan);
  const std::string name = plan.size == nullptr
                               ? instance_name<T>(plan.kernel, arguments.skip_zeros)
                               : instance_name<T>(plan.kernel, plan.size, arguments.skip_zeros);
  launch_tiles(instance("tile_valid.cu", name), arguments, place_tiles(arguments, plan.shape.lead),
               plan.columns, plan.rows, plan.threads, plan.shape.bytes, stream, plan.shape);
}

template bool fits_tile_valid(const KernelArguments<float>&);
template bool fits_tile_valid(const KernelArguments<double>&);
template void launch_tile_valid(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void launch_tile_valid(const KernelArguments<double>&, const Stencil<double>&,
                                CUstream_st*);

#endif

}  // namespace stencil::cuda
