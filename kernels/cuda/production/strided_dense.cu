// Masks of any size with strides. A block walks down a strip of outputs; the rows of inputs are
// copied ahead into a ring in shared memory. Each thread sums one or two chunks of a row of outputs
// at a time, so a warp sums one or two rows.
#include <cuda_runtime.h>

#include "kernels/cuda/production/strided_walk.cuh"

namespace stencil::cuda {
namespace {

/// Taps as a kernel argument, which lies in the constant bank; side 0 where only the run knows how
/// many there are, and where taps are skipped: these lie in shared memory.
template <class T, int side>
struct SquareTaps {
  T values[side * side];
};
template <class T>
struct SquareTaps<T, 0> {};

/// Chunks of outputs of a thread: two, to read less from shared memory. One if the mask is small:
/// its warps wait for inputs, so more of them should fit.
template <class T, int side>
constexpr int chunks_of = sizeof(T) == 4 && side > 0 && side <= 5 ? 1 : 2;
template <class T, int side>
constexpr int outputs = chunks_of<T, side>* chunk<T>;
template <class T, int side>
constexpr int row_lanes = 32 / chunks_of<T, side>;

/// All rows of a square mask over the rows of a ring from `from` on.
template <int stride, int side, int j = 0, class T>
__device__ __forceinline__ void add_square(const T* from, int pitch, const T* end, int ring_size,
                                           const SquareTaps<T, side>& taps,
                                           T (&sum)[outputs<T, side>]) {
  if constexpr (j < side) {
    strided_sums_fixed<stride, side, j * side>(from, taps.values, sum);
    from += pitch;
    if (from >= end) from -= ring_size;
    add_square<stride, side, j + 1>(from, pitch, end, ring_size, taps, sum);
  }
}

template <class T, int stride, int side, bool skip_zeros>
__global__ void __launch_bounds__(256, 3)
    strided_dense(const __grid_constant__ StridedPlan<T> plan,
                  const __grid_constant__ SquareTaps<T, side> square) {
  using Layout = Spans<T, stride, outputs<T, side>>;
  extern __shared__ __align__(16) unsigned char memory[];
  const KernelArguments<T>& arguments = plan.arguments;
  const int lane = threadIdx.x % row_lanes<T, side>, pitch = tap_pitch<T>(arguments.width);
  T* const taps = reinterpret_cast<T*>(memory);
  T* const ring = taps + plan.taps;
  for (int k = threadIdx.x; side == 0 && k < arguments.height * arguments.width; k += blockDim.x)
    taps[k / arguments.width * pitch + k % arguments.width] = arguments.taps[k];
  const StridedSegment<T> segment(plan);
  const int down = int(arguments.stride_y), rows = plan.warps * chunks_of<T, side>,
            step = rows * down;
  int next = plan.slots - step;  // row of inputs that is copied next
  segment.template start<Layout>(ring, plan.slots, 0, 0, next);
  for (int y = 0, slot = 0, free = next; y < segment.rows; y += rows, next += step) {
    await_copies<0>();
    __syncthreads();
    segment.template start<Layout>(ring, plan.slots, next, free, step);
    const int below = threadIdx.x / row_lanes<T, side>, row = y + below,
              at = lane * outputs<T, side>;
    if (row < segment.rows) {
      T sum[outputs<T, side>] = {};
#pragma unroll
      for (int c = 0; c < outputs<T, side>; c += chunk<T>) {
        if (arguments.resume) segment.load(row, at + c, sum + c);
      }
      const int own = slot + below * down;
      const T* from =
          ring + (own >= plan.slots ? own - plan.slots : own) * plan.pitch + lane * Layout::pitch;
      const T* const end = ring + plan.slots * plan.pitch;
      if constexpr (side > 0) {
        add_square<stride>(from, plan.pitch, end, plan.slots * plan.pitch, square, sum);
      } else {
        const T* tap = taps;
#pragma unroll 1
        for (int j = 0; j < arguments.height; ++j, tap += pitch) {
          strided_sums<skip_zeros, stride>(from, tap, arguments.width, sum);
          from += plan.pitch;
          if (from >= end) from -= plan.slots * plan.pitch;
        }
      }
#pragma unroll
      for (int c = 0; c < outputs<T, side>; c += chunk<T>) segment.store(row, at + c, sum + c);
    }
    slot = slot + step >= plan.slots ? slot + step - plan.slots : slot + step;
    free = free + step >= plan.slots ? free + step - plan.slots : free + step;
  }
}

template <class T, int stride, int side>
StridedPlan<T> lay_out(const KernelArguments<T>& arguments, int warps) {
  StridedPlan<T> plan = start_plan(arguments, warps);
  const int down = int(arguments.stride_y), rows = warps * chunks_of<T, side>;
  plan.pitch = Spans<T, stride, outputs<T, side>>::row_size(row_lanes<T, side>, arguments.width);
  // what a step reads, and what arrives meanwhile
  plan.slots = (rows - 1) * down + arguments.height + rows * down;
  plan.taps = arguments.height * tap_pitch<T>(arguments.width);
  plan.bytes = sizeof(T) * (std::size_t(plan.taps) + std::size_t(plan.slots) * plan.pitch);
  return plan;
}

/// Calls `use(kernel, plan)` if there is a kernel for the stride and a plan that fits. For strides
/// from 5 on `strided_any` is as fast.
template <class T, int stride, int... strides, class Use>
bool with_plan(const KernelArguments<T>& arguments, const Use& use) {
  if (arguments.stride_x == stride) {
    const auto kernel = arguments.skip_zeros ? strided_dense<T, stride, 0, true>
                                             : strided_dense<T, stride, 0, false>;
    StridedPlan<T> plan;
    const auto lay = [&](int warps) { return lay_out<T, stride, 0>(arguments, warps); };
    if (!find_strided_plan(kernel, lay, chunks_of<T, 0>, plan)) return false;
    use(kernel, plan);
    return true;
  }
  if constexpr (sizeof...(strides) > 0) return with_plan<T, strides...>(arguments, use);
  return false;
}

template <class T, class Use>
bool with_any_plan(const KernelArguments<T>& arguments, const Use& use) {
  const bool small = long(arguments.height) * arguments.width < 50000 && arguments.stride_y <= 1000;
  return small && with_plan<T, 1, 2, 3, 4>(arguments, use);
}

/// Launches the kernel for a stride and the mask's side if it is one of `sides`.
template <class T, int stride, int side, int... sides>
bool launch_square(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                   CUstream_st* stream) {
  if (stencil.width == side) {
    SquareTaps<T, side> taps;
    std::copy(stencil.taps.begin(), stencil.taps.end(), taps.values);
    StridedPlan<T> plan;
    const auto kernel = strided_dense<T, stride, side, false>;
    const auto lay = [&](int warps) { return lay_out<T, stride, side>(arguments, warps); };
    if (!find_strided_plan(kernel, lay, chunks_of<T, side>, plan)) return false;
    launch_strided_plan(kernel, plan, "cuda strided dense", stream, taps);
    return true;
  }
  if constexpr (sizeof...(sides) > 0)
    return launch_square<T, stride, sides...>(arguments, stencil, stream);
  return false;
}

/// The same for one of some strides.
template <class T, int stride, int... more>
bool launch_any_square(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                       CUstream_st* stream) {
  if (arguments.stride_x == stride)
    return launch_square<T, stride, 3, 5, 7>(arguments, stencil, stream);
  if constexpr (sizeof...(more) > 0)
    return launch_any_square<T, more...>(arguments, stencil, stream);
  return false;
}

}  // namespace

template <class T>
bool fits_strided_dense(const KernelArguments<T>& arguments) {
  return with_any_plan(arguments, [](auto, const auto&) {});
}

template <class T>
void launch_strided_dense(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                          CUstream_st* stream) {
  const bool square = arguments.height == stencil.height && stencil.height == stencil.width;
  if (square && !arguments.skip_zeros && launch_any_square<T, 2>(arguments, stencil, stream))
    return;
  with_any_plan(arguments, [&](auto kernel, const auto& plan) {
    launch_strided_plan(kernel, plan, "cuda strided dense", stream, SquareTaps<T, 0>{});
  });
}

template bool fits_strided_dense(const KernelArguments<float>&);
template bool fits_strided_dense(const KernelArguments<double>&);
template void launch_strided_dense(const KernelArguments<float>&, const Stencil<float>&,
                                   CUstream_st*);
template void launch_strided_dense(const KernelArguments<double>&, const Stencil<double>&,
                                   CUstream_st*);

}  // namespace stencil::cuda
