// Squares that multiply somewhat more than they read: a warp walks down a strip of columns, four in
// each lane, and adds every row of inputs to the sums of all outputs that need it, in registers.
#include <cuda_runtime.h>

#include "kernels/cuda/production/one_of.hpp"
#include "kernels/cuda/production/strip.cuh"
#include "kernels/cuda/production/tile_sums.cuh"

namespace stencil::cuda {
namespace {

/// What a warp has at once. Each choice was the fastest of some on an H200.
template <class T, int side, int lead>
struct DenseShape {
  static constexpr int n = chunk<T>, columns = 4, width = 32 * columns;
  /// Rows of inputs that use the same loaded taps, as long as the taps fit into uniform registers
  /// and moving them does not take longer than loading them again.
  static constexpr int unrolled = side <= 9 ? 2 : 1;
  /// 16 bytes that a lane reads of each row.
  static constexpr int pieces = (lead + columns + side - 1 + n - 1) / n;
  static constexpr int pitch = width - columns + n * pieces,
                       slot = (box_rows * pitch + 31) / 32 * 32;
  static constexpr int slots = 2;  ///< of inputs: one is summed, the other arrives
  static constexpr int ahead = (side - 1 + box_rows - 1) / box_rows * box_rows;
  /// Blocks of a multiprocessor. More would fit, but would read and write in more places at once: 8
  /// x 8 with as many as fit runs at 380 Gpt/s instead of 416. This matters more for small masks: 7
  /// x 7 runs at 430 with 12 blocks, at 446 with 8.
  static constexpr int blocks = side <= 7 ? 8 : 12;
};

/// Adds some rows of inputs to the sums, and moves the sums by the same number of places, which
/// takes no time.
///
/// @param sum   of outputs to which 1, 2 ... rows were added
/// @param done  those that are complete with each row
template <int side, int lead, int rows, int pitch, class T, int columns>
__device__ __forceinline__ void add_rows(const T* from, const T* taps, T (&sum)[side - 1][columns],
                                         T (&done)[rows][columns]) {
  constexpr int n = chunk<T>, pieces = (lead + columns + side - 1 + n - 1) / n;
  T window[rows][n * pieces], moved[side - 1][columns];
#pragma unroll
  for (int r = 0; r < rows; ++r)
#pragma unroll
    for (int q = 0; q < pieces; ++q) load_chunk(from + r * pitch + n * q, window[r] + n * q);
      // Outputs to which `met` rows were added; for outputs that begin with a later row than the
      // first it is below 0.
#pragma unroll
  for (int met = side - 1; met > -rows; --met) {
    T v[columns];
#pragma unroll
    for (int c = 0; c < columns; ++c) v[c] = met > 0 ? sum[met - 1][c] : T(0);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int j = met + r;
      if (j < 0 || j >= side) continue;
#pragma unroll
      for (int k = 0; k < side; ++k)
#pragma unroll
        for (int c = 0; c < columns; ++c)
          v[c] = fused(taps[j * side + k], window[r][lead + c + k], v[c]);
    }
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      if (met + rows < side) {
        moved[met + rows - 1][c] = v[c];
      } else {
        done[side - 1 - met][c] = v[c];
      }
    }
  }
#pragma unroll
  for (int j = 0; j < side - 1; ++j)
#pragma unroll
    for (int c = 0; c < columns; ++c) sum[j][c] = moved[j][c];
}

/// @param lead  as in the plan
template <class T, int side, int lead>
__global__ void __launch_bounds__(32, DenseShape<T, side, lead>::blocks)
    strip_dense(const __grid_constant__ CUtensorMap map, const __grid_constant__ StripPlan<T> plan,
                const __grid_constant__ ConstantTaps<T, side * side> taps) {
  using Shape = DenseShape<T, side, lead>;
  constexpr int columns = Shape::columns, unrolled = Shape::unrolled;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ __align__(8) unsigned long long barriers[Shape::slots];
  T* const inputs = reinterpret_cast<T*>(memory);
  const unsigned barrier = unsigned(__cvta_generic_to_shared(barriers));
  const int lane = threadIdx.x, x = lane * columns;
  const StripPart<T, Shape::width> part(plan);
  if (part.rows <= 0) return;
  const unsigned exist = part.outputs_at(x, columns);
  T* to = part.target - Shape::ahead * plan.target_row + x;
  const auto fetch = [&](int row, int slot) {
    part.fetch(map, plan, side, row, inputs + slot * Shape::slot, Shape::pitch, barrier + 8 * slot);
  };
  if (lane < Shape::slots) make_barrier(barrier + 8 * lane);
  __syncwarp();

  T sum[side - 1][columns] = {};
  fetch(-Shape::ahead, 0);
  unsigned phase = 0;
  // rows of the first box that no output of the part needs
  int slot = 0, skip = (Shape::ahead - (side - 1)) / unrolled * unrolled;
#pragma unroll 1
  for (int row = -Shape::ahead; row < part.rows; row += box_rows, skip = 0) {
    await_together(barrier + 8 * slot, phase);
    __syncwarp();
    const T* const begin = inputs + slot * Shape::slot + x;
    const T* from = begin + skip * Shape::pitch;
    const int wanted = (min(box_rows, part.rows - row) + unrolled - 1) / unrolled * unrolled;
    const T* const end = begin + wanted * Shape::pitch;
    phase ^= slot;
    slot ^= 1;
    // to where inputs lay that have long been summed
    if (row + box_rows < part.rows) fetch(row + box_rows, slot);
    int at = row + skip;
    to += skip * plan.target_row;
    const auto sum_rows = [&](auto store) {
#pragma unroll 1
      for (; from != end; from += unrolled * Shape::pitch, at += unrolled) {
        T done[unrolled][columns];
        add_rows<side, lead, unrolled, Shape::pitch>(from, taps.values, sum, done);
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

template <class T, int side, int lead>
void launch(const KernelArguments<T>& arguments, const Stencil<T>& stencil, CUstream_st* stream) {
  using Shape = DenseShape<T, side, lead>;
  ConstantTaps<T, side * side> taps;
  std::copy(stencil.taps.begin(), stencil.taps.end(), taps.values);
  const std::size_t bytes = sizeof(T) * Shape::slots * Shape::slot;
  const StripCut cut{Shape::blocks, Shape::unrolled, sizeof(T) == 8 || side <= 9, true};
  launch_strips(strip_dense<T, side, lead>, arguments, plan_strips(arguments), Shape::width,
                Shape::pitch, std::max(bytes, shared_bytes_of_one_of(Shape::blocks)), cut, stream,
                taps);
}

/// Calls `use` with the side of the mask and the lead of its inputs, if there is a kernel for them.
/// A mask of an even side may have either of two centres.
template <class T, class Use>
bool with_shape(const KernelArguments<T>& arguments, const Use& use) {
  bool found = false;
  const auto with_lead = [&](auto side) {
    constexpr int n = chunk<T>, lead = tile_lead<T>(side) % n;
    constexpr int other = side % 2 == 0 ? (lead + 1) % n : lead;
    found = with_one_of<lead, other>(strip_lead(arguments), [&](auto known) { use(side, known); });
  };
  if constexpr (sizeof(T) == 4) {
    with_one_between<7, 13>(arguments.width, with_lead);  // others are faster in tiles
  } else {
    with_one_of<8, 10>(arguments.width,
                       with_lead);  // others are as fast on tensor cores, or faster
  }
  return found;
}

}  // namespace

template <class T>
bool fits_strip_dense(const KernelArguments<T>& arguments) {
  return arguments.height == arguments.width && can_map_inputs(arguments) &&
         with_shape(arguments, [](auto, auto) {});
}

template <class T>
void launch_strip_dense(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                        CUstream_st* stream) {
  with_shape(arguments,
             [&](auto side, auto lead) { launch<T, side, lead>(arguments, stencil, stream); });
}

template bool fits_strip_dense(const KernelArguments<float>&);
template bool fits_strip_dense(const KernelArguments<double>&);
template void launch_strip_dense(const KernelArguments<float>&, const Stencil<float>&,
                                 CUstream_st*);
template void launch_strip_dense(const KernelArguments<double>&, const Stencil<double>&,
                                 CUstream_st*);

}  // namespace stencil::cuda
