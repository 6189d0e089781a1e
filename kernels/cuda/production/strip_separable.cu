// Both passes of a separable mask that multiplies more than it reads: a warp walks down a strip of
// columns. It sums some rows of inputs along x, into shared memory, and adds each row of these sums
// to the sums of all outputs that need it, in the registers of the lane that owns the columns.
#include <cuda_runtime.h>

#include "kernels/cuda/production/constant_sums.cuh"
#include "kernels/cuda/production/one_of.hpp"
#include "kernels/cuda/production/strip.cuh"
#include "kernels/cuda/production/tile_sums.cuh"

namespace stencil::cuda {
namespace {

// of masks without a specialized kernel; a box of inputs has at most 256 columns
constexpr int least_height = 3, most_height = 65, most_row_taps = 120;

/// What a warp has at once, for masks of one height and of one width or (`width` 0) any. Each
/// choice was the fastest of some on an H200.
template <class T, int height, int width>
struct SeparableShape {
  static constexpr int n = chunk<T>;
  /// Of a lane: 16 bytes of them, as long as all sums that have begun fit in its registers.
  static constexpr int columns = height <= 49 ? n : n / 2, strip = 32 * columns;
  /// Rows of inputs at once. In the row pass eight lanes read rows below each other, whose distance
  /// is an odd number of 16 bytes, so they use all banks of shared memory.
  static constexpr int rows = box_rows;
  static_assert(rows == 8);
  static constexpr int outputs = 4 * n;  ///< of a lane in the row pass
  static constexpr int rounds = strip / outputs * rows / 32;
  static_assert(strip / outputs * rows == 32 * rounds);
  static constexpr int sums_pitch = (strip / n | 1) * n;
  /// Rows of inputs ahead of those with which outputs begin to be complete.
  static constexpr int ahead = (height - 1 + rows - 1) / rows * rows;
  /// Elements ahead of the first input, which does not begin 16 bytes, of known widths.
  static constexpr int lead = tile_lead<T>(width) % n;
  /// Warps of a multiprocessor for which the rows are divided: three for each scheduler, if the
  /// sums leave enough registers, though more may fit. What runs at the same time should be close
  /// together in memory.
  static constexpr int most_sums =  // in registers, each of 4 bytes
      width == 0       ? 104
      : sizeof(T) == 4 ? 132
      : lead == 0      ? 116
                       : 100;
  /// Boxes of inputs: one is summed. For low masks, which read nearly as long as they multiply,
  /// another one arrives at the same time, and the fewer warps read and write at once the better.
  static constexpr int slots = sizeof(T) == 4 && width > 0 && height <= 25 ? 2 : 1;
  static constexpr int blocks =
      slots == 1 && height * columns * int(sizeof(T)) / 4 <= most_sums ? 12 : 8;

  /// Elements of a row of inputs.
  static __host__ __device__ constexpr int pitch_for(int lead, int taps) {
    return ((lead + strip + taps - 1 + n - 1) / n | 1) * n;
  }
  /// Elements of a box of inputs, and of two chunks that loops over taps may read and do not use.
  static __host__ __device__ constexpr int slot_size(int pitch) {
    return (rows * pitch + (width > 0 ? 0 : 2 * n) + 31) / 32 * 32;
  }
  /// Where row sums begin.
  static __host__ __device__ constexpr int sums_at(int pitch) { return slots * slot_size(pitch); }
};

template <class T, int height, int width>
struct SeparableTaps {
  static constexpr int in_row = width > 0 ? width : most_row_taps + chunk<T>;
  alignas(16) T row[in_row];  ///< of any width: padded in front as inputs are
  T column[height];
};

/// Reads the row sums of a lane.
__device__ __forceinline__ void load_columns(const float* from, float (&v)[4]) {
  load_chunk(from, v);
}
__device__ __forceinline__ void load_columns(const float* from, float (&v)[2]) {
  const float2 both = *reinterpret_cast<const float2*>(from);
  v[0] = both.x, v[1] = both.y;
}
__device__ __forceinline__ void load_columns(const double* from, double (&v)[2]) {
  load_chunk(from, v);
}

/// @tparam known      width of the mask; 0: any
/// @param  width      of the mask
/// @param  any_pitch  of inputs, if the width is not known
template <class T, int height, int known>
__global__ void __launch_bounds__(32, SeparableShape<T, height, known>::blocks)
    strip_separable(const __grid_constant__ CUtensorMap map,
                    const __grid_constant__ StripPlan<T> plan,
                    const __grid_constant__ SeparableTaps<T, height, known> taps, const int width,
                    const int any_pitch) {
  using Shape = SeparableShape<T, height, known>;
  constexpr int n = chunk<T>, columns = Shape::columns, outputs = Shape::outputs;
  const int pitch = known > 0 ? Shape::pitch_for(Shape::lead, known) : any_pitch;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ __align__(8) unsigned long long barriers[Shape::slots];
  T* const inputs = reinterpret_cast<T*>(memory);
  T* const row_sums = inputs + Shape::sums_at(pitch);
  const unsigned barrier = unsigned(__cvta_generic_to_shared(barriers));
  const int lane = threadIdx.x, x = lane * columns;
  const StripPart<T, Shape::strip> part(plan);
  const unsigned exist = part.outputs_at(x, columns);
  T* to = part.target - Shape::ahead * plan.target_row + x;
  if (lane < Shape::slots) make_barrier(barrier + 8 * lane);
  __syncwarp();

  // rows further ahead than the mask reaches may not exist: their results are not used
  T sum[height][columns] = {};  // of outputs that have met 1, 2 ... rows
  const auto fetch = [&](int row, int slot) {
    if (row < part.rows)
      part.fetch(map, plan, height, row, inputs + slot * Shape::slot_size(pitch), pitch,
                 barrier + 8 * slot);
  };
  fetch(-Shape::ahead, 0);
  unsigned phase = 0;
  int slot = 0;
  int skip = Shape::ahead - (height - 1);  // rows of the first box that no output needs
  const int line = lane % Shape::rows, place = lane / Shape::rows * outputs;
#pragma unroll 1
  for (int row = -Shape::ahead; row < part.rows; row += Shape::rows, skip = 0) {
    await_together(barrier + 8 * slot, phase);
    __syncwarp();
    const T* const box = inputs + slot * Shape::slot_size(pitch);
    if (++slot == Shape::slots) {
      slot = 0;
      phase ^= 1;
    }
    // to where inputs lay that have long been summed
    if constexpr (Shape::slots > 1) fetch(row + Shape::rows, slot);
#pragma unroll 1
    for (int k = 0; k < Shape::rounds; ++k) {
      const int at = place + k * (32 / Shape::rows * outputs);
      T row_sum[1][outputs] = {};
      if constexpr (known > 0) {
        add_line_sums<known, Shape::lead>(box + line * pitch + at, 0, taps.row, row_sum);
      } else {
        add_padded_row<false>(box + line * pitch + at, taps.row, plan.lead, width, row_sum);
      }
#pragma unroll
      for (int c = 0; c < outputs; c += n)
        put_chunk(row_sums + line * Shape::sums_pitch + at + c, row_sum[0] + c);
    }
    __syncwarp();
    // behind the sums that wanted what lies there
    if constexpr (Shape::slots == 1) fetch(row + Shape::rows, 0);
    const auto sum_columns = [&](auto store) {
      const T* from = row_sums + skip * Shape::sums_pitch + x;
      const T* const end = row_sums + x + min(Shape::rows, part.rows - row) * Shape::sums_pitch;
#pragma unroll 1
      do {
        T v[columns];
        load_columns(from, v);
        // every sum moves on to the next place, which costs nothing
#pragma unroll
        for (int j = height - 1; j >= 0; --j)
#pragma unroll
          for (int c = 0; c < columns; ++c)
            sum[j][c] = fused(taps.column[j], v[c], j > 0 ? sum[j - 1][c] : T(0));
        store();
        to += plan.target_row;
        from += Shape::sums_pitch;
      } while (from != end);
    };
    to += skip * plan.target_row;
    // tests in one loop for both would cost some percent
    if (part.whole) {
      sum_columns([&] {
        if (row >= 0) store_clean(to, sum[height - 1]);
      });
    } else {
      const unsigned now = row < 0 ? 0 : exist;
      sum_columns([&] { part.store(to, now, sum[height - 1]); });
    }
    __syncwarp();
  }
}

template <class T, int height, int known>
void launch(const KernelArguments<T>& arguments, const Stencil<T>& stencil, CUstream_st* stream) {
  using Shape = SeparableShape<T, height, known>;
  const StripPlan<T> plan = plan_strips(arguments);
  SeparableTaps<T, height, known> taps{};
  std::copy(stencil.row.begin(), stencil.row.end(), taps.row + (known > 0 ? 0 : plan.lead));
  std::copy(stencil.column.begin(), stencil.column.end(), taps.column);
  const int pitch = Shape::pitch_for(plan.lead, arguments.width);
  const bool reads_most = arguments.height + arguments.width <= 56;
  std::size_t bytes = sizeof(T) * (Shape::sums_at(pitch) + Shape::rows * Shape::sums_pitch);
  // More blocks at once would read and write in more places at once: 16 blocks of 22 x 22 instead
  // of 12 took a tenth longer.
  if (reads_most) bytes = std::max(bytes, shared_bytes_of_one_of(Shape::blocks));
  const StripCut cut{Shape::blocks, Shape::rows, reads_most, false};
  launch_strips(strip_separable<T, height, known>, arguments, plan, Shape::strip, pitch, bytes, cut,
                stream, taps, arguments.width, pitch);
}

/// Calls `use` with the side of squares that have a specialized kernel.
template <class T, class Use>
bool with_known_side(long side, const Use& use) {
  if constexpr (sizeof(T) == 4) {
    return with_one_between<19, 33>(side, use) ||
           with_one_of<37, 41, 45, 49, 57, 63, 64, 65>(side, use);
  } else {
    // 19 and 21 are as fast in tiles, larger ones faster on tensor cores
    return with_one_of<18, 20>(side, use) || with_one_between<22, 33>(side, use);
  }
}

template <class T>
bool is_known(const KernelArguments<T>& arguments) {
  return arguments.height == arguments.width &&
         strip_lead(arguments) == tile_lead<T>(arguments.width) % chunk<T> &&
         with_known_side<T>(arguments.width, [](auto) {});
}

}  // namespace

template <class T>
bool fits_strip_separable(const KernelArguments<T>& arguments) {
  if (!can_map_inputs(arguments)) return false;
  if (is_known(arguments)) return true;
  // others are faster on tensor cores in float64
  if (sizeof(T) == 8 || arguments.height < least_height || arguments.height > most_height ||
      arguments.width > most_row_taps)
    return false;
  // Low masks are as fast in tiles if memory bandwidth is the limit, and faster on small grids;
  // taller ones have no tiles.
  const long points = arguments.rows * arguments.columns * arguments.batches;
  return arguments.height > 32 || (arguments.height + arguments.width >= 22 && points >= 1L << 22);
}

template <class T>
void launch_strip_separable(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                            CUstream_st* stream) {
  if (is_known(arguments)) {
    with_known_side<T>(arguments.width,
                       [&](auto side) { launch<T, side, side>(arguments, stencil, stream); });
    return;
  }
  if constexpr (sizeof(T) == 4)
    with_one_between<least_height, most_height>(
        arguments.height, [&](auto height) { launch<T, height, 0>(arguments, stencil, stream); });
}

template bool fits_strip_separable(const KernelArguments<float>&);
template bool fits_strip_separable(const KernelArguments<double>&);
template void launch_strip_separable(const KernelArguments<float>&, const Stencil<float>&,
                                     CUstream_st*);
template void launch_strip_separable(const KernelArguments<double>&, const Stencil<double>&,
                                     CUstream_st*);

}  // namespace stencil::cuda
