// Masks along x, and rows of masks that are too wide for other kernels. Each warp walks along a
// piece of a row. While it computes one step, the inputs of the next step are copied to shared
// memory. No block-wide barrier is needed. Each lane sums some chunks of neighbouring outputs. The
// warp transposes the outputs, so that whole cache lines are written.
#include <cstddef>

#include "kernels/cuda/production/bulk_copy.cuh"
#include "kernels/cuda/production/constant_sums.cuh"
#include "kernels/cuda/production/stage.cuh"
#include "kernels/cuda/production/tile.cuh"
#include "kernels/cuda/production/tile_sums.cuh"
#ifndef __CUDACC_RTC__
#include <algorithm>

#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/launch_plan.cuh"
#endif

namespace stencil::cuda {
namespace {

/// Work of a warp at one time, for masks of one known width or (`width` 0) of any width. Each value
/// was the fastest of those tried on an H200.
template <class T, int width>
struct LineShape {
  /// Number of chunks of outputs of a lane; an odd number avoids bank conflicts.
  static constexpr int chunks = sizeof(T) == 4 ? 5 : 9;
  /// Number of blocks that should fit on a multiprocessor.
  static constexpr int blocks = sizeof(T) == 8 ? 14 : width > 0 ? 26 : 24;
  /// Numbers of outputs of a lane and of a warp.
  static constexpr int outputs = chunks * chunk<T>, columns = 32 * outputs;
};

template <class T>
struct LinePlan {
  KernelArguments<T> arguments;
  TilePlace place;
  int lead;              ///< number of elements of a slot before the first input
  int pitch;             ///< number of elements of a slot
  int steps;             ///< number of steps of a warp
  unsigned across;       ///< number of warps of a row
  unsigned whole_bytes;  ///< number of bytes of the inputs of a whole step
  std::size_t bytes;
};

static_assert(sizeof(LinePlan<double>) + sizeof(BandTaps<double>) <= 4096,
              "larger masks go in bands");

constexpr int slots = 2;              // slots of inputs: one is read while the other is filled
constexpr int most_known_width = 97;  // inputs of wider masks would not stay in registers

/// Columns of one step that exist, relative to the first column of the step.
struct LineStep {
  bool leftmost;
  int first, last;

  __device__ __forceinline__ LineStep(long x, long end, int columns)
      : leftmost(x <= 0), first(x < 0 ? int(-x) : 0), last(int(min(long(columns), end - x))) {}
};

/// Starts copying the inputs of a step to shared memory, by one warp.
///
/// @param from  address of element 0 of the slot, whether or not that element exists
template <class T>
__device__ __forceinline__ void start_step(const LinePlan<T>& plan, const LineStep& step,
                                           const T* from, T* slot, unsigned barrier) {
  constexpr int n = chunk<T>;
  const int tail = plan.lead + step.last + plan.arguments.width - 1;
  if (plan.place.bulk) {
    // memory before a row may belong to another allocation
    const int at = step.leftmost ? (plan.lead + step.first) / n * n : 0;
    const unsigned bytes = unsigned((tail + n - 1) / n * n - at) * sizeof(T);
    copy_row(slot + at, from + at, bytes, barrier);
  } else {
#pragma unroll 1
    for (int i = plan.lead + step.first + int(threadIdx.x); i < tail; i += 32)
      start_copy<int(sizeof(T))>(slot + i, from + i);
    commit_copies();
  }
}

/// Sums lines. Each warp is a block, so that the compiler knows that all lanes take the same
/// branches.
///
/// @tparam width  width of the mask, or 0 for any width
/// @tparam sub    number of elements before the first input in its chunk, for a known width
/// @param  taps   for a known width, the first `width` elements; else the taps are padded in front
///                like the inputs
template <class T, int width, int sub, bool skip_zeros>
__global__ void __launch_bounds__(32, LineShape<T, width>::blocks)
    line(const __grid_constant__ LinePlan<T> plan, const __grid_constant__ BandTaps<T> taps) {
  using Shape = LineShape<T, width>;
  constexpr int n = chunk<T>, outputs = Shape::outputs, columns = Shape::columns;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ __align__(16) T turn[columns];  // transposes the outputs of lanes to rows of columns
  __shared__ __align__(8) unsigned long long barriers[slots];
  const KernelArguments<T>& arguments = plan.arguments;
  const int lane = threadIdx.x;
  const long row = blockIdx.x / plan.across, y = row % arguments.rows, b = row / arguments.rows;
  const long begin = long(blockIdx.x % plan.across) * plan.steps * columns - plan.place.shift;
  const long left = arguments.columns - begin;
  const int steps = int(min(long(plan.steps), (left + columns - 1) / columns));
  // number of steps in which all columns exist; used only after the first step
  const int wholes =
      plan.place.bulk && plan.place.aligned_target ? int(min(long(steps), left / columns)) : 0;
  const T* from =
      arguments.source + b * arguments.source_batch + y * arguments.source_row + begin - plan.lead;
  T* to = arguments.target + b * arguments.target_batch + y * arguments.target_row + begin;

  T* const inputs = reinterpret_cast<T*>(memory);
  const unsigned barrier = unsigned(__cvta_generic_to_shared(barriers));
  if (lane < slots) make_barrier(barrier + 8 * lane, 32);
  __syncwarp();
  start_step(plan, LineStep(begin, arguments.columns, columns), from, inputs, barrier);
#pragma unroll 1
  for (int step = 0; step < steps; ++step, to += columns) {
    const int slot = step % slots;
    if (plan.place.bulk) {
      await_together(barrier + 8 * slot, unsigned(step / slots % 2));
    } else {
      await_copies<0>();
    }
    __syncwarp();
    // orders the bulk copy after the loads from the other slot, whose inputs are no longer needed
    from += columns;
    if (step + 1 < steps) {
      const int next = (slot + 1) % slots;
      if (step + 1 < wholes) {
        copy_row(inputs + next * plan.pitch, from, plan.whole_bytes, barrier + 8 * next);
      } else {
        const LineStep part(begin + long(step + 1) * columns, arguments.columns, columns);
        start_step(plan, part, from, inputs + next * plan.pitch, barrier + 8 * next);
      }
    }
    __syncwarp();
    const bool whole = step < wholes && (step > 0 || begin >= 0);
    T sum[1][outputs] = {};
    if constexpr (width > 0) {
      const T* const mine = inputs + slot * plan.pitch + (plan.lead - sub) + lane * outputs;
      add_line_sums<width, sub>(mine, 0, taps.values, sum);
    } else {
      if (arguments.resume) {
        const LineStep part(begin + long(step) * columns, arguments.columns, columns);
#pragma unroll 1
        for (int k = part.first + lane; k < part.last; k += 32) turn[k] = to[k];
        __syncwarp();
#pragma unroll
        for (int c = 0; c < Shape::chunks; ++c)
          load_chunk(turn + lane * outputs + c * n, sum[0] + c * n);
        __syncwarp();
      }
      const int ahead = plan.lead % n;
      const T* const mine = inputs + slot * plan.pitch + (plan.lead - ahead) + lane * outputs;
      add_padded_row<skip_zeros>(mine, taps.values, ahead, arguments.width, sum);
    }
    if (width > 0 || arguments.finish) {
#pragma unroll
      for (int k = 0; k < outputs; ++k) sum[0][k] = clean(sum[0][k]);
    }
#pragma unroll
    for (int c = 0; c < Shape::chunks; ++c)
      put_chunk(turn + lane * outputs + c * n, sum[0] + c * n);
    __syncwarp();
    if (whole) {
#pragma unroll
      for (int c = 0; c < Shape::chunks; ++c) {
        T v[n];
        load_chunk(turn + (c * 32 + lane) * n, v);
        stream_chunk(to + (c * 32 + lane) * n, v);
      }
    } else {
      const LineStep part(begin + long(step) * columns, arguments.columns, columns);
#pragma unroll 1
      for (int k = part.first + lane; k < part.last; k += 32) to[k] = turn[k];
    }
    __syncwarp();
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

// if a mask is divided into parts, each part is padded in front to a multiple of four taps
static_assert(most_line_taps<float> % 4 == 0 && most_line_taps<double> % 4 == 0);
static_assert(most_line_taps<float> + chunk<float> <= BandTaps<float>::most &&
              most_line_taps<double> + chunk<double> <= BandTaps<double>::most);

template <class T>
LinePlan<T> plan_line(const KernelArguments<T>& arguments) {
  constexpr int n = chunk<T>;
  LinePlan<T> plan{};
  plan.arguments = arguments;
  plan.lead = lead_of_tiles(arguments, 32 / int(sizeof(T)));  // rows begin at a sector
  plan.place = place_tiles(arguments, plan.lead);
  // whole chunks, and one chunk after them that is read but not used
  plan.pitch = (plan.lead + LineShape<T, 0>::columns + arguments.width - 1 + n - 1) / n * n + n;
  plan.whole_bytes = unsigned(sizeof(T)) * unsigned(plan.pitch - n);
  plan.bytes = sizeof(T) * std::size_t(slots) * plan.pitch;
  return plan;
}

/// Returns whether a kernel is compiled for the width of this mask. Such a kernel is faster than
/// one for any width if multiplying takes about as long as reading.
template <class T>
bool is_known(const KernelArguments<T>& arguments) {
  return !arguments.skip_zeros && !arguments.resume && arguments.finish &&
         arguments.width <= most_known_width;
}

}  // namespace

template <class T>
bool fits_line(const KernelArguments<T>& arguments) {
  const long most =
      (arguments.columns / LineShape<T, 0>::columns + 2) * arguments.rows * arguments.batches;
  return plan_line(arguments).bytes <= most_shared_bytes() && most <= 0x7fffffffL;
}

template <class T>
void launch_line(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                 CUstream_st* stream) {
  constexpr int columns = LineShape<T, 0>::columns;
  LinePlan<T> plan = plan_line(arguments);
  const bool known = is_known(arguments);
  const int sub = plan.lead % chunk<T>;
  const LoadedKernel& kernel = instance(
      "line.cu",
      instance_name<T>("line", known ? arguments.width : 0, known ? sub : 0, arguments.skip_zeros));
  BandTaps<T> taps{};
  std::copy_n(stencil.taps.data() + arguments.first_tap, arguments.width,
              taps.values + (known ? 0 : sub));
  const long pieces = (arguments.columns + plan.place.shift + columns - 1) / columns;
  const long rows = arguments.rows * arguments.batches;
  const long resident =
      std::max(1, resident_blocks(kernel, 32, plan.bytes)) * long(multiprocessors());
  // The number of steps leaves enough warps for several waves. It is at most 4, because with more
  // steps the warps that run at the same time would access memory that is far apart.
  plan.steps = int(std::clamp(pieces * rows / (8 * resident), 1L, 4L));
  plan.across = unsigned((pieces + plan.steps - 1) / plan.steps);
  launch_instance(kernel, dim3(unsigned(plan.across * rows)), 32, plan.bytes, stream, plan, taps);
}

template bool fits_line(const KernelArguments<float>&);
template bool fits_line(const KernelArguments<double>&);
template void launch_line(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void launch_line(const KernelArguments<double>&, const Stencil<double>&, CUstream_st*);

#endif

}  // namespace stencil::cuda
