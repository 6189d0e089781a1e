// 2D masks for which multiplying takes somewhat longer than reading. A warp walks down a strip;
// each lane computes four columns. Every row of inputs is added to the sums of all outputs that
// need the row. The sums are in registers.
#include "kernels/cuda/production/strip.cuh"
#include "kernels/cuda/production/tile_sums.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#endif

namespace stencil::cuda {
namespace {

/// Amounts of work of a warp. Each value was the fastest of those tried on an H200.
struct DenseShape {
  /// Numbers of columns of a lane and of a warp.
  static constexpr int columns = 4, width = 32 * columns;
  static constexpr int slots = 2;  ///< slots of inputs: one is read while the other is filled
  /// Rows of inputs that use the same loaded taps. More than one row is used only if the taps fit
  /// into uniform registers, and if moving the taps does not take longer than loading them again.
  int unrolled;
  int pitch, slot;  ///< numbers of elements of a row of inputs, and of a box of them
  int ahead;        ///< number of rows of inputs before the first row that completes an output
  /// Number of blocks on a multiprocessor. More blocks would fit, but they would access more
  /// addresses at the same time, which is slower: a mask of 8 x 8 runs at 380e9 points per second
  /// with all blocks that fit, and at 416e9 with 12 blocks. For smaller masks fewer blocks are
  /// better: 7 x 7 runs at 430e9 points per second with 12 blocks, and at 446e9 with 8.
  int blocks;
};

template <class T>
__host__ __device__ constexpr DenseShape dense_shape(int height, int width, int lead) {
  constexpr int n = chunk<T>, columns = DenseShape::columns;
  DenseShape shape{};
  shape.unrolled = height * width <= 81 ? 2 : 1;
  const int pieces =
      // number of pieces of 16 bytes that a lane reads of each row
      (lead + columns + width - 1 + n - 1) / n;
  shape.pitch = DenseShape::width - columns + n * pieces;
  shape.slot = (box_rows * shape.pitch + 31) / 32 * 32;
  shape.ahead = (height - 1 + box_rows - 1) / box_rows * box_rows;
  shape.blocks = height * width <= 49 ? 8 : 12;
  return shape;
}

/// Adds some rows of inputs to the sums, and shifts the sums by the same number of rows. The shift
/// takes no time, because the loop is unrolled.
///
/// @param sum   sums of outputs to which 1, 2, ... rows have been added
/// @param done  sums that become complete with each of the rows
template <int height, int width, int lead, int rows, int pitch, class T, int columns>
__device__ __forceinline__ void add_rows(const T* from, const T* taps,
                                         T (&sum)[height - 1][columns], T (&done)[rows][columns]) {
  constexpr int n = chunk<T>, pieces = (lead + columns + width - 1 + n - 1) / n;
  T window[rows][n * pieces], moved[height - 1][columns];
#pragma unroll
  for (int r = 0; r < rows; ++r)
#pragma unroll
    for (int q = 0; q < pieces; ++q) load_chunk(from + r * pitch + n * q, window[r] + n * q);
      // `met` rows have been added to the output of this iteration. `met` is negative for outputs
      // that begin with a row after the first one.
#pragma unroll
  for (int met = height - 1; met > -rows; --met) {
    T v[columns];
#pragma unroll
    for (int c = 0; c < columns; ++c) v[c] = met > 0 ? sum[met - 1][c] : T(0);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int j = met + r;
      if (j < 0 || j >= height) continue;
#pragma unroll
      for (int k = 0; k < width; ++k)
#pragma unroll
        for (int c = 0; c < columns; ++c)
          v[c] = fused(taps[j * width + k], window[r][lead + c + k], v[c]);
    }
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      if (met + rows < height) {
        moved[met + rows - 1][c] = v[c];
      } else {
        done[height - 1 - met][c] = v[c];
      }
    }
  }
#pragma unroll
  for (int j = 0; j < height - 1; ++j)
#pragma unroll
    for (int c = 0; c < columns; ++c) sum[j][c] = moved[j][c];
}

/// @param lead  number of elements before the first input; see StripPlan
template <class T, int height, int width, int lead>
__global__ void __launch_bounds__(32, dense_shape<T>(height, width, lead).blocks)
    strip_dense(const __grid_constant__ InputMap map, const __grid_constant__ StripPlan<T> plan,
                const __grid_constant__ ConstantTaps<T, height * width> taps) {
  constexpr DenseShape shape = dense_shape<T>(height, width, lead);
  constexpr int columns = shape.columns, unrolled = shape.unrolled;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ __align__(8) unsigned long long barriers[shape.slots];
  T* const inputs = reinterpret_cast<T*>(memory);
  const unsigned barrier = unsigned(__cvta_generic_to_shared(barriers));
  const int lane = threadIdx.x, x = lane * columns;
  const StripPart<T, shape.width> part(plan);
  if (part.rows <= 0) return;
  const unsigned exist = part.outputs_at(x, columns);
  T* to = part.target - shape.ahead * plan.target_row + x;
  const auto fetch = [&](int row, int slot) {
    part.fetch(map, plan, height, row, inputs + slot * shape.slot, shape.pitch, barrier + 8 * slot);
  };
  if (lane < shape.slots) make_barrier(barrier + 8 * lane, 32);
  __syncwarp();

  T sum[height - 1][columns] = {};
  fetch(-shape.ahead, 0);
  unsigned phase = 0;
  // rows of the first box that the part's outputs do not need
  int slot = 0, skip = (shape.ahead - (height - 1)) / unrolled * unrolled;
#pragma unroll 1
  for (int row = -shape.ahead; row < part.rows; row += box_rows, skip = 0) {
    await_together(barrier + 8 * slot, phase);
    __syncwarp();
    const T* const begin = inputs + slot * shape.slot + x;
    const T* from = begin + skip * shape.pitch;
    const int wanted = (min(box_rows, part.rows - row) + unrolled - 1) / unrolled * unrolled;
    const T* const end = begin + wanted * shape.pitch;
    phase ^= slot;
    slot ^= 1;
    // the inputs in this slot have been summed
    if (row + box_rows < part.rows) fetch(row + box_rows, slot);
    int at = row + skip;
    to += skip * plan.target_row;
    const auto sum_rows = [&](auto store) {
#pragma unroll 1
      for (; from != end; from += unrolled * shape.pitch, at += unrolled) {
        T done[unrolled][columns];
        add_rows<height, width, lead, unrolled, shape.pitch>(from, taps.values, sum, done);
#pragma unroll
        for (int r = 0; r < unrolled; ++r, to += plan.target_row) store(at + r, done[r]);
      }
    };
    if (part.whole && row >= 0 && row + box_rows <= part.rows) {
      sum_rows([&](int, const T(&v)[columns]) { store_clean(to, v); });
    } else {
      sum_rows([&](int y, const T(&v)[columns]) {
        part.store(to, unsigned(y) < unsigned(part.rows) ? exist : 0, v);
      });
    }
    __syncwarp();
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

template <class T>
bool fits_strip_dense(const KernelArguments<T>& arguments) {
  return arguments.height > 1 && can_map_inputs(arguments);
}

template <class T>
void launch_strip_dense(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                        CUstream_st* stream) {
  const int height = arguments.height, width = arguments.width, lead = strip_lead(arguments);
  const DenseShape shape = dense_shape<T>(height, width, lead);
  const std::size_t bytes = sizeof(T) * std::size_t(shape.slots) * shape.slot;
  const StripCut cut{shape.blocks, shape.unrolled, sizeof(T) == 8 || height * width <= 81, true};
  launch_strips(instance("strip_dense.cu", instance_name<T>("strip_dense", height, width, lead)),
                arguments, plan_strips(arguments), shape.width, shape.pitch,
                std::max(bytes, shared_bytes_of_one_of(shape.blocks)), cut, stream, stencil.taps);
}

template bool fits_strip_dense(const KernelArguments<float>&);
template bool fits_strip_dense(const KernelArguments<double>&);
template void launch_strip_dense(const KernelArguments<float>&, const Stencil<float>&,
                                 CUstream_st*);
template void launch_strip_dense(const KernelArguments<double>&, const Stencil<double>&,
                                 CUstream_st*);

#endif

}  // namespace stencil::cuda
