// Both passes of a separable mask in float64 on tensor cores. A block walks down a strip, some rows
// of inputs at a time, and keeps row sums in a ring. Thus no row sum is computed twice, except at
// the beginning of a part of a strip. The next inputs are copied while the column sums are
// computed.
#include <cstddef>

#include "kernels/cuda/production/tensor.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/launch_plan.cuh"
#endif

namespace stencil::cuda {
namespace {

constexpr int warps = 4, threads = 32 * warps;
constexpr int near = 8, eights = 2;
constexpr int rows = near * groups;  ///< rows of inputs and of outputs that are computed at a time
constexpr int columns = 2 * near * groups;
static_assert(rows / (8 * eights) * (columns / (near * groups)) == warps,
              "row pass: one part each");
static_assert(columns / (8 * eights) == warps, "column pass: one part each");
constexpr int sum_pitch = columns + 4;  ///< 4 modulo 16, to avoid bank conflicts

/// Properties of the mask that host and kernel use.
struct Shape {
  int lead, pitch;  ///< lead and pitch of the inputs (TileShape); pitch is 4 modulo 16
  int row_steps;    ///< number of places of a window along x
  /// Number of zeros above the column of taps; number of places of a window along y.
  int above, column_steps;
  int slots;  ///< number of slots of the ring, of `rows` rows each

  static constexpr int unit = 64 / int(sizeof(double)), most_lead = unit - 1;

  __host__ __device__ Shape(int height, int width, int lead) : lead(lead) {
    row_steps = steps_of(width);
    pitch = lead + columns + 4 * row_steps - near;
    pitch += (20 - pitch % 16) % 16;
    int kept = (height - 1 + 3) / 4 * 4;
    if (kept < 4 * least_reach - near) kept = 4 * least_reach - near;
    above = kept - (height - 1);
    column_steps = steps_of(kept + 1);
    slots = 1 + (kept + rows - 1) / rows;
  }
  __host__ __device__ static int steps_of(int taps) {
    const int steps = (taps + near - 1 + 3) / 4;
    return steps < least_reach ? least_reach : steps;
  }
  /// Number of taps, with the zeros outside the shifted mask.
  __host__ __device__ static int taps(int steps) { return near + 4 * steps; }
  __host__ __device__ std::size_t bytes() const {
    return sizeof(double) * (std::size_t(rows) * (pitch + slots * sum_pitch) + taps(row_steps) +
                             taps(column_steps)) +
           16;
  }
};

__device__ __forceinline__ void load_taps(const double* from, int count, int ahead, int steps,
                                          double* to) {
  for (int at = threadIdx.x; at < Shape::taps(steps); at += threads) {
    const int i = at - (near - 1) - ahead;
    to[at] = i >= 0 && i < count ? __ldg(from + i) : 0.0;
  }
}

/// Computes the row sums of one warp tap by tap. Each lane computes 16 of the 32 columns of a row.
__device__ __noinline__ void sum_rows_one_by_one(const double* from, int pitch, const double* taps,
                                                 int width, double* to) {
  constexpr int some = 16;
  const int row = threadIdx.x % 16, x = threadIdx.x % 32 / 16 * some;
  double sum[some] = {};
  from += row * pitch + x;
  add_chains([&](int k) { return from[k]; }, taps, width, sum);
#pragma unroll
  for (int n = 0; n < some; ++n) to[row * sum_pitch + x + n] = sum[n];
}

/// Writes the row sums of 32 rows to their slot of the ring. Pairs of warps compute 16 rows each.
__device__ __forceinline__ void sum_rows(const Shape& shape, int width, const double* inputs,
                                         const double* taps, double* slot) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int y = warp / 2 * (8 * eights), x = warp % 2 * (near * groups);
  const double* const from = inputs + y * shape.pitch + shape.lead + x;
  const double* input = from + lane / 4 * shape.pitch + lane % 4;
  const double* tap = taps + near - 1 + lane % 4 - lane / 4;
  TensorSums<eights, 1, 2> sum = {};
  pass_windows(shape.row_steps, [&](auto begin, auto end, int count) {
#pragma unroll 2
    for (; count > 0; --count, tap += 4, input += 4)
      add_place<decltype(begin)::value, decltype(end)::value>(
          [&](int h) { return input[8 * h * shape.pitch]; }, [&](int p) { return tap[-near * p]; },
          sum);
  });
  double* const to = slot + y * sum_pitch + x;
  if (!clean_sums(sum)) return sum_rows_one_by_one(from, shape.pitch, taps + near - 1, width, to);
#pragma unroll
  for (int p = 0; p < groups; ++p)
#pragma unroll
    for (int h = 0; h < eights; ++h)
      put_chunk(to + (8 * h + lane / 4) * sum_pitch + near * p + lane % 4 * 2, sum[p][h][0]);
}

/// Computes the results of one warp tap by tap. Each lane computes half of a column.
///
/// @param top  row of the ring with which the first window begins
__device__ __noinline__ void sum_columns_one_by_one(const Tile<double> tile, const double* ring,
                                                    int ring_rows, int top, const double* taps,
                                                    int height, int x) {
  constexpr int some = rows / 2;
  const int y = threadIdx.x % 32 / 16 * some;
  x += threadIdx.x % 16;
  double sum[some] = {};
  add_chains([&](int k) { return ring[(top + y + k) % ring_rows * sum_pitch + x]; }, taps, height,
             sum);
#pragma unroll
  for (int r = 0; r < some; ++r)
    if (tile.has(y + r, x)) tile.at(y + r, x) = clean(sum[r]);
}

#ifdef __CUDACC_RTC__  // nvcc would compile a kernel that is not a template ahead

__global__ void __launch_bounds__(threads, 4)
    tensor_separable(const __grid_constant__ KernelArguments<double> arguments,
                     const __grid_constant__ TilePlace place, const __grid_constant__ Shape shape,
                     const int part) {
  constexpr int n = chunk<double>;
  extern __shared__ __align__(128) unsigned char memory[];
  double* const inputs = reinterpret_cast<double*>(memory);
  double* const ring = inputs + rows * shape.pitch;
  double* const row_taps = ring + shape.slots * rows * sum_pitch;
  double* const column_taps = row_taps + Shape::taps(shape.row_steps);
  const unsigned barrier = static_cast<unsigned>(
      __cvta_generic_to_shared(column_taps + Shape::taps(shape.column_steps)));
  if (threadIdx.x == 0) make_barrier(barrier, threads);
  load_taps(arguments.row, arguments.width, 0, shape.row_steps, row_taps);
  load_taps(arguments.column, arguments.height, shape.above, shape.column_steps, column_taps);
  for (int i = threadIdx.x; i < rows * shape.pitch; i += threads) inputs[i] = 0;
  before_bulk_copies();
  __syncthreads();
  const int lane = threadIdx.x % 32, x0 = threadIdx.x / 32 * (8 * eights);
  const int ring_rows = shape.slots * rows, ahead = shape.slots - 1;
  const long first = long(blockIdx.y) * part;
  const long last = min(first + part, (arguments.rows + rows - 1) / rows);
  // Returns lot j of inputs: the rows that tile j of outputs needs and tile j - 1 does not need.
  // Rows above the first tile's inputs are not copied.
  const auto lot_at = [&](long j, int& skipped, int& count) {
    Tile<double> lot(arguments, place, columns, rows, blockIdx.x, j, blockIdx.z);
    skipped = int(max(0L, (first - j) * rows - (arguments.height - 1)));
    count = max(0, lot.end - skipped);
    lot.source += (arguments.height - 1 + skipped) * arguments.source_row;
    return lot;
  };
  const auto start = [&](long j) {
    int skipped, count;
    const Tile<double> lot = lot_at(j, skipped, count);
    lot.start(shape, count, arguments.width, inputs + skipped * shape.pitch, barrier);
  };
  start(first - ahead);
  int slot = 0,
      top = ahead * rows - (shape.above + arguments.height - 1);  // first row of the window
  unsigned phase = 0;
#pragma unroll 1
  for (long j = first - ahead; j < last; ++j, phase ^= 1) {
    int skipped, count;
    const Tile<double> tile = lot_at(j, skipped, count);
    tile.finish(shape, count, arguments.width, inputs + skipped * shape.pitch, barrier, phase);
    sum_rows(shape, arguments.width, inputs, row_taps, ring + slot * rows * sum_pitch);
    __syncthreads();
    if (j + 1 < last) start(j + 1);
    if (++slot == shape.slots) slot = 0;  // slot of the oldest sums
    if (j < first) continue;
    TensorSums<eights, 2, 1> sum = {};
    {
      int at = top;
      const double* input = ring + (top + lane % 4) * sum_pitch + x0 + lane / 4;
      const double* tap = column_taps + near - 1 + lane % 4 - lane / 4;
      pass_windows(shape.column_steps, [&](auto begin, auto end, int steps) {
#pragma unroll 2
        for (; steps > 0; --steps, tap += 4) {
          add_place<decltype(begin)::value, decltype(end)::value>(
              [&](int h) { return input[8 * h]; }, [&](int p) { return tap[-near * p]; }, sum);
          at += 4;
          input += 4 * sum_pitch;
          if (at == ring_rows) {
            at = 0;
            input -= ring_rows * sum_pitch;
          }
        }
      });
    }
    const bool by_steps = clean_sums(sum);
    if (!by_steps) {
      sum_columns_one_by_one(tile, ring, ring_rows, top + shape.above,
                             column_taps + near - 1 + shape.above, arguments.height, x0);
    }
    __syncthreads();  // all warps have read the sums that the results overwrite
    double* const of_warp = ring + slot * rows * sum_pitch + x0;
    if (by_steps) {
      // the results are transposed, so that whole cache lines are written
#pragma unroll
      for (int p = 0; p < groups; ++p)
#pragma unroll
        for (int h = 0; h < eights; ++h)
#pragma unroll
          for (int i = 0; i < 2; ++i)
            of_warp[(near * p + lane % 4 * 2 + i) * sum_pitch + 8 * h + lane / 4] = sum[p][h][i][0];
      __syncwarp();
      const int x = lane * n % (8 * eights), y = lane * n / (8 * eights);
      constexpr int rows_at_once = 32 * n / (8 * eights);
      const double* const from = of_warp + y * sum_pitch + x;
      if (tile.holds(0, rows, x0, 8 * eights)) {
        double* const to = &tile.at(y, x0 + x);
#pragma unroll
        for (int r = 0; r < rows; r += rows_at_once) {
          double pair[n];
          load_chunk(from + r * sum_pitch, pair);
          stream_chunk(to + r * tile.target_row, pair);
        }
      } else {
#pragma unroll 1
        for (int r = 0; r < rows; r += rows_at_once) {
          double pair[1][n];
          load_chunk(from + r * sum_pitch, pair[0]);
          tile.store(y + r, x0 + x, pair, false);  // no sum is -0
        }
      }
    }
    top = (top + rows) % ring_rows;
    __syncthreads();  // all results have been read before the next row sums overwrite them
  }
}

#endif

}  // namespace

#ifndef __CUDACC_RTC__  // host code

bool fits_tensor_separable(const KernelArguments<double>& arguments) {
  const Shape shape(arguments.height, arguments.width, Shape::most_lead);
  return shape.bytes() <= most_shared_bytes();
}

void launch_tensor_separable(const KernelArguments<double>& arguments,
                             const Stencil<double>& /*stencil*/, CUstream_st* stream) {
  const Shape shape(arguments.height, arguments.width, lead_of_tiles(arguments, Shape::unit));
  const TilePlace place = place_tiles(arguments, shape.lead);
  const long strips = (arguments.columns + place.shift + columns - 1) / columns;
  const long tiles = (arguments.rows + rows - 1) / rows;
  const LoadedKernel& kernel = instance("tensor_separable.cu", "tensor_separable");
  const long resident =
      std::max(1, resident_blocks(kernel, threads, shape.bytes())) * long(multiprocessors());
  const long part =
      best_run(tiles, strips * arguments.batches, resident, rows, arguments.height - 1);
  const dim3 blocks(unsigned(strips), unsigned((tiles + part - 1) / part),
                    unsigned(arguments.batches));
  launch_instance(kernel, blocks, threads, shape.bytes(), stream, arguments, place, shape,
                  int(part));
}

#endif

}  // namespace stencil::cuda
