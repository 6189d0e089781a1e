// Direct masks of one row or one column in float64 on tensor cores. The eight neighbouring outputs
// of a step are along the mask. Each block sums several tiles, one after the other. Along x, a tile
// is a piece of a line, which is folded into segments. Along y, a tile is narrow and tall.
#include <cstddef>

#include "kernels/cuda/production/tensor.cuh"
#include "kernels/cuda/production/tile_run.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#endif

namespace stencil::cuda {
namespace {

/// Layout of inputs and results in shared memory: rows of `side` elements with gaps of 4 elements,
/// so that the four inputs and the four windows of half a warp use different banks. A row is a row
/// of the tile, or a segment of the line.
constexpr int side = 32, pitch = side + 4;
constexpr int warps = 4, threads = 32 * warps;
constexpr int near = 8;                ///< neighbouring outputs of a step: two places of inputs
constexpr int outputs = warps * side;  ///< rows of a tile, or segments
constexpr int eights = side / 8;       ///< groups of 8 columns or segments of one warp
static_assert(side == near * groups);
constexpr std::size_t most_bytes = 113 << 10;  ///< shared memory of one of two resident blocks

/// Properties of the mask that host and kernel use.
struct Shape {
  /// Number of elements before the first input of a line, chosen so that rows begin at a sector.
  int lead;
  int steps;  ///< number of places of a window; the taps of the lead are 0
  int rows;   ///< number of rows of inputs

  static constexpr int sector = 32 / int(sizeof(double)), most_lead = sector - 1;

  __host__ __device__ Shape(bool along_x, int taps, int lead) : lead(lead) {
    steps = (lead + taps + near - 1 + 3) / 4;
    if (steps < least_reach) steps = least_reach;
    const int beyond = 4 * steps - near;
    rows = outputs + (along_x ? (beyond + side - 1) / side : beyond);
  }
  /// Number of taps, with the zeros outside the shifted mask.
  __host__ __device__ int taps() const { return near + 4 * steps; }
  __host__ __device__ int inputs() const { return rows * pitch; }
  __host__ __device__ std::size_t bytes() const {
    return sizeof(double) * (std::size_t(inputs()) + taps()) + 16;
  }
};

/// Computes the outputs of one warp tap by tap. Each lane computes one column or one segment.
///
/// @param inputs  inputs of the warp's first row or segment
template <bool along_x>
__device__ __noinline__ void sum_one_by_one(const Tile<double> tile, const double* inputs, int lead,
                                            int first, const double* taps, int length, bool resume,
                                            bool finish) {
  constexpr int some = 16, down = along_x ? 0 : 1, right = along_x ? 1 : 0;
  const int lane = threadIdx.x % 32;
#pragma unroll 1
  for (int at = 0; at < side; at += some) {
    const int y = along_x ? 0 : first + at, x = along_x ? (first + lane) * side + at : lane;
    double sum[some] = {};
    if (resume) {
#pragma unroll
      for (int n = 0; n < some; ++n)
        if (tile.has(y + down * n, x + right * n)) sum[n] = tile.at(y + down * n, x + right * n);
    }
    const auto input = [&](int i) {
      const int k = lead + at + i;
      return inputs[along_x ? (lane + k / side) * pitch + k % side : k * pitch + lane];
    };
    add_chains(input, taps, length, sum);
#pragma unroll
    for (int n = 0; n < some; ++n)
      if (tile.has(y + down * n, x + right * n))
        tile.at(y + down * n, x + right * n) = finish ? clean(sum[n]) : sum[n];
  }
}

/// Starts to copy `needed` rows of the inputs of a tile, and writes zeros where no input exists.
template <bool along_x>
__device__ __forceinline__ void start_inputs(const Tile<double>& tile,
                                             const KernelArguments<double>& arguments, int lead,
                                             int needed, double* inputs, unsigned barrier) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const double* const source = tile.source - lead;
  const long source_row = along_x ? side : tile.source_row;
  // inputs [begin, stop) of a line, or columns [first, last) of some rows exist
  const int begin = tile.leftmost ? lead + tile.first : 0;
  const int stop = lead + tile.last + arguments.width - 1,
            present = tile.end + arguments.height - 1;
  int low = 0, high = 0;  // the rows [low, high) are copied by bulk copies
  if (along_x && tile.bulk) {
    low = (begin + side - 1) / side, high = max(low, min(needed, stop / side));
  } else if (tile.bulk && tile.first == 0 && tile.last == side) {
    high = present;
  }
  if (threadIdx.x == 0) expect_bytes(barrier, unsigned(high - low) * side * sizeof(double));
  const int others = needed - (high - low);
  for (int k = warp; k < others; k += warps) {
    const int row = k < low ? k : k + high - low, i = row * side + lane;
    const bool has =
        along_x ? i >= begin && i < stop : row < present && lane >= tile.first && lane < tile.last;
    double* const to = inputs + row * pitch + lane;
    if (has) {
      start_copy<8>(to, source + row * source_row + lane);
    } else {
      *to = 0;
    }
  }
  before_bulk_copies();
  __syncwarp();
  if (starts_copies()) {
    for (int row = low + warp; row < high; row += warps)
      start_row_copy(inputs + row * pitch, source + row * source_row, side * sizeof(double),
                     barrier);
  }
  end_copies(barrier);
  __syncwarp();
}

template <bool along_x>
__global__ void __launch_bounds__(threads, 4)
    tensor_axis(const __grid_constant__ KernelArguments<double> arguments,
                const __grid_constant__ TilePlace place, const __grid_constant__ TileRuns runs,
                const __grid_constant__ Shape shape) {
  constexpr int n = chunk<double>, warp_outputs = along_x ? side * side : side;
  extern __shared__ __align__(128) unsigned char memory[];
  double* const inputs = reinterpret_cast<double*>(memory);
  double* const taps = inputs + shape.inputs();
  const unsigned barrier = static_cast<unsigned>(__cvta_generic_to_shared(taps + shape.taps()));
  if (threadIdx.x == 0) make_barrier(barrier, threads);
  __syncthreads();
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = warp * side;
  for (int at = threadIdx.x; at < shape.taps(); at += threads) {
    const int i = at - (near - 1) - shape.lead;
    const bool has = i >= 0 && i < (along_x ? arguments.width : arguments.height);
    taps[at] = has ? __ldg(arguments.taps + i) : 0.0;
  }
  TileRun<double> run(runs, arguments);
  for (unsigned phase = 0; run.more(); run.advance(), phase ^= 1) {
    const Tile<double> tile =
        run.tile(arguments, place, along_x ? outputs * side : side, along_x ? 1 : outputs);
    // number of warps with outputs
    const int busy = ((along_x ? tile.last : tile.end) + warp_outputs - 1) / warp_outputs;
    start_inputs<along_x>(tile, arguments, shape.lead, shape.rows - side * (warps - busy), inputs,
                          barrier);
    await_all_copies();
    await_phase(barrier, phase);
    double* const of_warp = inputs + first * pitch;
    bool by_steps = warp < busy;
    TensorSums<eights, along_x ? 1 : 2, along_x ? 2 : 1> sum = {};
    if (by_steps) {
      if (arguments.resume) {
        // column and row of this lane's first pair of sums
        const int k = lane % 4 * 2, m = lane / 4;
#pragma unroll
        for (int p = 0; p < groups; ++p)
#pragma unroll
          for (int h = 0; h < eights; ++h)
            tile.resume(along_x ? 0 : first + near * p + k,
                        along_x ? (first + 8 * h + m) * side + near * p + k : 8 * h + m, sum[p][h]);
      }
      // column lane / 4 of the taps of a step: the mask, shifted by lane / 4
      const double* tap = taps + near - 1 + lane % 4 - lane / 4;
      const double* input =
          of_warp + (along_x ? lane / 4 * pitch + lane % 4 : lane % 4 * pitch + lane / 4);
      int left = side / 4;  // steps to the end of a segment
      pass_windows(shape.steps, [&](auto begin, auto end, int count) {
#pragma unroll 2
        for (; count > 0; --count) {
          add_place<decltype(begin)::value, decltype(end)::value>(
              [&](int h) { return input[8 * h * (along_x ? pitch : 1)]; },
              [&](int p) { return tap[-near * p]; }, sum);
          tap += 4;
          input += along_x ? 4 : 4 * pitch;
          if (along_x && --left == 0) {
            left = side / 4;
            input += pitch - side;
          }
        }
      });
      if (!clean_sums(sum)) {
        sum_one_by_one<along_x>(tile, of_warp, shape.lead, first, taps + near - 1 + shape.lead,
                                along_x ? arguments.width : arguments.height, arguments.resume,
                                arguments.finish);
        by_steps = false;
      }
    }
    __syncthreads();  // all warps have read the inputs that the results overwrite
    if (by_steps) {
      // the results are transposed, so that whole cache lines are written
#pragma unroll
      for (int p = 0; p < groups; ++p)
#pragma unroll
        for (int h = 0; h < eights; ++h) {
          const int k = near * p + lane % 4 * 2, m = 8 * h + lane / 4;
          if constexpr (along_x) {
            put_chunk(of_warp + m * pitch + k, sum[p][h][0]);
          } else {
            of_warp[k * pitch + m] = sum[p][h][0][0];
            of_warp[(k + 1) * pitch + m] = sum[p][h][1][0];
          }
        }
      __syncwarp();
      const int x = lane * n % side, row = lane * n / side;
      const double* const from = of_warp + row * pitch + x;
      constexpr int rows_at_once = 32 * n / side;
      const int y0 = along_x ? 0 : first, x0 = along_x ? first * side : 0;
      if (tile.holds(y0, along_x ? 1 : side, x0, along_x ? side * side : side)) {
        double* const to = &tile.at(y0, x0) + row * (along_x ? side : tile.target_row) + x;
#pragma unroll
        for (int r = 0; r < side; r += rows_at_once) {
          double pair[n];
          load_chunk(from + r * pitch, pair);
          stream_chunk(to + r * (along_x ? side : tile.target_row), pair);
        }
      } else {
#pragma unroll 1
        for (int r = 0; r < side; r += rows_at_once) {
          double pair[1][n];
          load_chunk(from + r * pitch, pair[0]);
          tile.store(y0 + (along_x ? 0 : row + r), x0 + (along_x ? (row + r) * side : 0) + x, pair,
                     false);  // the sums contain no -0
        }
      }
    }
    before_bulk_copies();
    __syncthreads();
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

bool fits_tensor_axis(const KernelArguments<double>& arguments) {
  const bool along_x = arguments.height == 1;
  const Shape shape(along_x, std::max(arguments.height, arguments.width),
                    along_x ? Shape::most_lead : 0);
  return shape.bytes() <= std::min(most_bytes, most_shared_bytes());
}

void launch_tensor_axis(const KernelArguments<double>& arguments,
                        const Stencil<double>& /*stencil*/, CUstream_st* stream) {
  const bool along_x = arguments.height == 1;
  const Shape shape(along_x, std::max(arguments.height, arguments.width),
                    along_x ? lead_of_tiles(arguments, Shape::sector) : 0);
  launch_runs(instance("tensor_axis.cu", template_name("tensor_axis", along_x)), arguments,
              place_tiles(arguments, shape.lead), along_x ? outputs * side : side,
              along_x ? 1 : outputs, threads, shape.bytes(), stream, shape);
}

#endif

}  // namespace stencil::cuda
