// Sums of two or three separable masks over one tile: the row sums of every term but the last go to
// planes of their own in shared memory, those of the last take the places of their inputs, and the
// column sums come out of all of them, row by row of the mask, term by term.
#include <cuda_runtime.h>

#include "kernels/cuda/production/constant_sums.cuh"
#include "kernels/cuda/production/tile_launch.cuh"

namespace stencil::cuda {
namespace {

constexpr int lines = 8, outputs = 8, rows = lines * outputs;  // of the column pass
constexpr int row_chunks = 3;    // of one thread in the row pass; odd, so that banks do not collide
constexpr int rows_at_once = 2;  // of one thread in the row pass
constexpr std::size_t most_bytes = 112 << 10;  ///< of shared memory, for two blocks

/// Chunks of columns of a tile, one for each thread of a line. Fewer where there are more planes.
template <int terms>
constexpr int lanes = terms == 2 ? 24 : 12;
template <int terms>
constexpr int threads = lanes<terms>* lines;
template <class T, int terms>
constexpr int columns = lanes<terms>* chunk<T>;

/// Of the inputs in shared memory.
template <class T, int terms>
struct SumShape {
  static constexpr int lead = 0, unit = 16 / int(sizeof(T));
  int pitch;
  __host__ __device__ explicit SumShape(int width)
      : pitch((columns<T, terms> + BandTaps<T>::pitch(width) + unit - 1) / unit * unit) {}
};

/// Elements of shared memory for so many rows: the inputs and a plane for each term but one.
template <class T, int terms>
std::size_t elements(const Sweep<T>& sweep) {
  // rows beyond the last are read, though not used
  const std::size_t all = rows + sweep.height - 1 + rows_at_once;
  return all * (SumShape<T, terms>(sweep.width).pitch + (terms - 1) * columns<T, terms>);
}

/// Where the taps of the rows begin behind those of the columns, which lie term beside term.
__host__ __device__ inline int rows_begin(int terms, int height) {
  return (terms * height + 3) / 4 * 4;
}

/// Row sums of `count` rows: of all terms but the last to the planes, of that one in place.
template <int terms, class T>
__device__ __forceinline__ void sum_rows(T* inputs, int pitch, T* planes, int plane, const T* taps,
                                         int width, int count) {
  constexpr int n = chunk<T>, row_lanes = lanes<terms> / row_chunks, across = columns<T, terms>;
  constexpr int step = threads<terms> / row_lanes * rows_at_once;
  const int x = threadIdx.x % row_lanes * (row_chunks * n);
  for (int first = 0; first < count; first += step) {
    const int row = first + int(threadIdx.x) / row_lanes * rows_at_once;
    T* const from = inputs + row * pitch + x;
#pragma unroll
    for (int term = 0; term < terms; ++term) {
      T sum[rows_at_once][row_chunks * n] = {};
      if (row < count)
        add_constant_row<false>(from, pitch, taps + term * BandTaps<T>::pitch(width), width, sum);
      const bool last = term + 1 == terms;
      if (last) __syncwarp();  // all threads of a row have read what its sums overwrite
      T* const to = last ? from : planes + term * plane + row * across + x;
#pragma unroll
      for (int r = 0; r < rows_at_once; ++r) {
        if (row + r >= count) continue;
#pragma unroll
        for (int c = 0; c < row_chunks; ++c)
          put_chunk(to + r * (last ? pitch : across) + c * n, sum[r] + c * n);
      }
    }
  }
}

/// `sum[r][v] += sum_j sum_k taps[j][k] * from[k][(r + j) * pitch[k] + v]`, by one thread.
template <int terms, class T>
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

template <class T, int terms>
__global__ void __launch_bounds__(threads<terms>, terms == 2 ? 3 : 4)
    tile_separable_sum(const __grid_constant__ Sweep<T> sweep,
                       const __grid_constant__ TilePlace place,
                       const __grid_constant__ BandTaps<T> taps) {
  constexpr int n = chunk<T>, across = columns<T, terms>;
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  const SumShape<T, terms> shape(sweep.width);
  const int all = rows + sweep.height - 1 + rows_at_once, plane = all * across;
  T* const planes = inputs + all * shape.pitch;
  const Tile<T> tile(sweep, place, across, rows);
  const int count = tile.end + sweep.height - 1;
  tile.load(shape, count, sweep.width, inputs, planes + (terms - 1) * plane);
  sum_rows<terms>(inputs, shape.pitch, planes, plane, taps.values + rows_begin(terms, sweep.height),
                  sweep.width, count);
  __syncthreads();
  const int x = threadIdx.x % lanes<terms> * n, y = threadIdx.x / lanes<terms> * outputs;
  const T* from[terms];
  int pitch[terms];
#pragma unroll
  for (int term = 0; term < terms; ++term) {
    const bool last = term + 1 == terms;
    pitch[term] = last ? shape.pitch : across;
    from[term] = (last ? inputs : planes + term * plane) + y * pitch[term] + x;
  }
  T sum[outputs][n] = {};
  if (sweep.resume) tile.resume(y, x, sum);
  add_columns<terms>(from, pitch, taps.values, sweep.height, sum);
  tile.store(y, x, sum, sweep.finish);
}

template <class T, int terms>
void launch(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  BandTaps<T> band;
  const int row_pitch = BandTaps<T>::pitch(sweep.width);
  for (int term = 0; term < terms; ++term) {
    const T* const column = stencil.column.data() + term * stencil.height + sweep.first_tap;
    for (int j = 0; j < sweep.height; ++j) band.values[j * terms + term] = column[j];
    std::copy_n(stencil.row.data() + term * stencil.width, sweep.width,
                band.values + rows_begin(terms, sweep.height) + term * row_pitch);
  }
  const std::size_t bytes = sizeof(T) * elements<T, terms>(sweep) + 16;
  launch_tiles(tile_separable_sum<T, terms>, sweep, place_tiles(sweep, 0), columns<T, terms>, rows,
               threads<terms>, bytes, "cuda sum of separable", stream, band);
}

}  // namespace

template <class T>
bool fits_tile_separable_sum(const Sweep<T>& sweep) {
  const int terms = sweep.terms,
            taps = rows_begin(terms, sweep.height) + terms * BandTaps<T>::pitch(sweep.width);
  const std::size_t all = terms == 2 ? elements<T, 2>(sweep) : elements<T, 3>(sweep);
  return taps <= BandTaps<T>::most &&
         sizeof(T) * all + 16 <= std::min(most_bytes, most_shared_bytes());
}

template <class T>
void launch_tile_separable_sum(const Sweep<T>& sweep, const Stencil<T>& stencil,
                               CUstream_st* stream) {
  if (sweep.terms == 2) return launch<T, 2>(sweep, stencil, stream);
  launch<T, 3>(sweep, stencil, stream);
}

template bool fits_tile_separable_sum(const Sweep<float>&);
template bool fits_tile_separable_sum(const Sweep<double>&);
template void launch_tile_separable_sum(const Sweep<float>&, const Stencil<float>&, CUstream_st*);
template void launch_tile_separable_sum(const Sweep<double>&, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda
