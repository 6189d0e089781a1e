// Both passes of a separable mask in one sweep. A block walks down a strip: rows of inputs are
// copied one step ahead, their row sums go into a ring in shared memory, and the column sums come
// out of it. So every point is read once and written once.
#include "kernels/cuda/production/separable_plan.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#endif

namespace stencil::cuda {
namespace {

using namespace separable_walk;

template <class T, bool skip_zeros>
__global__ void __launch_bounds__(384, 1) separable(const __grid_constant__ SeparablePlan<T> plan) {
  constexpr int n = chunk<T>;
  extern __shared__ __align__(16) unsigned char memory[];
  const KernelArguments<T>& arguments = plan.arguments;
  T* const inputs = reinterpret_cast<T*>(memory);
  const int chunk_size = plan.step * plan.pitch;
  const Ring<T> ring{inputs + chunks * chunk_size, strip_width<T>, plan.slots};
  T* const table = ring.row(plan.slots);
  T* const taps = table + plan.table;
  const RowStream<T> stream{inputs, plan.pitch, plan.step, arguments.height};
  const int at = threadIdx.x % column_lanes<T> * n, down = threadIdx.x / column_lanes<T> * outputs;
  Table<T>::fill(table, arguments.column, arguments.height, threadIdx.x, blockDim.x);
  for (int i = threadIdx.x; i < arguments.width; i += blockDim.x) taps[i] = arguments.row[i];
  const Segment<T> segment(arguments, plan.alignment, plan.tiling, strip_width<T>);
  stream.start(segment, 0, 0);
  int half = 0;                               // of the two chunks of inputs
  int slot = 0;                               // of the first row sums of this step
  int first = down - (arguments.height - 1);  // first output of this thread
  for (int k = 1; first - down < segment.rows; ++k, first += plan.step) {
    await_copies<0>();
    __syncthreads();
    stream.start(segment, k, 1 - half);
    add_row_sums<skip_zeros>(plan, inputs + half * chunk_size, taps, ring, slot, plan.step);
    __syncthreads();
    half = 1 - half;
    // the ring holds height - 1 + step rows: the oldest follows the newest
    slot = ring.after(slot, plan.step);
    if (first + outputs > 0) {
      T sum[outputs][n] = {};
      if (arguments.resume) segment.load(first, at, sum);
      column_sums<skip_zeros>(ring, at, ring.after(slot, down), table, arguments.height, sum);
      segment.store(first, at, arguments.finish, sum);
    }
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // what follows is the host's

namespace {

template <class T>
const LoadedKernel& kernel_for(const KernelArguments<T>& arguments) {
  return instance("separable.cu", instance_name<T>("separable", arguments.skip_zeros));
}

}  // namespace

template <class T>
bool fits_separable(const KernelArguments<T>& arguments) {
  SeparablePlan<T> plan;
  return find_plan(arguments, kernel_for(arguments), plan);
}

template <class T>
void launch_separable(const KernelArguments<T>& arguments, const Stencil<T>& /*stencil*/,
                      CUstream_st* stream) {
  SeparablePlan<T> plan;
  find_plan(arguments, kernel_for(arguments), plan);
  launch_plan(kernel_for(arguments), plan, stream);
}

template bool fits_separable(const KernelArguments<float>&);
template bool fits_separable(const KernelArguments<double>&);
template void launch_separable(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void launch_separable(const KernelArguments<double>&, const Stencil<double>&,
                               CUstream_st*);

#endif

}  // namespace stencil::cuda
