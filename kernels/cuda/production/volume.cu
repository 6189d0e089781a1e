// Direct masks of three axes. A block owns a tile in y and x and marches over the planes of inputs.
// Each plane is copied to shared memory once and added to the sums of all outputs that need it; the
// sums are in registers.
#include "kernels/cuda/production/tile_sums.cuh"
#include "kernels/cuda/production/volume.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#endif

namespace stencil::cuda {
namespace {

/// Work of a block at one time. Of the shapes that were tried on an H200, these were the fastest.
struct VolumeShape {
  int warps;
  int lane_rows;       ///< number of rows of outputs of a lane, each of one chunk
  int rows, columns;   ///< sides of the tile
  int pitch, in_rows;  ///< numbers of columns and rows of a plane of inputs of the tile
  int slot;            ///< number of elements of a plane of inputs in shared memory
};

inline constexpr int volume_slots = 3;

template <class T>
__host__ __device__ constexpr VolumeShape volume_shape(int depth, int height, int width, int lead) {
  constexpr int n = chunk<T>;
  VolumeShape shape{};
  // The sums of all planes of the mask are in registers. Lanes of masks of many taps have many rows
  // of outputs, which use the same inputs.
  const bool many_rows = depth <= (sizeof(T) == 4 ? 9 : 5) && depth * height * width > 27;
  shape.warps = many_rows ? 8 : 16;
  shape.lane_rows = many_rows ? 4 : depth <= 10 ? 2 : 1;
  shape.rows = shape.warps * shape.lane_rows;
  shape.columns = 32 * n;
  shape.pitch = shape.columns + (lead + width - 1 + n - 1) / n * n;
  shape.in_rows = shape.rows + height - 1;
  shape.slot = (shape.pitch * shape.in_rows + 31) / 32 * 32;
  return shape;
}

/// Returns whether tap k is left out. Each word describes 64 taps; without words, no tap is left
/// out.
template <unsigned long long... absent>
__device__ constexpr bool is_absent(int k) {
  constexpr unsigned long long words[] = {absent..., 0};
  return k / 64 < int(sizeof...(absent)) && (words[k / 64] >> k % 64 & 1) != 0;
}

/// Adds the rows of one plane of inputs to the sums of the outputs of a lane.
///
/// @param from  shared memory, aligned to 16 bytes: the chunk that contains the first input
/// @param sum   sum[k] are the sums of the outputs to which this plane is added with plane k of the
///              mask
template <int depth, int height, int width, int lead, int pitch, unsigned long long... absent,
          class T, int rows>
__device__ __forceinline__ void add_plane(const T* from, const T* taps,
                                          T (&sum)[depth][rows][chunk<T>]) {
  constexpr int n = chunk<T>, chunks = (lead + width + n - 2) / n + 1;
#pragma unroll
  for (int r = 0; r < rows + height - 1; ++r) {
    T window[chunks * n];
#pragma unroll
    for (int c = 0; c < chunks; ++c) load_chunk(from + r * pitch + c * n, window + c * n);
#pragma unroll
    for (int k = 0; k < depth; ++k)
#pragma unroll
      for (int o = 0; o < rows; ++o) {
        const int j = r - o;
        if (j < 0 || j >= height) continue;
#pragma unroll
        for (int i = 0; i < width; ++i) {
          const int tap = (k * height + j) * width + i;
          if (is_absent<absent...>(tap)) continue;
#pragma unroll
          for (int v = 0; v < n; ++v)
            sum[k][o][v] = fused(taps[tap], window[lead + i + v], sum[k][o][v]);
        }
      }
  }
}

/// @param lead    elements ahead of the first input, which make rows begin at 16 bytes
/// @param absent  see is_absent
template <class T, int depth, int height, int width, int lead, unsigned long long... absent>
__global__ void __launch_bounds__(32 * volume_shape<T>(depth, height, width, lead).warps)
    volume(const __grid_constant__ InputMap map, const __grid_constant__ VolumePlan<T> plan,
           const __grid_constant__ ConstantTaps<T, depth * height * width> taps) {
  constexpr VolumeShape shape = volume_shape<T>(depth, height, width, lead);
  constexpr int n = chunk<T>, rows = shape.lane_rows, slots = volume_slots;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ __align__(8) unsigned long long barriers[slots];
  T* const inputs = reinterpret_cast<T*>(memory);
  const unsigned barrier = unsigned(__cvta_generic_to_shared(barriers));
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int column = int(blockIdx.x) * shape.columns - plan.shift + lane * n;
  const int top = int(blockIdx.y) * shape.rows, row = top + warp * rows;
  const int first = int(blockIdx.z) * plan.part;
  const int wanted = min(plan.part, plan.planes - first) + depth - 1;
  const int box_column = plan.first + int(blockIdx.x) * shape.columns;
  const auto fetch = [&](int plane, int slot) {
    copy_box(inputs + slot * shape.slot, map, shape.pitch, shape.in_rows, box_column, top,
             first + plane, barrier + 8 * slot);
  };
  if (threadIdx.x < slots) make_barrier(barrier + 8 * threadIdx.x, 32);
  __syncthreads();
  if (warp == 0) {
    for (int plane = 0; plane < min(slots - 1, wanted); ++plane) fetch(plane, plane);
  }
  const bool in_columns = column >= 0 && column + n <= plan.columns;
  const bool whole = plan.aligned && in_columns && row + rows <= plan.rows;
  T* to = plan.target + first * plan.target_plane + row * plan.target_row + column;
  T sum[depth][rows][n] = {};
  unsigned phase = 0;
  int slot = 0;
#pragma unroll 1
  for (int plane = 0; plane < wanted; ++plane) {
    await_phase(barrier + 8 * slot, phase);
    __syncthreads();  // all warps have added the previous plane, whose slot is free
    if (warp == 0 && plane + slots - 1 < wanted)
      fetch(plane + slots - 1, slot == 0 ? slots - 1 : slot - 1);
    add_plane<depth, height, width, lead, shape.pitch, absent...>(
        inputs + slot * shape.slot + warp * rows * shape.pitch + lane * n, taps.values, sum);
    if (plane >= depth - 1) {
      store_plane(plan, to, row, column, whole, sum[depth - 1]);
      to += plan.target_plane;
    }
    shift_planes<depth>(sum);
    if (++slot == slots) slot = 0, phase ^= 1;
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

/// Largest number of taps that are multiplied. More taps would be unrolled into too much code.
constexpr long most_multiplied_taps = 400;
/// Largest number of taps, including those that are left out: the taps are arguments of a launch.
constexpr long most_argument_taps = 1000;
constexpr int most_planes_of_mask = 24;
/// Numbers of columns and of outputs below which most of a tile would be empty.
constexpr long least_volume_columns = 24, least_volume_outputs = 1 << 14;
constexpr int most_box_side = 256;

/// Returns the name of the instance for a mask: `volume<float, 3, 3, 3, 1, 5ull>`.
template <class T>
std::string volume_instance(const VolumeArguments<T>& arguments, const Stencil<T>& stencil,
                            int lead) {
  std::string name = instance_name<T>("volume", stencil.depth, stencil.height, stencil.width, lead);
  if (!arguments.sweep.skip_zeros) return name;
  std::vector<unsigned long long> absent((stencil.taps.size() + 63) / 64);
  for (std::size_t k = 0; k < stencil.taps.size(); ++k)
    if (stencil.taps[k] == 0) absent[k / 64] |= 1ULL << k % 64;
  name.pop_back();
  for (const unsigned long long word : absent) name += ", " + std::to_string(word) + "ull";
  return name + ">";
}

}  // namespace

template <class T>
bool fits_volume(const VolumeArguments<T>& arguments, const Stencil<T>& stencil) {
  const KernelArguments<T>& sweep = arguments.sweep;
  const long taps = long(stencil.taps.size());
  if (arguments.plane_stride != 1 || sweep.stride_y != 1 || sweep.stride_x != 1) return false;
  if (taps > most_argument_taps || arguments.depth > most_planes_of_mask) return false;
  if (sweep.multiplied > most_multiplied_taps) return false;
  if (sweep.columns < least_volume_columns ||
      double(sweep.batches) * double(sweep.rows) * double(sweep.columns) < least_volume_outputs)
    return false;
  const VolumeShape shape =
      volume_shape<T>(arguments.depth, sweep.height, sweep.width, chunk<T> - 1);
  return shape.pitch <= most_box_side && shape.in_rows <= most_box_side &&
         std::size_t(volume_slots) * shape.slot * sizeof(T) <= most_shared_bytes() - 1024 &&
         fits_grid(arguments, shape.rows) && can_map_inputs(inputs_of_volume(arguments));
}

template <class T>
void launch_volume(const VolumeArguments<T>& arguments, const Stencil<T>& stencil,
                   CUstream_st* stream) {
  const KernelArguments<T>& sweep = arguments.sweep;
  const int lead = lead_of_tiles(sweep, chunk<T>);
  const LoadedKernel& kernel = instance("volume.cu", volume_instance(arguments, stencil, lead));
  const VolumeShape shape = volume_shape<T>(arguments.depth, sweep.height, sweep.width, lead);
  const std::size_t bytes = sizeof(T) * std::size_t(volume_slots) * shape.slot;
  // Short parts are close in memory. Where multiply-adds take longer than the memory, parts are
  // long, because each of them multiplies additional planes.
  const long longest = sweep.multiplied <= 32 ? 8 * arguments.depth + 4 : 512;
  launch_volume_tiles(kernel, arguments, {shape.rows, shape.columns, shape.pitch, shape.in_rows},
                      lead, {32 * shape.warps, bytes, volume_slots, longest}, stream, stencil.taps);
}

template bool fits_volume(const VolumeArguments<float>&, const Stencil<float>&);
template bool fits_volume(const VolumeArguments<double>&, const Stencil<double>&);
template void launch_volume(const VolumeArguments<float>&, const Stencil<float>&, CUstream_st*);
template void launch_volume(const VolumeArguments<double>&, const Stencil<double>&, CUstream_st*);

#endif

}  // namespace stencil::cuda
