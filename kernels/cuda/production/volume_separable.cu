// Separable masks of three axes, and sums of a few such masks, in one pass over the data. A block
// owns a tile in y and x and marches over the planes of inputs. It sums each plane along x and
// along y, and adds the results to the sums of all outputs that need the plane. The sums of the
// outputs are in registers.
#include "kernels/cuda/production/tile_sums.cuh"
#include "kernels/cuda/production/volume.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/volume_choice.hpp"
#endif

namespace stencil::cuda {
namespace {

/// Work of a block at one time. Of the shapes that were tried on an H200, these were the fastest.
struct PassesShape {
  int warps;
  int lane_rows;       ///< number of rows of outputs of a lane, each of one chunk
  int rows, columns;   ///< sides of the tile
  int pitch, in_rows;  ///< numbers of columns and rows of a plane of inputs of the tile
  int slot;            ///< number of elements of a plane of inputs in shared memory
  int sums;            ///< number of elements of the row sums of one term
};

inline constexpr int passes_slots = 3;

template <class T>
__host__ __device__ constexpr PassesShape passes_shape(int depth, int height, int width, int lead) {
  constexpr int n = chunk<T>;
  PassesShape shape{};
  // The sums of all planes of the mask are in registers: fewer warps have more registers each.
  // Lanes of several rows of outputs read each row sum less often.
  shape.warps = depth <= 9 || depth == 12 || depth == 13 ? 12 : 16;
  shape.lane_rows = depth <= 9 ? 3 : depth <= 13 ? 2 : 1;
  shape.rows = shape.warps * shape.lane_rows;
  shape.columns = 32 * n;
  shape.pitch = shape.columns + (lead + width - 1 + n - 1) / n * n;
  shape.in_rows = shape.rows + height - 1;
  shape.slot = (shape.pitch * shape.in_rows + 31) / 32 * 32;
  shape.sums = shape.in_rows * shape.columns;
  return shape;
}

/// Sums one row of inputs with the rows of all terms.
///
/// @param from  the lane's first chunk of inputs
/// @param to    the lane's chunk of row sums of the first term
template <int terms, int width, int lead, int distance, class T>
__device__ __forceinline__ void sum_row(const T* from, const T* taps, T* to) {
  constexpr int n = chunk<T>, chunks = (lead + width + n - 2) / n + 1;
  T window[chunks * n];
#pragma unroll
  for (int c = 0; c < chunks; ++c) load_chunk(from + c * n, window + c * n);
#pragma unroll
  for (int t = 0; t < terms; ++t) {
    T sum[n] = {};
#pragma unroll
    for (int i = 0; i < width; ++i)
#pragma unroll
      for (int v = 0; v < n; ++v) sum[v] = fused(taps[t * width + i], window[lead + i + v], sum[v]);
    put_chunk(to + t * distance, sum);
  }
}

/// Sums row sums with the column of one term.
template <int height, int pitch, class T, int rows>
__device__ __forceinline__ void sum_columns(const T* from, const T* taps,
                                            T (&sum)[rows][chunk<T>]) {
  constexpr int n = chunk<T>;
#pragma unroll
  for (int r = 0; r < rows + height - 1; ++r) {
    T across[n];
    load_chunk(from + r * pitch, across);
#pragma unroll
    for (int o = 0; o < rows; ++o) {
      const int j = r - o;
      if (j < 0 || j >= height) continue;
#pragma unroll
      for (int v = 0; v < n; ++v) sum[o][v] = fused(taps[j], across[v], sum[o][v]);
    }
  }
}

/// @param lead  elements ahead of the first input, which make rows begin at 16 bytes
/// @param taps  taps of all terms: along batch `[depth, terms]`, along y `[terms, height]`, along x
///              `[terms, width]`
template <class T, int terms, int depth, int height, int width, int lead>
__global__ void __launch_bounds__(32 * passes_shape<T>(depth, height, width, lead).warps, 1)
    volume_separable(const __grid_constant__ InputMap map,
                     const __grid_constant__ VolumePlan<T> plan,
                     const __grid_constant__ ConstantTaps<T, terms*(depth + height + width)> taps) {
  constexpr PassesShape shape = passes_shape<T>(depth, height, width, lead);
  constexpr int n = chunk<T>, rows = shape.lane_rows, slots = passes_slots;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ __align__(8) unsigned long long barriers[slots];
  T* const inputs = reinterpret_cast<T*>(memory);
  T* const sums = inputs + slots * shape.slot;  // [2, terms, in_rows, columns]
  const unsigned barrier = unsigned(__cvta_generic_to_shared(barriers));
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int column = int(blockIdx.x) * shape.columns - plan.shift + lane * n;
  const int top = int(blockIdx.y) * shape.rows, row = top + warp * rows;
  const int first = int(blockIdx.z) * plan.part;
  const int wanted = min(plan.part, plan.planes - first) + depth - 1;
  const int box_column = plan.first + int(blockIdx.x) * shape.columns;
  const T *const along_y = taps.values + terms * depth, *const along_x = along_y + terms * height;
  const auto fetch = [&](int plane, int slot) {
    copy_box(inputs + slot * shape.slot, map, shape.pitch, shape.in_rows, box_column, top,
             first + plane, barrier + 8 * slot);
  };
  if (threadIdx.x < slots) make_barrier(barrier + 8 * threadIdx.x, 32);
  __syncthreads();
  if (warp == 0) {
    for (int plane = 0; plane < min(slots, wanted); ++plane) fetch(plane, plane);
  }
  const bool in_columns = column >= 0 && column + n <= plan.columns;
  const bool whole = plan.aligned && in_columns && row + rows <= plan.rows;
  T* to = plan.target + first * plan.target_plane + row * plan.target_row + column;
  T sum[depth][rows][n] = {};
  unsigned phase = 0;
  int slot = 0, half = 0;
#pragma unroll 1
  for (int plane = 0; plane < wanted; ++plane) {
    T* const row_sums = sums + half * terms * shape.sums;
    await_phase(barrier + 8 * slot, phase);
    for (int r = warp; r < shape.in_rows; r += shape.warps)
      sum_row<terms, width, lead, shape.sums>(
          inputs + slot * shape.slot + r * shape.pitch + lane * n, along_x,
          row_sums + r * shape.columns + lane * n);
    // All inputs of this slot have been read. The other half of the row sums has been read before
    // the row sums of this plane were computed.
    __syncthreads();
    if (warp == 0 && plane + slots < wanted) fetch(plane + slots, slot);
#pragma unroll
    for (int t = 0; t < terms; ++t) {
      T down[rows][n] = {};
      sum_columns<height, shape.columns>(
          row_sums + t * shape.sums + warp * rows * shape.columns + lane * n, along_y + t * height,
          down);
#pragma unroll
      for (int k = 0; k < depth; ++k)
#pragma unroll
        for (int o = 0; o < rows; ++o)
#pragma unroll
          for (int v = 0; v < n; ++v)
            sum[k][o][v] = fused(taps.values[k * terms + t], down[o][v], sum[k][o][v]);
    }
    if (plane >= depth - 1) {
      store_plane(plan, to, row, column, whole, sum[depth - 1]);
      to += plan.target_plane;
    }
    shift_planes<depth>(sum);
    if (++slot == slots) slot = 0, phase ^= 1;
    half ^= 1;
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

/// Sides of the largest masks, which are unrolled.
constexpr long most_planes_of_passes = 22, most_side_of_passes = 33;
constexpr long least_passes_columns = 24, least_passes_outputs = 1 << 16;
constexpr long longest_part = 512;

template <class T>
std::size_t passes_bytes(const PassesShape& shape, long terms) {
  return sizeof(T) * (std::size_t(passes_slots) * shape.slot + 2 * std::size_t(terms) * shape.sums);
}

/// Returns the taps in the order of the kernel.
template <class T>
std::vector<T> taps_of_passes(const Stencil<T>& stencil) {
  std::vector<T> taps;
  for (Index k = 0; k < stencil.depth; ++k)
    for (Index t = 0; t < stencil.terms; ++t)
      taps.push_back(stencil.plane[std::size_t(t * stencil.depth + k)]);
  taps.insert(taps.end(), stencil.column.begin(), stencil.column.end());
  taps.insert(taps.end(), stencil.row.begin(), stencil.row.end());
  return taps;
}

}  // namespace

template <class T>
bool fits_volume_separable(const VolumeArguments<T>& arguments) {
  const KernelArguments<T>& sweep = arguments.sweep;
  if (arguments.plane_stride != 1 || sweep.stride_y != 1 || sweep.stride_x != 1 ||
      sweep.skip_zeros || arguments.depth > most_planes_of_passes ||
      sweep.height > most_side_of_passes || sweep.width > most_side_of_passes)
    return false;
  if (sweep.columns < least_passes_columns ||
      double(sweep.batches) * double(sweep.rows) * double(sweep.columns) < least_passes_outputs)
    return false;
  const PassesShape shape =
      passes_shape<T>(arguments.depth, sweep.height, sweep.width, chunk<T> - 1);
  return passes_bytes<T>(shape, sweep.terms) <= most_shared_bytes() - 1024 &&
         fits_grid(arguments, shape.rows) && can_map_inputs(inputs_of_volume(arguments));
}

template <class T>
void launch_volume_separable(const VolumeArguments<T>& arguments, const Stencil<T>& stencil,
                             CUstream_st* stream) {
  const KernelArguments<T>& sweep = arguments.sweep;
  const int lead = lead_of_tiles(sweep, chunk<T>);
  const LoadedKernel& kernel = instance(
      "volume_separable.cu", instance_name<T>("volume_separable", stencil.terms, stencil.depth,
                                              stencil.height, stencil.width, lead));
  const PassesShape shape = passes_shape<T>(arguments.depth, sweep.height, sweep.width, lead);
  launch_volume_tiles(
      kernel, arguments, {shape.rows, shape.columns, shape.pitch, shape.in_rows}, lead,
      {32 * shape.warps, passes_bytes<T>(shape, stencil.terms), passes_slots, longest_part}, stream,
      taps_of_passes(stencil));
}

template bool fits_volume_separable(const VolumeArguments<float>&);
template bool fits_volume_separable(const VolumeArguments<double>&);
template void launch_volume_separable(const VolumeArguments<float>&, const Stencil<float>&,
                                      CUstream_st*);
template void launch_volume_separable(const VolumeArguments<double>&, const Stencil<double>&,
                                      CUstream_st*);

#endif

}  // namespace stencil::cuda
