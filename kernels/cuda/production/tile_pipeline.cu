// Squares that multiply more than they read: blocks sum a run of tiles, and the inputs of the next
// one arrive while one is summed. (Where memory is what binds, one tile a block is faster:
// tile_launch.cuh.)
#include <cuda_runtime.h>

#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/one_of.hpp"
#include "kernels/cuda/production/tile.cuh"
#include "kernels/cuda/production/tile_sums.cuh"

namespace stencil::cuda {
namespace {

/// Chunks of columns and rows of a tile, rows of one thread, and blocks that should fit on a
/// multiprocessor. Each choice was the fastest of some on an H200.
struct PipelineTile {
  int chunks, rows, outputs, blocks;
  __host__ __device__ constexpr int threads() const { return chunks * rows / outputs; }
};

constexpr long longest_run = 8;  // tiles of one block

template <class T>
__host__ __device__ constexpr PipelineTile pipeline_tile(int side) {
  if (sizeof(T) == 8) return {32, 32, 4, side < 13 ? 3 : 2};
  if (side < 11) return {64, 24, 4, 3};
  return {32, 48, 4, 2};
}

template <class T, int side>
struct PipelineShape : TileShape<T, side, pipeline_tile<T>(side).chunks * chunk<T>> {
  static constexpr PipelineTile size = pipeline_tile<T>(side);
  static constexpr int columns = size.chunks * chunk<T>;
  static constexpr int half = (size.rows + side - 1) * PipelineShape::pitch;
  static constexpr std::size_t bytes = sizeof(T) * 2 * half + 16;
};

template <class T, int side>
__global__ void __launch_bounds__(pipeline_tile<T>(side).threads(), pipeline_tile<T>(side).blocks)
    tile_pipeline(const __grid_constant__ Sweep<T> sweep, const __grid_constant__ TilePlace place,
                  const __grid_constant__ ConstantTaps<T, side * side> taps, const unsigned strips,
                  const unsigned rows_of_tiles, const unsigned run) {
  using Shape = PipelineShape<T, side>;
  constexpr PipelineTile size = Shape::size;
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  const unsigned barriers =
      static_cast<unsigned>(__cvta_generic_to_shared(inputs + 2 * Shape::half));
  if (threadIdx.x < 2) make_barrier(barriers + 8 * threadIdx.x);
  __syncthreads();
  const unsigned tiles = strips * rows_of_tiles * unsigned(sweep.batches);
  unsigned strip = blockIdx.x * run % strips, row = blockIdx.x * run / strips % rows_of_tiles;
  unsigned batch = blockIdx.x * run / strips / rows_of_tiles;
  const auto this_tile = [&] {
    return Tile<T>(sweep, place, Shape::columns, size.rows, strip, row, batch);
  };
  const auto start = [&](const Tile<T>& tile, int half) {
    tile.start(Shape{}, tile.end + side - 1, side, inputs + half * Shape::half,
               barriers + 8 * half);
  };
  const unsigned end = min((blockIdx.x + 1) * run, tiles);
  Tile<T> tile = this_tile();
  start(tile, 0);
  int half = 0;
  unsigned phase = 0;
  for (unsigned k = blockIdx.x * run; k < end;) {
    if (++strip == strips) {
      strip = 0;
      if (++row == rows_of_tiles) row = 0, ++batch;
    }
    const Tile<T> next = this_tile();
    if (++k < end) start(next, 1 - half);
    T* const mine = inputs + half * Shape::half;
    tile.finish(Shape{}, tile.end + side - 1, side, mine, barriers + 8 * half, phase);
    const int x = threadIdx.x % size.chunks * chunk<T>;
    const int y = threadIdx.x / size.chunks * size.outputs;
    T sum[size.outputs][chunk<T>];
    block_sums<side, side, Shape::sub, Shape::pitch>(mine + y * Shape::pitch + x + Shape::skip,
                                                     taps.values, sum);
    tile.store(y, x, sum);
    __syncthreads();  // all have read what the copies after the next overwrite
    half = 1 - half;
    phase ^= unsigned(half == 0);
    tile = next;
  }
}

template <class T, int side>
void launch(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  using Shape = PipelineShape<T, side>;
  constexpr PipelineTile size = Shape::size;
  ConstantTaps<T, side * side> taps;
  std::copy(stencil.taps.begin(), stencil.taps.end(), taps.values);
  const auto kernel = tile_pipeline<T, side>;
  const TilePlace place = place_tiles(sweep, Shape::lead);
  const long strips = (sweep.columns + place.shift + Shape::columns - 1) / Shape::columns;
  const long rows_of_tiles = (sweep.rows + size.rows - 1) / size.rows;
  const long tiles = strips * rows_of_tiles * sweep.batches;
  const long resident =
      std::max(1, resident_blocks(kernel, size.threads(), Shape::bytes)) * long(multiprocessors());
  // runs of tiles, not all that there are: kernels of a stream of higher priority get their turn
  const long run = std::clamp(tiles / resident, 1L, longest_run);
  // fewer than 2^31 tiles in any memory: each has 24 points or more, and some thousand as a rule
  kernel<<<unsigned((tiles + run - 1) / run), size.threads(), Shape::bytes, stream>>>(
      sweep, place, taps, unsigned(strips), unsigned(rows_of_tiles), unsigned(run));
  check_launch("cuda tile pipeline");
}

}  // namespace

template <class T>
bool try_tile_pipeline(const Sweep<T>* sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  if (!is_plain(stencil, Method::direct) || stencil.height != stencil.width) return false;
  const auto use = [&](auto side) {
    if (sweep != nullptr) launch<T, side>(*sweep, stencil, stream);
  };
  // in float32 larger ones are faster in tiles on their own (tile_wide.cu)
  if constexpr (sizeof(T) == 4) return with_one_of<9, 11>(stencil.height, use);
  return with_one_of<9, 11, 13, 15>(stencil.height, use);
}

template bool try_tile_pipeline(const Sweep<float>*, const Stencil<float>&, CUstream_st*);
template bool try_tile_pipeline(const Sweep<double>*, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda
