// Both passes of a wide separable mask: a block walks down a run of tiles and keeps the row sums
// that the next tile shares with this one, so none is computed twice but at the start of a run. The
// next inputs arrive while the column sums are taken. (Where memory is what binds, tiles on their
// own are faster: tile_separable.cu.)
#include <cuda_runtime.h>

#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/one_of.hpp"
#include "kernels/cuda/production/tile.cuh"
#include "kernels/cuda/production/tile_sums.cuh"

namespace stencil::cuda {
namespace {

constexpr int chunks = 24;     // of columns of a tile
constexpr int row_chunks = 3;  // of one thread in the row pass; odd, so that banks do not collide
constexpr int threads = 192;   // whole rounds of 24 rows in the row pass, one in the column pass
constexpr int row_lanes = chunks / row_chunks;

template <class T, int side>
struct RunShape : TileShape<T, side, chunks * chunk<T>> {
  static constexpr int outputs = side <= 49 ? 6 : 9;  ///< rows of one thread in the column pass
  static constexpr int rows = threads / chunks * outputs;
  static constexpr int columns = chunks * chunk<T>, kept = side - 1;
  static_assert(kept <= rows, "rows of sums move to where others were");
  static constexpr int inputs = rows * RunShape::pitch, sums = (rows + kept) * columns;
  static constexpr std::size_t bytes = sizeof(T) * (inputs + sums) + 16;
};

template <class Shape, int side, class T>
__device__ __forceinline__ void sum_rows(const T* inputs, const T* taps, int rows, T* sums) {
  constexpr int n = chunk<T>;
  const int x = threadIdx.x % row_lanes * (row_chunks * n);
  for (int row = threadIdx.x / row_lanes; row < rows; row += threads / row_lanes) {
    T sum[row_chunks * n];
    line_sums<side, Shape::sub>(inputs + row * Shape::pitch + Shape::skip + x, taps, sum);
#pragma unroll
    for (int c = 0; c < row_chunks; ++c)
      put_chunk(sums + row * Shape::columns + x + c * n, sum + c * n);
  }
}

template <class T, int side>
__global__ void __launch_bounds__(threads, 3)
    tile_separable_run(const __grid_constant__ Sweep<T> sweep,
                       const __grid_constant__ TilePlace place,
                       const __grid_constant__ ConstantTaps<T, 2 * side> taps, const int run) {
  using Shape = RunShape<T, side>;
  constexpr int n = chunk<T>, kept = Shape::kept;
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  T* const sums = inputs + Shape::inputs;
  const unsigned barrier = static_cast<unsigned>(__cvta_generic_to_shared(sums + Shape::sums));
  if (threadIdx.x == 0) make_barrier(barrier);
  __syncthreads();
  const auto tile_at = [&](int k) {
    return Tile<T>(sweep, place, Shape::columns, Shape::rows, blockIdx.x, k, blockIdx.z);
  };
  const int first = blockIdx.y * run;
  const int last = min(first + run, int((sweep.rows + Shape::rows - 1) / Shape::rows));
  Tile<T> tile = tile_at(first);
  tile.start(Shape{}, kept, side, inputs, barrier);
  int count = kept;  // rows of inputs on their way
  unsigned phase = 0;
  for (int k = first - 1;; ++k, phase ^= 1) {
    const bool starts = k < first;  // the rows above the first tile
    tile.finish(Shape{}, count, side, inputs, barrier, phase);
    sum_rows<Shape, side>(inputs, taps.values + side, count,
                          starts ? sums : sums + kept * Shape::columns);
    __syncthreads();
    Tile<T> next = tile_at(k + 1);
    next.source += kept * sweep.source_row;
    if (k + 1 < last) next.start(Shape{}, next.end, side, inputs, barrier);
    if (!starts) {
      const int x = threadIdx.x % chunks * n, y = threadIdx.x / chunks * Shape::outputs;
      T sum[Shape::outputs][n];
      block_sums<side, 1, 0, Shape::columns>(sums + y * Shape::columns + x, taps.values, sum);
      tile.store(y, x, sum);
      if (k + 1 == last) break;
      __syncthreads();
      for (int i = threadIdx.x * n; i < kept * Shape::columns; i += threads * n) {
        T moved[n];
        load_chunk(sums + Shape::rows * Shape::columns + i, moved);
        put_chunk(sums + i, moved);
      }
      __syncthreads();
    }
    tile = next;
    count = tile.end;
  }
}

template <class T, int side>
void launch(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  using Shape = RunShape<T, side>;
  ConstantTaps<T, 2 * side> taps;
  std::copy(stencil.column.begin(), stencil.column.end(), taps.values);
  std::copy(stencil.row.begin(), stencil.row.end(), taps.values + side);
  const auto kernel = tile_separable_run<T, side>;
  const TilePlace place = place_tiles(sweep, Shape::lead);
  const long strips = (sweep.columns + place.shift + Shape::columns - 1) / Shape::columns;
  const long tiles = (sweep.rows + Shape::rows - 1) / Shape::rows;
  const long resident =
      std::max(1, resident_blocks(kernel, threads, Shape::bytes)) * long(multiprocessors());
  const long run = best_run(tiles, strips * sweep.batches, resident, Shape::rows, Shape::kept);
  const dim3 blocks(unsigned(strips), unsigned((tiles + run - 1) / run), unsigned(sweep.batches));
  kernel<<<blocks, threads, Shape::bytes, stream>>>(sweep, place, taps, int(run));
  check_launch("cuda separable run of tiles");
}

}  // namespace

template <class T>
bool try_tile_separable_run(const Sweep<T>* sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  if (!is_plain(stencil, Method::separable) || stencil.height != stencil.width) return false;
  const auto use = [&](auto side) {
    if (sweep != nullptr) launch<T, side>(*sweep, stencil, stream);
  };
  // larger ones are faster on tensor cores in float64
  if constexpr (sizeof(T) == 8) return with_one_of<23, 25, 27, 29, 31, 33>(stencil.height, use);
  return with_one_of<22, 23, 24, 25, 27, 28, 29, 31, 32, 33, 37, 41, 49, 57, 64, 65>(stencil.height,
                                                                                     use);
}

template bool try_tile_separable_run(const Sweep<float>*, const Stencil<float>&, CUstream_st*);
template bool try_tile_separable_run(const Sweep<double>*, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda
