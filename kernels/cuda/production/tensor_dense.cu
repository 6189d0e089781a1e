// Direct 2D masks in float64 on tensor cores. Blocks sum several tiles from shared memory, one
// after the other; each warp computes eight rows of 128 columns. The eight neighbouring outputs of
// a step are two rows of four columns. With this shape, the number of products with the zeros
// outside the mask is the smallest. Four resident blocks hide the latency of the inputs better than
// two blocks that copy their next inputs in advance (174e9 instead of 140e9 points per second for 9
// x 9 on an H200).
#include <cstddef>

#include "kernels/cuda/production/tensor.cuh"
#include "kernels/cuda/production/tile_run.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#endif

namespace stencil::cuda {
namespace {

constexpr int warps = 4, threads = 32 * warps;
constexpr int near_rows = 2, near_columns = 4;  ///< neighbouring outputs of a step
constexpr int eights = 4;                       ///< groups of 8 windows of a warp: 32 columns each
constexpr int warp_rows = groups * near_rows, rows = warps * warp_rows;
constexpr int columns = eights * 8 * near_columns;
constexpr std::size_t most_bytes = 113 << 10;  ///< shared memory of one of two resident blocks

struct Shape {
  int lead, pitch;  ///< lead and pitch of the inputs; see TileShape
  int reach;        ///< number of rows of a window
  int steps;        ///< number of steps for one row of a window

  static constexpr int unit = 64 / int(sizeof(double)), most_lead = unit - 1;

  __host__ __device__ Shape(int height, int width, int lead) : lead(lead) {
    steps = (width + near_columns - 1 + 3) / 4;
    // when outputs are summed tap by tap, lanes read some more columns
    pitch = (lead + columns + 8 - near_columns + 4 * steps + unit - 1) / unit * unit;
    reach = height + near_rows - 1;
    if (reach < least_reach) reach = least_reach;
  }
  __host__ __device__ int input_rows() const { return rows + reach - near_rows; }
  /// Number of taps with the zeros around them: at least three between the taps of two rows.
  __host__ __device__ int taps() const { return (near_rows - 1 + reach) * 4 * steps + 4; }
  __host__ __device__ int inputs() const { return input_rows() * pitch; }
  __host__ __device__ std::size_t bytes() const {
    return sizeof(double) * (std::size_t(inputs()) + taps()) + 16;
  }
};

/// Copies the taps to shared memory in rows of `4 * steps`, with zeros outside the shifted mask.
/// Row 0 of the mask begins at element 4 * (near_rows - 1) * steps + 3.
__device__ __forceinline__ void load_taps(const KernelArguments<double>& arguments,
                                          const Shape& shape, double* to) {
  const int pitch = 4 * shape.steps;
#pragma unroll 4
  for (int at = threadIdx.x; at < shape.taps(); at += threads) {
    const int i = at < 3 ? -1 : (at - 3) % pitch, j = (at - 3) / pitch - (near_rows - 1);
    const bool has = j >= 0 && j < arguments.height && i >= 0 && i < arguments.width;
    to[at] = has ? __ldg(arguments.taps + j * arguments.width + i) : 0.0;
  }
}

/// Computes the outputs of one warp tap by tap. Each lane computes some neighbours of a row; their
/// number is chosen so that the lanes use different banks.
///
/// @param inputs  inputs of the warp's first row, column 0
/// @param y       the warp's first row in the tile
/// @param taps    row 0 of the mask; rows are 4 * steps elements apart
__device__ __noinline__ void sum_one_by_one(const Tile<double> tile, const double* inputs,
                                            int pitch, int y, const double* taps, int steps,
                                            int height, int width, bool resume, bool finish) {
  constexpr int lanes = 8, count = columns / lanes + 1;
  const int lane = threadIdx.x % 32, x = lane % lanes * count;
#pragma unroll 1
  for (int row = lane / lanes; row < warp_rows; row += 32 / lanes) {
    const auto has = [&](int n) { return x + n < columns && tile.has(y + row, x + n); };
    double sum[count] = {};
    if (resume) {
#pragma unroll
      for (int n = 0; n < count; ++n)
        if (has(n)) sum[n] = tile.at(y + row, x + n);
    }
    const double *from = inputs + row * pitch + x, *tap = taps;
#pragma unroll 1
    for (int j = 0; j < height; ++j, from += pitch, tap += 4 * steps)
      add_chains([&](int k) { return from[k]; }, tap, width, sum);
#pragma unroll
    for (int n = 0; n < count; ++n)
      if (has(n)) tile.at(y + row, x + n) = finish ? clean(sum[n]) : sum[n];
  }
}

/// @tparam known  number of steps if it is known to the compiler, else 0
template <int known>
__global__ void __launch_bounds__(threads, 4)
    tensor_dense(const __grid_constant__ KernelArguments<double> arguments,
                 const __grid_constant__ TilePlace place, const __grid_constant__ TileRuns runs,
                 const __grid_constant__ Shape shape) {
  extern __shared__ __align__(128) unsigned char memory[];
  double* const inputs = reinterpret_cast<double*>(memory);
  double* const taps = inputs + shape.inputs();
  const unsigned barrier = static_cast<unsigned>(__cvta_generic_to_shared(taps + shape.taps()));
  if (threadIdx.x == 0) make_barrier(barrier, threads);
  __syncthreads();
  TileRun<double> run(runs, arguments);
  const int lane = threadIdx.x % 32, y = threadIdx.x / 32 * warp_rows;
  const int x = lane / 4 * near_columns + lane % 2 * 2, dy = lane % 4 / 2;
  // column lane / 4 of the taps of a step: the mask, shifted to the output of that column
  const double* const tap0 =
      taps + (near_rows - 1 - lane / 16) * 4 * shape.steps + 3 + lane % 4 - lane / 4 % near_columns;
  load_taps(arguments, shape, taps);
  for (unsigned phase = 0; run.more(); run.advance(), phase ^= 1) {
    const Tile<double> tile = run.tile(arguments, place, columns, rows);
    const int count = tile.end + arguments.height - 1;
    tile.start(shape, count, arguments.width, inputs, barrier);
    tile.clear(shape, count, shape.input_rows(), arguments.width, inputs);
    __syncthreads();
    tile.finish(shape, count, arguments.width, inputs, barrier, phase);
    if (y < tile.end) {
      TensorSums<eights, 1, 2> sum = {};
      if (arguments.resume) {
#pragma unroll
        for (int p = 0; p < groups; ++p)
#pragma unroll
          for (int h = 0; h < eights; ++h)
            tile.resume(y + near_rows * p + dy, x + 32 * h, sum[p][h]);
      }
      const double* const first = inputs + y * shape.pitch + shape.lead;
      const double *row = first + lane, *tap = tap0;
      const int steps = known > 0 ? known : shape.steps, group_taps = near_rows * 4 * steps;
      pass_windows(shape.reach, [&](auto begin, auto end, int count) {
#pragma unroll 1
        for (; count > 0; --count, row += shape.pitch, tap += 4 * steps) {
          const auto step = [&](int s) {
            add_place<decltype(begin)::value, decltype(end)::value>(
                [&](int h) { return row[4 * s + 32 * h]; },
                [&](int p) { return tap[4 * s - p * group_taps]; }, sum);
          };
          if constexpr (known > 0) {
#pragma unroll
            for (int s = 0; s < known; ++s) step(s);
          } else {
#pragma unroll 2
            for (int s = 0; s < steps; ++s) step(s);
          }
        }
      });
      if (!clean_sums(sum)) {
        sum_one_by_one(tile, first, shape.pitch, y, taps + (near_rows - 1) * 4 * steps + 3, steps,
                       arguments.height, arguments.width, arguments.resume, arguments.finish);
      } else if (tile.holds(y, warp_rows, 0, columns)) {
        double* const to = &tile.at(y + dy, x);
#pragma unroll
        for (int p = 0; p < groups; ++p)
#pragma unroll
          for (int h = 0; h < eights; ++h)
            stream_chunk(to + near_rows * p * tile.target_row + 32 * h, sum[p][h][0]);
      } else {
#pragma unroll
        for (int p = 0; p < groups; ++p)
#pragma unroll
          for (int h = 0; h < eights; ++h)
            tile.store(y + near_rows * p + dy, x + 32 * h, sum[p][h], false);  // no sum is -0
      }
    }
    __syncthreads();  // all warps have read the inputs that the next copies overwrite
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

constexpr int most_known_steps = 9;  // unrolling does not make longer loops faster

}  // namespace

bool fits_tensor_dense(const KernelArguments<double>& arguments) {
  const Shape shape(arguments.height, arguments.width, Shape::most_lead);
  return shape.bytes() <= std::min(most_bytes, most_shared_bytes());
}

void launch_tensor_dense(const KernelArguments<double>& arguments,
                         const Stencil<double>& /*stencil*/, CUstream_st* stream) {
  const Shape shape(arguments.height, arguments.width, lead_of_tiles(arguments, Shape::unit));
  const int known = shape.steps <= most_known_steps ? shape.steps : 0;
  launch_runs(instance("tensor_dense.cu", template_name("tensor_dense", known)), arguments,
              place_tiles(arguments, shape.lead), columns, rows, threads, shape.bytes(), stream,
              shape);
}

#endif

}  // namespace stencil::cuda
