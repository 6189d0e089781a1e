// Masks of any size with strides. A block walks down a strip of outputs. Rows of inputs are copied
// in advance to a ring in shared memory. Each thread sums one or two chunks of a row of outputs at
// a time, so a warp sums one or two rows.
#include "kernels/cuda/production/strided_walk.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#endif

namespace stencil::cuda {
namespace {

/// Taps as a kernel argument in the constant bank. If `count` is 0, the argument has one unused
/// element, and the taps are in shared memory. This is the case if the sides of the mask are not
/// known to the compiler, or if taps are skipped.
template <class T, int count>
struct FixedTaps {
  T values[count > 0 ? count : 1];
};

/// Number of chunks of outputs of a thread. Two chunks reduce the reads from shared memory. Small
/// masks use one chunk: their warps wait for inputs, so more warps should fit.
///
/// @param taps  number of taps of the mask, or 0 for any number
template <class T>
__host__ __device__ constexpr int chunks_of(int taps) {
  return sizeof(T) == 4 && taps > 0 && taps <= 25 ? 1 : 2;
}

/// Adds the products with all rows of the mask. `from` is the row of the ring under the first row
/// of the mask.
template <int stride, int height, int width, int j = 0, class T, int outputs>
__device__ __forceinline__ void add_rows(const T* from, int pitch, const T* end, int ring_size,
                                         const FixedTaps<T, height * width>& taps,
                                         T (&sum)[outputs]) {
  if constexpr (j < height) {
    strided_sums_fixed<stride, width, j * width>(from, taps.values, sum);
    from += pitch;
    if (from >= end) from -= ring_size;
    add_rows<stride, height, width, j + 1>(from, pitch, end, ring_size, taps, sum);
  }
}

/// @tparam height, width  sides of the mask, or 0 for any size
template <class T, int stride, int height, int width, bool skip_zeros>
__global__ void __launch_bounds__(256, height* width > 49 ? 2 : 3)
    strided_dense(const __grid_constant__ StridedPlan<T> plan,
                  const __grid_constant__ FixedTaps<T, height * width> fixed) {
  constexpr int outputs = chunks_of<T>(height * width) * chunk<T>;
  constexpr int row_lanes = 32 / chunks_of<T>(height * width);
  using Layout = Spans<T, stride, outputs>;
  extern __shared__ __align__(16) unsigned char memory[];
  const KernelArguments<T>& arguments = plan.arguments;
  const int lane = threadIdx.x % row_lanes, pitch = tap_pitch<T>(arguments.width);
  T* const taps = reinterpret_cast<T*>(memory);
  T* const ring = taps + plan.taps;
  for (int k = threadIdx.x; height == 0 && k < arguments.height * arguments.width; k += blockDim.x)
    taps[k / arguments.width * pitch + k % arguments.width] = arguments.taps[k];
  const StridedSegment<T> segment(plan);
  const int down = int(arguments.stride_y), rows = plan.warps * chunks_of<T>(height * width),
            step = rows * down;
  int next = plan.slots - step;  // row of inputs that is copied next
  segment.template start<Layout>(ring, plan.slots, 0, 0, next);
  for (int y = 0, slot = 0, free = next; y < segment.rows; y += rows, next += step) {
    await_copies<0>();
    __syncthreads();
    segment.template start<Layout>(ring, plan.slots, next, free, step);
    const int below = threadIdx.x / row_lanes, row = y + below, at = lane * outputs;
    if (row < segment.rows) {
      T sum[outputs] = {};
#pragma unroll
      for (int c = 0; c < outputs; c += chunk<T>) {
        if (arguments.resume) segment.load(row, at + c, sum + c);
      }
      const int own = slot + below * down;
      const T* from =
          ring + (own >= plan.slots ? own - plan.slots : own) * plan.pitch + lane * Layout::pitch;
      const T* const end = ring + plan.slots * plan.pitch;
      if constexpr (height > 0) {
        add_rows<stride, height, width>(from, plan.pitch, end, plan.slots * plan.pitch, fixed, sum);
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
      for (int c = 0; c < outputs; c += chunk<T>) segment.store(row, at + c, sum + c);
    }
    slot = slot + step >= plan.slots ? slot + step - plan.slots : slot + step;
    free = free + step >= plan.slots ? free + step - plan.slots : free + step;
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

/// Largest stride along x with kernels for any mask; from 5 on, `strided_any` is as fast.
constexpr long most_stride = 4;

/// @param known  number of taps of the mask if its sides are known to the compiler, else 0
template <class T>
int find_plan(const KernelArguments<T>& arguments, const LoadedKernel& kernel, int known,
              StridedPlan<T>& best) {
  const int chunks = chunks_of<T>(known), stride = int(arguments.stride_x);
  const auto lay_out = [&](int warps) {
    StridedPlan<T> plan = start_plan(arguments, warps);
    const int down = int(arguments.stride_y), rows = warps * chunks;
    plan.pitch = span_row_size<T>(stride, chunks * chunk<T>, 32 / chunks, arguments.width);
    // the ring has the rows that a step reads and the rows that are copied at the same time
    plan.slots = (rows - 1) * down + arguments.height + rows * down;
    plan.taps = known > 0 ? 0 : arguments.height * tap_pitch<T>(arguments.width);
    plan.bytes = sizeof(T) * (std::size_t(plan.taps) + std::size_t(plan.slots) * plan.pitch);
    return plan;
  };
  return find_strided_plan(kernel, lay_out, chunks, best);
}

template <class T>
const LoadedKernel& kernel_for(const KernelArguments<T>& arguments, bool known) {
  return instance(
      "strided_dense.cu",
      instance_name<T>("strided_dense", arguments.stride_x, known ? arguments.height : 0,
                       known ? arguments.width : 0, arguments.skip_zeros));
}

/// Returns whether the kernel for the given sides of the mask can keep all inputs of a row in
/// registers.
template <class T>
bool is_known(const KernelArguments<T>& arguments) {
  const long reach = (2 * chunk<T> - 1) * arguments.stride_x + arguments.width;
  return !arguments.skip_zeros && !arguments.resume && arguments.finish &&
         arguments.height * arguments.width <= most_known_taps && reach * long(sizeof(T)) <= 256;
}

}  // namespace

template <class T>
int strided_dense_warps(const KernelArguments<T>& arguments) {
  StridedPlan<T> plan;
  if (long(arguments.height) * arguments.width >= 50000 || arguments.stride_y > 1000 ||
      arguments.stride_x > most_stride)
    return 0;
  return find_plan(arguments, kernel_for(arguments, false), 0, plan);
}

template <class T>
void launch_strided_dense(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                          CUstream_st* stream) {
  StridedPlan<T> plan;
  if (is_known(arguments)) {
    const LoadedKernel& kernel = kernel_for(arguments, true);
    if (find_plan(arguments, kernel, arguments.height * arguments.width, plan))
      return launch_strided_plan(kernel, plan, stream, stencil.taps);
  }
  const LoadedKernel& kernel = kernel_for(arguments, false);
  find_plan(arguments, kernel, 0, plan);
  launch_strided_plan(kernel, plan, stream, std::vector<T>(1));
}

template int strided_dense_warps(const KernelArguments<float>&);
template int strided_dense_warps(const KernelArguments<double>&);
template void launch_strided_dense(const KernelArguments<float>&, const Stencil<float>&,
                                   CUstream_st*);
template void launch_strided_dense(const KernelArguments<double>&, const Stencil<double>&,
                                   CUstream_st*);

#endif

}  // namespace stencil::cuda
