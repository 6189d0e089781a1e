// Squares that multiply more than they read: blocks sum a run of tiles, and the inputs of the next
// one arrive while one is summed. (Where memory is what binds, one tile a block is faster:
// tile_launch.cuh.)
#include <cuda_runtime.h>

#include "kernels/cuda/production/one_of.hpp"
#include "kernels/cuda/production/tile_run.cuh"
#include "kernels/cuda/production/tile_sums.cuh"

namespace stencil::cuda {
namespace {

/// Chunks of columns and rows of a tile, rows of one thread, and blocks that should fit on a
/// multiprocessor. Each choice was the fastest of some on an H200.
struct PipelineTile {
  int chunks, rows, outputs, blocks;
  __host__ __device__ constexpr int threads() const { return chunks * rows / outputs; }
};

template <class T>
__host__ __device__ constexpr PipelineTile pipeline_tile(int side) {
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
                  const __grid_constant__ TileRuns runs,
                  const __grid_constant__ ConstantTaps<T, side * side> taps) {
  using Shape = PipelineShape<T, side>;
  constexpr PipelineTile size = Shape::size;
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  const unsigned barriers =
      static_cast<unsigned>(__cvta_generic_to_shared(inputs + 2 * Shape::half));
  if (threadIdx.x < 2) make_barrier(barriers + 8 * threadIdx.x);
  __syncthreads();
  TileRun<T> run(runs, sweep);
  const auto this_tile = [&] { return run.tile(sweep, place, Shape::columns, size.rows); };
  const auto start = [&](const Tile<T>& tile, int half) {
    tile.start(Shape{}, tile.end + side - 1, side, inputs + half * Shape::half,
               barriers + 8 * half);
  };
  Tile<T> tile = this_tile();
  start(tile, 0);
  int half = 0;
  unsigned phase = 0;
  while (run.more()) {
    run.advance();
    const Tile<T> next = this_tile();
    if (run.more()) start(next, 1 - half);
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
  launch_runs(tile_pipeline<T, side>, sweep, place_tiles(sweep, Shape::lead), Shape::columns,
              size.rows, size.threads(), Shape::bytes, "cuda tile pipeline", stream, taps);
}

}  // namespace

template <class T>
bool try_tile_pipeline(const Sweep<T>* sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  if (!is_plain(stencil, Method::direct) || stencil.height != stencil.width) return false;
  // larger ones are faster in tiles on their own (tile_wide.cu), float64 on tensor cores
  if constexpr (sizeof(T) == 8) return false;
  return with_one_of<8, 9, 10, 11>(stencil.height, [&](auto side) {
    if (sweep != nullptr) launch<T, side>(*sweep, stencil, stream);
  });
}

template bool try_tile_pipeline(const Sweep<float>*, const Stencil<float>&, CUstream_st*);
template bool try_tile_pipeline(const Sweep<double>*, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda
