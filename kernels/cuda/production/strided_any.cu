// A kernel whose strides are run-time values. It sums direct masks with strides for which no
// special kernel is compiled, and large masks of which few taps are not 0. A block copies the
// inputs of a tile of outputs to shared memory and reorders them: elements of a row that are
// stride_x apart become adjacent. The threads of a warp then read adjacent elements for any stride.
#include <cstddef>

#include "kernels/cuda/production/kernel_arguments.hpp"
#include "kernels/cuda/production/stage.cuh"
#ifndef __CUDACC_RTC__
#include <algorithm>

#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/launch_plan.cuh"
#endif

namespace stencil::cuda {
namespace {

/// Numbers of outputs of a thread; the outputs are 32 columns apart. If the outputs are single
/// lines, a thread has many outputs, which share the load of a tap. On grids of several rows a
/// thread has few outputs, which leaves shared memory for tiles of more rows, whose outputs share
/// inputs.
template <class T>
constexpr int line_outputs = sizeof(T) == 4 ? 4 : 8;
constexpr int grid_outputs = 2;

/// The taps that are not 0, in the order of the mask, and the positions of their inputs in shared
/// memory. The list is empty if the plan has taps in shared memory.
template <class T>
struct TapList {
  int count;
  int places[most_listed_taps<T>];
  T taps[most_listed_taps<T>];
};

template <class T>
struct StridedAnyPlan {
  KernelArguments<T> arguments;
  int warps_x, warps_y;  ///< numbers of warps of a block
  int columns;           ///< number of columns of outputs of a block
  /// Distance of the inputs of two outputs in shared memory: the stride or, if the mask is smaller
  /// than the stride, the size of the mask, because the inputs that no output reads are not copied.
  int step_y, step_x;
  /// Number of elements between two phases; a phase consists of every step_x-th element of a row.
  int pitch;
  int row_size;  ///< number of elements from row to row of inputs
  int taps;      ///< number of elements of the mask in shared memory
  std::size_t bytes;

  int threads() const { return 32 * warps_x * warps_y; }
};

/// The tile of outputs of a block.
template <class T>
struct StridedTile {
  const T* source;
  T* target;
  int rows, columns;  ///< outputs of the tile that exist

  __device__ explicit StridedTile(const StridedAnyPlan<T>& plan) {
    const KernelArguments<T>& arguments = plan.arguments;
    const long x = long(blockIdx.x) * plan.columns, y = long(blockIdx.y) * plan.warps_y;
    source = arguments.source + blockIdx.z * arguments.source_batch +
             y * arguments.stride_y * arguments.source_row + x * arguments.stride_x;
    target = arguments.target + blockIdx.z * arguments.target_batch + y * arguments.target_row + x;
    rows = int(min(long(plan.warps_y), arguments.rows - y));
    columns = int(min(long(plan.columns), arguments.columns - x));
  }

  /// Starts the copy of all inputs of the tile, one row per warp at a time.
  __device__ void start(const StridedAnyPlan<T>& plan, T* inputs) const {
    const KernelArguments<T>& arguments = plan.arguments;
    const int lane = threadIdx.x % 32, warps = plan.warps_x * plan.warps_y;
    const int count = (rows - 1) * plan.step_y + arguments.height;
    const int elements = (columns - 1) * plan.step_x + arguments.width;
    const int next_place = 32 / plan.step_x, next_phase = 32 % plan.step_x;
    for (int row = threadIdx.x / 32; row < count; row += warps) {
      const int from_row = row / plan.step_y * int(arguments.stride_y) + row % plan.step_y;
      const T* const from = source + from_row * arguments.source_row;
      T* const to = inputs + row * plan.row_size;
      int place = lane / plan.step_x, phase = lane % plan.step_x;
#pragma unroll 4
      for (int e = lane; e < elements; e += 32) {
        start_copy<int(sizeof(T))>(to + phase * plan.pitch + place,
                                   from + place * arguments.stride_x + phase);
        place += next_place, phase += next_phase;
        if (phase >= plan.step_x) phase -= plan.step_x, ++place;
      }
    }
    await_all_copies();
  }
};

template <class T, int outputs, bool skip_zeros>
__global__ void __launch_bounds__(256) strided_any(const __grid_constant__ StridedAnyPlan<T> plan,
                                                   const __grid_constant__ TapList<T> list) {
  extern __shared__ __align__(16) unsigned char memory[];
  const KernelArguments<T>& arguments = plan.arguments;
  T* const taps = reinterpret_cast<T*>(memory);
  T* const inputs = taps + plan.taps;
  for (int k = threadIdx.x; k < plan.taps; k += blockDim.x) taps[k] = arguments.taps[k];
  const StridedTile<T> tile(plan);
  tile.start(plan, inputs);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int y = warp / plan.warps_x, x = warp % plan.warps_x * outputs * 32 + lane;
  if (y >= tile.rows) return;
  T* const to = tile.target + y * arguments.target_row + x;
  T sum[outputs] = {};
#pragma unroll
  for (int r = 0; r < outputs; ++r)
    if (arguments.resume && x + 32 * r < tile.columns) sum[r] = to[32 * r];
  const T *tap = taps, *row = inputs + y * plan.step_y * plan.row_size + x;
  if constexpr (skip_zeros) {
#pragma unroll 4
    for (int k = 0; k < list.count; ++k)
#pragma unroll
      for (int r = 0; r < outputs; ++r)
        sum[r] = fused(list.taps[k], row[list.places[k] + 32 * r], sum[r]);
  }
  const int height = plan.taps > 0 ? arguments.height : 0;
  for (int j = 0; j < height; ++j, row += plan.row_size) {
    const T* from = row;
    // the inputs of tap i of a row are every step_x-th element from i on
    for (int first = 0; first < arguments.width; first += plan.step_x, ++from) {
      const int count = min(plan.step_x, arguments.width - first);
      const T* at = from;
#pragma unroll 4
      for (int i = 0; i < count; ++i, ++tap, at += plan.pitch) {
        const T factor = *tap;
        if (skip_zeros && factor == 0) continue;
#pragma unroll
        for (int r = 0; r < outputs; ++r) sum[r] = fused(factor, at[32 * r], sum[r]);
      }
    }
  }
#pragma unroll
  for (int r = 0; r < outputs; ++r)
    if (x + 32 * r < tile.columns) to[32 * r] = arguments.finish ? clean(sum[r]) : sum[r];
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

template <class T>
bool is_listed(const KernelArguments<T>& arguments) {
  return arguments.skip_zeros && arguments.multiplied <= most_listed_taps<T>;
}

template <class T>
TapList<T> list_taps(const StridedAnyPlan<T>& plan, const Stencil<T>& stencil) {
  const KernelArguments<T>& arguments = plan.arguments;
  TapList<T> list;
  list.count = 0;
  if (!is_listed(arguments)) return list;
  for (int k = 0; k < arguments.height * arguments.width; ++k) {
    const T tap = stencil.taps[arguments.first_tap + k];
    if (tap == 0) continue;
    const int i = k % arguments.width;
    list.taps[list.count] = tap;
    list.places[list.count++] =
        k / arguments.width * plan.row_size + i % plan.step_x * plan.pitch + i / plan.step_x;
  }
  return list;
}

template <class T>
StridedAnyPlan<T> lay_out(const KernelArguments<T>& arguments, int outputs, int warps_x,
                          int warps_y) {
  StridedAnyPlan<T> plan{};
  plan.arguments = arguments;
  plan.warps_x = warps_x;
  plan.warps_y = warps_y;
  plan.columns = 32 * outputs * warps_x;
  plan.step_y = int(std::min<long>(arguments.stride_y, arguments.height));
  plan.step_x = int(std::min<long>(arguments.stride_x, arguments.width));
  // an odd number, so that adjacent elements of the source are written to different banks
  plan.pitch = (plan.columns + (arguments.width - 1) / plan.step_x) | 1;
  plan.row_size = plan.step_x * plan.pitch;
  plan.taps = is_listed(arguments) ? 0 : arguments.height * arguments.width;
  const long rows = long(warps_y - 1) * plan.step_y + arguments.height;
  plan.bytes = sizeof(T) * (std::size_t(plan.taps) + std::size_t(rows) * plan.row_size);
  return plan;
}

struct Warps {
  int x, y;
};

/// Finds the plan with which the most warps run at once on a multiprocessor (the first one of
/// several).
/// @returns the number of these warps; 0 if no plan fits
template <class T, std::size_t count>
int find_plan(const KernelArguments<T>& arguments, int outputs, const Warps (&choice)[count],
              const LoadedKernel& kernel, StridedAnyPlan<T>& best) {
  int most = 0;
  for (const Warps& warps : choice) {
    const StridedAnyPlan<T> plan = lay_out(arguments, outputs, warps.x, warps.y);
    const int resident = resident_blocks(kernel, plan.threads(), plan.bytes) * plan.threads() / 32;
    if (resident <= most) continue;
    most = resident;
    best = plan;
  }
  return most;
}

/// Calls `use(kernel, plan)` if a plan fits.
/// @returns the number of warps that run at once on a multiprocessor; 0 if no plan fits
template <class T, class Use>
int with_plan(const KernelArguments<T>& arguments, const Use& use) {
  if (long(arguments.height) * arguments.width > 50000 || arguments.stride_y > (1 << 24)) return 0;
  constexpr Warps flat[] = {{8, 1}, {4, 1}, {2, 1}, {1, 1}},
                  square[] = {{1, 8}, {2, 4}, {1, 4}, {1, 2}, {1, 1}};
  const auto try_outputs = [&](int outputs, const auto& choice) {
    const LoadedKernel& kernel =
        instance("strided_any.cu", instance_name<T>("strided_any", outputs, arguments.skip_zeros));
    StridedAnyPlan<T> plan;
    const int resident = find_plan(arguments, outputs, choice, kernel, plan);
    if (resident > 0) use(kernel, plan);
    return resident;
  };
  // a long line whose tile does not fit may fit with fewer outputs
  const int of_line = arguments.rows == 1 ? try_outputs(line_outputs<T>, flat) : 0;
  return of_line > 0 ? of_line : try_outputs(grid_outputs, square);
}

}  // namespace

template <class T>
int strided_any_warps(const KernelArguments<T>& arguments) {
  return with_plan(arguments, [](const LoadedKernel&, const StridedAnyPlan<T>&) {});
}

template <class T>
void launch_strided_any(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                        CUstream_st* stream) {
  with_plan(arguments, [&](const LoadedKernel& kernel, const StridedAnyPlan<T>& plan) {
    const TapList<T> list = list_taps(plan, stencil);
    const long most_rows = most_grid_side * plan.warps_y;
    for (long y = 0; y < arguments.rows; y += most_rows) {
      StridedAnyPlan<T> some = plan;
      some.arguments.rows = std::min(most_rows, arguments.rows - y);
      some.arguments.source += y * arguments.stride_y * arguments.source_row;
      some.arguments.target += y * arguments.target_row;
      const dim3 blocks(unsigned((arguments.columns + plan.columns - 1) / plan.columns),
                        unsigned((some.arguments.rows + plan.warps_y - 1) / plan.warps_y),
                        unsigned(arguments.batches));
      launch_instance(kernel, blocks, plan.threads(), plan.bytes, stream, some, list);
    }
  });
}

template int strided_any_warps(const KernelArguments<float>&);
template int strided_any_warps(const KernelArguments<double>&);
template void launch_strided_any(const KernelArguments<float>&, const Stencil<float>&,
                                 CUstream_st*);
template void launch_strided_any(const KernelArguments<double>&, const Stencil<double>&,
                                 CUstream_st*);

#endif

}  // namespace stencil::cuda
