// Masks that multiply more than they read: blocks stay, and the inputs of the next tile arrive
// while one is summed. (Where memory is what binds, one tile a block is faster: tile_launch.cuh.)
#include <cuda_runtime.h>

#include "kernels/cuda/production/launch_plan.cuh"
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
__host__ __device__ constexpr PipelineTile pipeline_tile(int height, int width) {
  if (width == 1) return sizeof(T) == 4 ? PipelineTile{32, 128, 8, 1} : PipelineTile{32, 64, 8, 2};
  if (sizeof(T) == 8) return {32, 32, 4, height < 13 ? 3 : 2};
  if (height < 11) return {64, 24, 4, 3};
  return height < 13 ? PipelineTile{32, 48, 4, 2} : PipelineTile{32, 48, 2, 1};
}

template <class T, int height, int width>
struct PipelineShape : TileShape<T, width, pipeline_tile<T>(height, width).chunks * chunk<T>> {
  static constexpr PipelineTile size = pipeline_tile<T>(height, width);
  static constexpr int columns = size.chunks * chunk<T>;
  static constexpr int half = (size.rows + height - 1) * PipelineShape::pitch;
  static constexpr std::size_t bytes = sizeof(T) * 2 * half + 16;
};

template <class T, int height, int width>
__global__ void __launch_bounds__(pipeline_tile<T>(height, width).threads(),
                                  pipeline_tile<T>(height, width).blocks)
    tile_pipeline(const __grid_constant__ Sweep<T> sweep, const __grid_constant__ TilePlace place,
                  const __grid_constant__ ConstantTaps<T, height * width> taps,
                  const unsigned strips, const unsigned rows_of_tiles, const unsigned run) {
  using Shape = PipelineShape<T, height, width>;
  constexpr PipelineTile size = Shape::size;
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  const unsigned barriers =
      static_cast<unsigned>(__cvta_generic_to_shared(inputs + 2 * Shape::half));
  if (threadIdx.x < 2) make_barrier(barriers + 8 * threadIdx.x);
  __syncthreads();
  const unsigned tiles = strips * rows_of_tiles * unsigned(sweep.batches);
  const auto tile_at = [&](unsigned k) {
    const unsigned rest = k / strips;
    return Tile<T>(sweep, place, Shape::columns, size.rows, k % strips, rest % rows_of_tiles,
                   rest / rows_of_tiles);
  };
  const auto start = [&](const Tile<T>& tile, int half) {
    tile.template start<Shape>(tile.end + height - 1, width, inputs + half * Shape::half,
                               barriers + 8 * half);
  };
  const unsigned end = min((blockIdx.x + 1) * run, tiles);
  Tile<T> tile = tile_at(blockIdx.x * run);
  start(tile, 0);
  int half = 0;
  unsigned phase = 0;
  for (unsigned k = blockIdx.x * run; k < end;) {
    ++k;
    const Tile<T> next = tile_at(k < end ? k : 0);
    if (k < end) start(next, 1 - half);
    T* const mine = inputs + half * Shape::half;
    tile.template finish<Shape>(tile.end + height - 1, width, mine, barriers + 8 * half, phase);
    const int x = threadIdx.x % size.chunks * chunk<T>;
    const int y = threadIdx.x / size.chunks * size.outputs;
    T sum[size.outputs][chunk<T>];
    block_sums<height, width, Shape::sub, Shape::pitch>(mine + y * Shape::pitch + x + Shape::skip,
                                                        taps.values, sum);
    tile.store(y, x, sum);
    __syncthreads();  // all have read what the copies after the next overwrite
    half = 1 - half;
    phase ^= unsigned(half == 0);
    tile = next;
  }
}

template <class T, int height, int width>
void launch(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  using Shape = PipelineShape<T, height, width>;
  constexpr PipelineTile size = Shape::size;
  ConstantTaps<T, height * width> taps;
  std::copy(stencil.taps.begin(), stencil.taps.end(), taps.values);
  const auto kernel = tile_pipeline<T, height, width>;
  const TilePlace place = place_tiles(sweep, Shape::lead);
  const long strips = (sweep.columns + place.shift + Shape::columns - 1) / Shape::columns;
  const long rows_of_tiles = (sweep.rows + size.rows - 1) / size.rows;
  const long tiles = strips * rows_of_tiles * sweep.batches;
  const long resident =
      std::max(1, resident_blocks(kernel, size.threads(), Shape::bytes)) * long(multiprocessors());
  // runs of tiles, not all that there are: kernels of a stream of higher priority get their turn
  const long run = std::clamp(tiles / resident, 1L, longest_run);
  // fewer than 2^31 tiles in any memory: each has some thousand points
  kernel<<<unsigned((tiles + run - 1) / run), size.threads(), Shape::bytes, stream>>>(
      sweep, place, taps, unsigned(strips), unsigned(rows_of_tiles), unsigned(run));
  check_launch("cuda tile pipeline");
}

/// Launches the kernel for the stencil's height if it is one of `heights`; only asks with `sweep`
/// null.
template <class T, bool square, int height, int... heights>
bool try_launch(const Sweep<T>* sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  constexpr int width = square ? height : 1;
  if (stencil.height == height && stencil.width == width) {
    if (sweep != nullptr) launch<T, height, width>(*sweep, stencil, stream);
    return true;
  }
  if constexpr (sizeof...(heights) > 0)
    return try_launch<T, square, heights...>(sweep, stencil, stream);
  return false;
}

template <class T>
bool try_launch(const Sweep<T>* sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  if (stencil.method != Method::direct || stencil.min_valid || skips_zeros(stencil) ||
      stencil.stride != std::array<Index, 2>{1, 1})
    return false;
  return try_launch<T, true, 9, 11, 13, 15>(sweep, stencil, stream) ||
         try_launch<T, false, 41, 51, 63, 65>(sweep, stencil, stream);
}

}  // namespace

template <class T>
bool has_tile_pipeline(const Stencil<T>& stencil) {
  return try_launch<T>(nullptr, stencil, nullptr);
}

template <class T>
void launch_tile_pipeline(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  try_launch(&sweep, stencil, stream);
}

template bool has_tile_pipeline(const Stencil<float>&);
template bool has_tile_pipeline(const Stencil<double>&);
template void launch_tile_pipeline(const Sweep<float>&, const Stencil<float>&, CUstream_st*);
template void launch_tile_pipeline(const Sweep<double>&, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda
