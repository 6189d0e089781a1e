#pragma once

#include <cstddef>

#include "kernels/cuda/production/arithmetic.cuh"
#include "kernels/cuda/production/constant_sums.cuh"
#include "kernels/cuda/production/tile.cuh"

namespace stencil::cuda {

/// Layout of a tile of any mask, with or without renormalization, in shared memory: the inputs, one
/// or two sets of taps, a barrier, and one byte for every chunk of inputs.
struct AnyShape {
  int lead, skip, sub;  ///< see TileShape
  int pitch;            ///< number of elements of a row of inputs
  int inputs, taps;     ///< elements of all rows, and of one set of taps, in whole chunks
  int sets;             ///< number of sets of taps; the second set has the absolute values
  std::size_t bytes;
};

/// Number of unused inputs before a row, so that the row begins at a sector of 32 bytes, for any
/// centre of the mask. The number is less than tile_lead, because all inputs in shared memory, used
/// or not, are searched for missing points.
template <class T>
int sector_lead(const KernelArguments<T>& arguments) {
  return lead_of_tiles(arguments, 32 / int(sizeof(T)));
}

/// Number of elements of a row of inputs of a tile of `columns` columns.
template <class T>
__host__ __device__ constexpr int any_pitch(int lead, int columns, int width) {
  return (lead + columns + width - 1 + chunk<T> - 1) / chunk<T> * chunk<T>;
}

/// @param columns, rows  outputs of a tile
/// @param taps           elements of one set of taps, with padding
template <class T>
AnyShape any_shape(const KernelArguments<T>& arguments, int columns, int rows, int taps, int lead) {
  constexpr int n = chunk<T>;
  AnyShape shape{};
  shape.lead = lead;
  shape.skip = lead / n * n;
  shape.sub = lead % n;
  shape.pitch = any_pitch<T>(lead, columns, arguments.width);
  shape.inputs = shape.pitch * (rows + arguments.height - 1);
  shape.taps = (taps + n - 1) / n * n;
  shape.sets = arguments.weights.mixed ? 2 : 1;
  const int elements = shape.inputs + shape.sets * shape.taps;
  shape.bytes = sizeof(T) * std::size_t(elements) + 16 + std::size_t(shape.inputs / n);
  return shape;
}

/// The shared memory of a block that sums a tile with the layout AnyShape.
template <class T>
struct AnyMemory {
  T *inputs, *taps;
  unsigned char* missing;
  unsigned barrier;

  __device__ AnyMemory(unsigned char* memory, const AnyShape& shape)
      : inputs(reinterpret_cast<T*>(memory)), taps(inputs + shape.inputs) {
    T* const end = taps + shape.sets * shape.taps;
    barrier = static_cast<unsigned>(__cvta_generic_to_shared(end));
    missing = reinterpret_cast<unsigned char*>(end) + 16;
  }

  /// Writes a set of taps with its padding, and the absolute values if there are two sets, by all
  /// threads of the block.
  ///
  /// @param tap  tap(k) returns the value of element k of the set
  template <class Tap>
  __device__ __forceinline__ void fill_taps(const AnyShape& shape, const Tap& tap) const {
    for (int k = threadIdx.x; k < shape.taps; k += blockDim.x) {
      const T value = tap(k);
      taps[k] = value;
      if (shape.sets == 2) taps[shape.taps + k] = abs(value);
    }
  }
};

/// Computes the sums over the points of a tile, rescaled if weights are needed, by all threads of a
/// block.
///
/// For the first sums, the inputs in shared memory are the points, with 0 for missing points. For
/// the later sums, the inputs are replaced by 1 for valid and 0 for missing points. The products of
/// these numbers with the taps are exact, so a sum of taps has the same bits as an addition of the
/// taps. If no point is missing, only the first sums are computed.
///
/// @param elements  number of elements of the inputs in shared memory, a multiple of a chunk
/// @param add       `add(absolute, sum)` adds the products of the inputs in shared memory and the
///                  taps, or their absolute values, to `sum`; it may overwrite the inputs
template <class T, int rows, int columns, class Add>
__device__ __forceinline__ void sum_valid(const KernelArguments<T>& arguments,
                                          const AnyMemory<T>& memory, int elements, const Add& add,
                                          T (&sum)[rows][columns]) {
  constexpr int n = chunk<T>;
  static_assert(rows * columns <= 32);
  bool some = false;
  if (arguments.weights.wanted) {
    some = !arguments.keep_whole;
#pragma unroll 4
    for (int k = threadIdx.x; k < elements / n; k += blockDim.x) {
      T v[n], all = 0;
      load_chunk(memory.inputs + k * n, v);
      unsigned missing = 0;
#pragma unroll
      for (int e = 0; e < n; ++e) all += v[e];
      if (all != all) {  // a missing point, or infinite points of both signs
#pragma unroll
        for (int e = 0; e < n; ++e) {
          if (v[e] == v[e]) continue;
          missing |= 1u << e;
          v[e] = 0;
        }
        put_chunk(memory.inputs + k * n, v);
        some |= missing != 0;
      }
      memory.missing[k] = static_cast<unsigned char>(missing);
    }
    some = __syncthreads_or(some);
  } else {
    __syncthreads();
  }
  enum { points, shares, weights } what = points;
  T kept[rows][columns];
  unsigned lost = 0;  // a bit for each output whose weight on valid points is too small
#pragma unroll 1
  while (true) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int v = 0; v < columns; ++v) sum[r][v] = 0;
    add(what == shares, sum);
    if (what == weights) break;
    if (what == points) {
      if (!some) return;
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int v = 0; v < columns; ++v) kept[r][v] = sum[r][v];
    } else {
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int v = 0; v < columns; ++v)
          lost |=
              is_too_little(sum[r][v], arguments.weights.threshold) ? 1u << (r * columns + v) : 0;
    }
    what = what == points && arguments.weights.mixed ? shares : weights;
    __syncthreads();  // all threads have read the inputs that are replaced now
#pragma unroll 4
    for (int k = threadIdx.x; k < elements / n; k += blockDim.x) {
      const unsigned missing = memory.missing[k];
      T v[n];
#pragma unroll
      for (int e = 0; e < n; ++e) v[e] = missing >> e & 1 ? T(0) : T(1);
      put_chunk(memory.inputs + k * n, v);
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#pragma unroll
    for (int v = 0; v < columns; ++v) {
      const bool is_lost = arguments.weights.mixed
                               ? lost >> (r * columns + v) & 1
                               : is_too_little(abs(sum[r][v]), arguments.weights.threshold);
      sum[r][v] = rescaled(kept[r][v], sum[r][v], is_lost, arguments.weights.total);
    }
  }
}

/// `sum[r][k] += sum_i taps[sub + i] * from[r * pitch + sub + i + k]`, by one thread.
///
/// @param from, taps  shared memory, aligned to 16 bytes; no chunk after that of the last input is
///                    read, because another thread may be writing to it
/// @param sub  number of elements before the first tap and before the first input, less than a
///             chunk
template <bool skip_zeros, class T, int rows, int outputs>
__device__ __forceinline__ void add_shifted_row(const T* from, int pitch, const T* taps, int sub,
                                                int width, T (&sum)[rows][outputs]) {
  constexpr int n = chunk<T>, chunks = outputs / n, size = chunks + 1;
  ConstantWindow<T, rows, chunks> row{{}, sum};
#pragma unroll
  for (int c = 0; c < chunks; ++c) row.read(from + c * n, pitch, c);
  from += chunks * n;
  const int end = sub + width;
#pragma unroll 1
  for (int at = 0; at < end; at += size * n, from += size * n, taps += size * n) {
#pragma unroll
    for (int c = 0; c < size; ++c) {
      const int here = at + c * n;
      if (here >= end) break;
      T tap[n];
      load_chunk(taps + c * n, tap);
      if (here + 1 < end) row.read(from + c * n, pitch, (c + chunks) % size);
      if (!skip_zeros && here >= sub && here + n <= end) {
#pragma unroll
        for (int e = 0; e < n; ++e) row.add(tap[e], c * n + e);
        continue;
      }
#pragma unroll
      for (int e = 0; e < n; ++e) {
        if (here + e >= sub && here + e < end && (!skip_zeros || tap[e] != 0))
          row.add(tap[e], c * n + e);
      }
    }
  }
}

}  // namespace stencil::cuda
