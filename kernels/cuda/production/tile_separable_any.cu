// Both passes of a separable mask of any size, with or without renormalization, over one tile. The
// row sums overwrite their inputs in shared memory, and the column sums are computed from them.
#include "kernels/cuda/production/tile_any.cuh"
#include "kernels/cuda/production/tile_sums.cuh"
#ifndef __CUDACC_RTC__
#include <algorithm>
#include <string>
#include <vector>

#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/tile_launch.cuh"
#endif

namespace stencil::cuda {
namespace {

constexpr int chunks = 24, groups = 8, threads = chunks * groups;
constexpr int row_chunks = 3;  // chunks of one thread in the row pass; odd to avoid bank conflicts
template <class T>
constexpr int columns = chunks* chunk<T>;

/// Replaces the inputs of `rows` rows by their row sums.
///
/// @param sum_line  `sum_line(from, sum)` computes the row sums of one thread
template <class T, class SumLine>
__device__ __forceinline__ void sum_rows_in_place(T* inputs, int pitch, int rows,
                                                  const SumLine& sum_line) {
  constexpr int n = chunk<T>, row_lanes = chunks / row_chunks, at_once = 32 / row_lanes;
  const int lane = threadIdx.x % 32, line = lane / row_lanes;
  for (int row = int(threadIdx.x) / 32 * at_once; row < rows; row += threads / row_lanes) {
    const bool inside = row + line < rows;
    T* const at = inputs + (row + line) * pitch + lane % row_lanes * (row_chunks * n);
    T sum[1][row_chunks * n] = {};
    if (inside) sum_line(at, sum);
    __syncwarp();  // all threads of a row have read the inputs that the sums overwrite
    if (inside) {
#pragma unroll
      for (int c = 0; c < row_chunks; ++c) put_chunk(at + c * n, sum[0] + c * n);
    }
  }
}

/// @tparam outputs        rows of one thread in the column pass
/// @tparam height, width  sides of the mask if they are known to the compiler, else 0
/// @tparam lead           AnyShape::lead, for known sides
/// @tparam signs          whether the taps of a mask with known sides have both signs
template <class T, int outputs, bool skip_zeros, int height, int width, int lead, bool signs>
__global__ void __launch_bounds__(threads, outputs == 4 ? 6 : 4)
    tile_separable_any(const __grid_constant__ KernelArguments<T> arguments,
                       const __grid_constant__ TilePlace place,
                       const __grid_constant__ AnyShape shape,
                       const __grid_constant__ ConstantTaps<T, height + width + 1> known_taps) {
  constexpr int n = chunk<T>;
  extern __shared__ __align__(128) unsigned char bytes[];
  const AnyMemory<T> memory(bytes, shape);
  const Tile<T> tile(arguments, place, columns<T>, groups * outputs);
  const int rows = tile.end + arguments.height - 1;
  const int row_taps = (arguments.height + n - 1) / n * n;  // offset of the row taps
  if (threadIdx.x == 0) make_barrier(memory.barrier, blockDim.x);
  __syncthreads();
  tile.start(shape, rows, arguments.width, memory.inputs, memory.barrier);
  memory.fill_taps(shape, [&](int k) {
    const int i = k - row_taps - shape.sub;
    if (k < row_taps) return k < arguments.height ? arguments.column[k] : T(0);
    return i >= 0 && i < arguments.width ? arguments.row[i] : T(0);
  });
  tile.finish(shape, rows, arguments.width, memory.inputs, memory.barrier, 0);
  const int x = threadIdx.x % chunks * n, y = threadIdx.x / chunks * outputs;
  T sum[outputs][n];
  const auto add = [&](bool absolute, T(&sums)[outputs][n]) {
    if constexpr (height > 0) {
      constexpr int pitch = any_pitch<T>(lead, columns<T>, width), sub = lead % n;
      T* const inputs = memory.inputs + lead / n * n;
      const auto tap = [&](T value) { return signs && absolute ? abs(value) : value; };
      sum_rows_in_place(inputs, pitch, rows, [&](const T* from, auto& sum_of_row) {
        add_line_sums<width, sub>(from, 0, known_taps.values + height, sum_of_row, tap);
      });
      __syncthreads();
      block_sums<height, 1, 0, pitch>(inputs + y * pitch + x, known_taps.values, sums, tap);
    } else {
      const T* const taps = memory.taps + (absolute ? shape.taps : 0);
      T* const inputs = memory.inputs + shape.skip;
      sum_rows_in_place(inputs, shape.pitch, rows, [&](const T* from, auto& sum_of_row) {
        add_shifted_row<skip_zeros>(from, 0, taps + row_taps, shape.sub, arguments.width,
                                    sum_of_row);
      });
      __syncthreads();
      add_constant_column<skip_zeros>(inputs + y * shape.pitch + x, shape.pitch, taps,
                                      arguments.height, sums);
    }
  };
  sum_valid(arguments, memory, rows * shape.pitch, add, sum);
  tile.store(y, x, sum);
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

/// Returns whether the kernel is compiled for the sides of the mask.
template <class T>
bool knows_sides(const KernelArguments<T>& arguments) {
  constexpr int most_side = 33;
  return arguments.weights.wanted && !arguments.skip_zeros &&
         std::max(arguments.height, arguments.width) <= most_side;
}

/// Returns the rows of one thread. Neighbouring tiles both compute the row sums of the halo, so
/// taller masks have taller tiles.
template <class T>
int outputs_for(const KernelArguments<T>& arguments) {
  return arguments.height <= 13 ? 4 : 8;
}

template <class T>
AnyShape shape_for(const KernelArguments<T>& arguments) {
  constexpr int n = chunk<T>;
  const int lead = sector_lead(arguments);
  const int taps =
      (arguments.height + n - 1) / n * n + (lead % n + arguments.width + n - 1) / n * n;
  return any_shape(arguments, columns<T>, groups * outputs_for(arguments),
                   knows_sides(arguments) ? 0 : taps, lead);
}

}  // namespace

template <class T>
bool fits_tile_separable_any(const KernelArguments<T>& arguments) {
  // beyond these sides no tile fits, and the number of bytes could overflow
  return arguments.height < 10000 && arguments.width < 10000 &&
         shape_for(arguments).bytes <= most_shared_bytes();
}

template <class T>
void launch_tile_separable_any(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                               CUstream_st* stream) {
  const AnyShape shape = shape_for(arguments);
  const int outputs = outputs_for(arguments);
  const bool known = knows_sides(arguments);
  const int height = known ? arguments.height : 0, width = known ? arguments.width : 0;
  std::vector<T> taps(stencil.column.begin(), stencil.column.begin() + height);
  taps.insert(taps.end(), stencil.row.begin(), stencil.row.begin() + width);
  taps.push_back(0);
  const std::string name =
      instance_name<T>("tile_separable_any", outputs, arguments.skip_zeros, height, width,
                       known ? shape.lead : 0, known && arguments.weights.mixed);
  launch_tiles(instance("tile_separable_any.cu", name), arguments,
               place_tiles(arguments, shape.lead), columns<T>, groups * outputs, threads,
               shape.bytes, stream, shape, taps);
}

template bool fits_tile_separable_any(const KernelArguments<float>&);
template bool fits_tile_separable_any(const KernelArguments<double>&);
template void launch_tile_separable_any(const KernelArguments<float>&, const Stencil<float>&,
                                        CUstream_st*);
template void launch_tile_separable_any(const KernelArguments<double>&, const Stencil<double>&,
                                        CUstream_st*);

#endif

}  // namespace stencil::cuda
