// Sums of two or three separable masks in one sweep: a block walks down a strip as separable.cu
// does, with a ring of row sums for every term, and the column pass takes the terms in turn.
#include "kernels/cuda/production/separable_plan.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#endif

namespace stencil::cuda {
namespace {

using namespace separable_walk;

/// `sum[r] += sum_j sum_k column_k[j] * row_k(r + j)`: for each row of inputs all terms, in order.
///
/// @param points  the ring of term 0, followed by those of the others
/// @param tables  TapTables, term after term
template <int terms, class T>
__device__ __forceinline__ void add_columns(const Ring<T>& points, int at, int slot,
                                            const T* tables, int height,
                                            T (&sum)[outputs][chunk<T>]) {
  constexpr int n = chunk<T>, pitch = Table<T>::pitch;
  const int plane = points.slots * points.pitch, table = Table<T>::size(height);
#pragma unroll 2
  for (int k = 0; k < height + outputs - 1; ++k, slot = points.after(slot, 1)) {
    const bool whole = k >= outputs - 1 && k < height;
#pragma unroll
    for (int term = 0; term < terms; ++term) {
      T data[n], tap[pitch];
      load_chunk(points.row(slot) + term * plane + at, data);
#pragma unroll
      for (int c = 0; c < pitch; c += n) load_chunk(tables + term * table + k * pitch + c, tap + c);
#pragma unroll
      for (int r = 0; r < outputs; ++r) {
        if (!whole && (k < r || k - r >= height)) continue;
#pragma unroll
        for (int v = 0; v < n; ++v) sum[r][v] = fused(tap[r], data[v], sum[r][v]);
      }
    }
  }
}

template <class T, int terms>
__global__ void __launch_bounds__(384, 1)
    separable_sum(const __grid_constant__ SeparablePlan<T> plan) {
  constexpr int n = chunk<T>;
  extern __shared__ __align__(16) unsigned char memory[];
  const KernelArguments<T>& arguments = plan.arguments;
  T* const inputs = reinterpret_cast<T*>(memory);
  const int chunk_size = plan.step * plan.pitch, plane_size = plan.slots * strip_width<T>;
  const Ring<T> points{inputs + chunks * chunk_size, strip_width<T>, plan.slots};
  T* const tables = points.rows + terms * plane_size;
  T* const taps = tables + plan.table;
  const RowStream<T> stream{inputs, plan.pitch, plan.step, arguments.height};
  const int at = threadIdx.x % column_lanes<T> * n, down = threadIdx.x / column_lanes<T> * outputs;
  for (int term = 0; term < terms; ++term) {
    Table<T>::fill(tables + term * Table<T>::size(arguments.height),
                   arguments.column + term * arguments.column_pitch, arguments.height, threadIdx.x,
                   blockDim.x);
    for (int i = threadIdx.x; i < arguments.width; i += blockDim.x)
      taps[term * padded_row(arguments.width) + i] = arguments.row[term * arguments.width + i];
  }
  const Segment<T> segment(arguments, plan.alignment, plan.tiling, strip_width<T>);
  stream.start(segment, 0, 0);
  int half = 0, slot = 0, first = down - (arguments.height - 1);
  for (int k = 1; first - down < segment.rows; ++k, first += plan.step) {
    await_copies<0>();
    __syncthreads();
    stream.start(segment, k, 1 - half);
    for (int term = 0; term < terms; ++term) {
      const Ring<T> ring{points.rows + term * plane_size, points.pitch, points.slots};
      add_row_sums<false>(plan, inputs + half * chunk_size,
                          taps + term * padded_row(arguments.width), ring, slot, plan.step);
    }
    __syncthreads();
    half = 1 - half;
    slot = points.after(slot, plan.step);
    if (first + outputs <= 0) continue;
    T sum[outputs][n] = {};
    if (arguments.resume) segment.load(first, at, sum);
    add_columns<terms>(points, at, points.after(slot, down), tables, arguments.height, sum);
    segment.store(first, at, arguments.finish, sum);
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // what follows is the host's

namespace {

template <class T>
const LoadedKernel& kernel_for(const KernelArguments<T>& arguments) {
  return instance("separable_sum.cu", instance_name<T>("separable_sum", arguments.terms));
}

}  // namespace

template <class T>
bool fits_separable_sum(const KernelArguments<T>& arguments) {
  SeparablePlan<T> plan;
  return find_plan(arguments, kernel_for(arguments), plan);
}

template <class T>
void launch_separable_sum(const KernelArguments<T>& arguments, const Stencil<T>& /*stencil*/,
                          CUstream_st* stream) {
  SeparablePlan<T> plan;
  find_plan(arguments, kernel_for(arguments), plan);
  launch_plan(kernel_for(arguments), plan, stream);
}

template bool fits_separable_sum(const KernelArguments<float>&);
template bool fits_separable_sum(const KernelArguments<double>&);
template void launch_separable_sum(const KernelArguments<float>&, const Stencil<float>&,
                                   CUstream_st*);
template void launch_separable_sum(const KernelArguments<double>&, const Stencil<double>&,
                                   CUstream_st*);

#endif

}  // namespace stencil::cuda
