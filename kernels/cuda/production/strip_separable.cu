// Both passes of a separable mask that multiplies more than it reads: a warp walks down a strip of
// columns. It sums some rows of inputs along x, into shared memory, and each row of these sums then
// meets the sums of all outputs that want it, in the registers of the lane that owns the columns.
#include <cuda_runtime.h>

#include <limits>

#include "kernels/cuda/production/bulk_copy.cuh"
#include "kernels/cuda/production/constant_sums.cuh"
#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/one_of.hpp"
#include "kernels/cuda/production/tensor_map.cuh"
#include "kernels/cuda/production/tile.cuh"
#include "kernels/cuda/production/tile_sums.cuh"

namespace stencil::cuda {
namespace {

// of masks that have no kernel of their own; a box of inputs has at most 256 columns
constexpr int least_height = 3, most_height = 65, most_row_taps = 120;

/// What a warp has at once, for masks of one height and of one width or (`width` 0) any. Each
/// choice was the fastest of some on an H200.
template <class T, int height, int width>
struct StripShape {
  static constexpr int n = chunk<T>;
  /// Of a lane: 16 bytes of them, as long as all sums that have begun fit in its registers.
  static constexpr int columns = height <= 49 ? n : n / 2, strip = 32 * columns;
  /// Of inputs at once: in the row pass eight lanes read rows below each other, which lie an odd
  /// number of 16 bytes apart, so from all banks of shared memory.
  static constexpr int rows = 8;
  static constexpr int outputs = 4 * n;  ///< of a lane in the row pass
  static constexpr int rounds = strip / outputs * rows / 32;
  static_assert(strip / outputs * rows == 32 * rounds);
  static constexpr int sums_pitch = (strip / n | 1) * n;
  /// Rows of inputs ahead of those with which outputs begin to be complete.
  static constexpr int ahead = (height - 1 + rows - 1) / rows * rows;
  /// Elements ahead of the first input, which does not begin 16 bytes, of known widths.
  static constexpr int lead = tile_lead<T>(width) % n;
  /// That should fit on a multiprocessor: three for each scheduler, if the sums leave registers for
  /// what else is needed. More would be slower: what runs at one time should lie close together in
  /// memory.
  static constexpr int most_sums =  // in registers, each of 4 bytes
      width == 0       ? 104
      : sizeof(T) == 4 ? 132
      : lead == 0      ? 116
                       : 100;
  static constexpr int blocks = height * columns * int(sizeof(T)) / 4 <= most_sums ? 12 : 8;

  /// Elements of a row of inputs.
  static __host__ __device__ constexpr int pitch_for(int lead, int taps) {
    return ((lead + strip + taps - 1 + n - 1) / n | 1) * n;
  }
  /// Where row sums begin, behind two chunks that loops over taps may read and do not use.
  static __host__ __device__ constexpr int sums_at(int pitch) {
    return (rows * pitch + (width > 0 ? 0 : 2 * n) + 31) / 32 * 32;
  }
};

template <class T, int height, int width>
struct StripTaps {
  static constexpr int in_row = width > 0 ? width : most_row_taps + chunk<T>;
  alignas(16) T row[in_row];  ///< of any width: padded in front as inputs are
  T column[height];
};

template <class T>
struct StripPlan {
  T* target;
  long target_batch, target_row;
  int rows, columns;  ///< of outputs
  int width;          ///< taps of a row of the mask
  int part;           ///< rows of outputs of one warp
  int first;          ///< column of the map with which the first strip's inputs begin
  int shift;          ///< columns that strips begin before the first one
  int lead;           ///< elements ahead of the first input, which does not begin 16 bytes
  int pitch;          ///< elements of a row of inputs
  bool aligned;       ///< the outputs of a lane may be written at once
};

/// Writes the outputs of a lane, all at once.
__device__ __forceinline__ void store_columns(float* to, const float (&v)[4]) {
  stream_chunk(to, v);
}
__device__ __forceinline__ void store_columns(float* to, const float (&v)[2]) {
  __stcs(reinterpret_cast<float2*>(to), make_float2(v[0], v[1]));
}
__device__ __forceinline__ void store_columns(double* to, const double (&v)[2]) {
  stream_chunk(to, v);
}

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

/// Outputs of one strip and one part of its rows; a warp is a block of its own, so that the
/// compiler knows that its lanes do the same.
template <class T, int height, int width>
__global__ void __launch_bounds__(32, StripShape<T, height, width>::blocks)
    strip_separable(const __grid_constant__ CUtensorMap map,
                    const __grid_constant__ StripPlan<T> plan,
                    const __grid_constant__ StripTaps<T, height, width> taps) {
  using Shape = StripShape<T, height, width>;
  constexpr int n = chunk<T>, columns = Shape::columns, outputs = Shape::outputs;
  const int pitch = width > 0 ? Shape::pitch_for(Shape::lead, width) : plan.pitch;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ __align__(8) unsigned long long barriers[1];
  T* const inputs = reinterpret_cast<T*>(memory);
  T* const row_sums = inputs + Shape::sums_at(pitch);
  const unsigned barrier = unsigned(__cvta_generic_to_shared(barriers));
  const int lane = threadIdx.x, y = int(blockIdx.y) * plan.part;
  const int rows = min(plan.part, plan.rows - y);
  // columns are counted from the strip's first one
  const int strip = int(blockIdx.x) * Shape::strip - plan.shift, x = lane * columns;
  const int first = max(0, -strip), last = min(Shape::strip, plan.columns - strip);
  const bool whole = plan.aligned && first == 0 && last == Shape::strip;
  T* to = plan.target + blockIdx.z * plan.target_batch + long(y - Shape::ahead) * plan.target_row +
          strip + x;
  const auto fetch = [&](int row) {
    if (!is_elected()) return;
    expect_bytes(barrier, unsigned(Shape::rows * pitch * sizeof(T)));
    start_box_copy(inputs, map, plan.first + int(blockIdx.x) * Shape::strip, y + (height - 1) + row,
                   int(blockIdx.z), barrier);
  };
  if (lane == 0) make_barrier(barrier);
  __syncwarp();

  // rows are counted from that with which the first output is complete; those further ahead than
  // the mask reaches may not exist, and nobody looks at what becomes of them
  T sum[height][columns] = {};  // of outputs that have met 1, 2 ... rows
  fetch(-Shape::ahead);
  unsigned phase = 0;
  const int line = lane % Shape::rows, place = lane / Shape::rows * outputs;
#pragma unroll 1
  for (int row = -Shape::ahead; row < rows; row += Shape::rows, phase ^= 1) {
    await_together(barrier, phase);
    __syncwarp();
#pragma unroll 1
    for (int k = 0; k < Shape::rounds; ++k) {
      const int at = place + k * (32 / Shape::rows * outputs);
      T row_sum[1][outputs] = {};
      if constexpr (width > 0) {
        add_line_sums<width, Shape::lead>(inputs + line * pitch + at, 0, taps.row, row_sum);
      } else {
        add_padded_row<false>(inputs + line * pitch + at, taps.row, plan.lead, plan.width, row_sum);
      }
#pragma unroll
      for (int c = 0; c < outputs; c += n)
        put_chunk(row_sums + line * Shape::sums_pitch + at + c, row_sum[0] + c);
    }
    __syncwarp();
    // behind the sums that wanted what lies there
    if (row + Shape::rows < rows) fetch(row + Shape::rows);
    const auto sum_columns = [&](auto store) {
      const T* from = row_sums + x;
      const T* const end = from + min(Shape::rows, rows - row) * Shape::sums_pitch;
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
        store(to);
        to += plan.target_row;
        from += Shape::sums_pitch;
      } while (from != end);
    };
    if (whole) {
      sum_columns([&](T* here) {
        T v[columns];
#pragma unroll
        for (int c = 0; c < columns; ++c) v[c] = clean(sum[height - 1][c]);
        if (row >= 0) store_columns(here, v);
      });
    } else {
      sum_columns([&](T* here) {
#pragma unroll
        for (int c = 0; c < columns; ++c)
          if (row >= 0 && x + c >= first && x + c < last) here[c] = clean(sum[height - 1][c]);
      });
    }
    __syncwarp();
  }
}

/// How far the inputs of the first column are from beginning 16 bytes, if the first strip begins
/// where results do.
template <class T>
int strip_lead(const Sweep<T>& sweep) {
  return lead_of_tiles(sweep, chunk<T>);
}

template <class T, int height, int width>
void launch(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  using Shape = StripShape<T, height, width>;
  constexpr int n = chunk<T>;
  constexpr auto kernel = strip_separable<T, height, width>;
  StripPlan<T> plan{};
  plan.target = sweep.target;
  plan.target_batch = sweep.target_batch;
  plan.target_row = sweep.target_row;
  plan.rows = int(sweep.rows);
  plan.columns = int(sweep.columns);
  plan.width = sweep.width;
  plan.lead = strip_lead(sweep);
  const TilePlace place = place_tiles(sweep, plan.lead);
  plan.shift = place.shift % n;
  plan.aligned = place.aligned_target;
  // what lies further ahead of the first input may belong to nobody
  const int skipped = (plan.shift + plan.lead) % n;
  plan.first = skipped - (plan.shift + plan.lead);
  plan.pitch = Shape::pitch_for(plan.lead, sweep.width);
  const CUtensorMap map =
      map_inputs(sweep, sweep.source - skipped, skipped + sweep.columns + sweep.width - 1,
                 plan.pitch, Shape::rows);
  StripTaps<T, height, width> taps{};
  std::copy(stencil.row.begin(), stencil.row.end(), taps.row + (width > 0 ? 0 : plan.lead));
  std::copy(stencil.column.begin(), stencil.column.end(), taps.column);
  const std::size_t bytes =
      sizeof(T) * (Shape::sums_at(plan.pitch) + Shape::rows * Shape::sums_pitch);
  const long strips = (sweep.columns + plan.shift + Shape::strip - 1) / Shape::strip;
  const bool reads_most = sweep.height + sweep.width <= 56;  // else multiply-adds bind
  plan.part = int(rows_of_walks(sweep.rows, strips * sweep.batches, Shape::blocks, Shape::ahead,
                                Shape::rows, reads_most ? 700 : std::numeric_limits<int>::max()));
  const dim3 blocks(unsigned(strips), unsigned((sweep.rows + plan.part - 1) / plan.part),
                    unsigned(sweep.batches));
  kernel<<<blocks, 32, bytes, stream>>>(map, plan, taps);
  check_launch("cuda separable strip");
}

/// Calls `use` with the side of squares that have a kernel of their own.
template <class T, class Use>
bool with_known_side(long side, const Use& use) {
  if constexpr (sizeof(T) == 4) {
    return with_one_between<22, 33>(side, use) ||
           with_one_of<37, 41, 45, 49, 57, 63, 64, 65>(side, use);
  } else {
    // 19 and 21 are as fast in tiles, larger ones faster on tensor cores
    return with_one_of<18, 20>(side, use) || with_one_between<22, 33>(side, use);
  }
}

template <class T>
bool is_known(const Sweep<T>& sweep) {
  return sweep.height == sweep.width && strip_lead(sweep) == tile_lead<T>(sweep.width) % chunk<T> &&
         with_known_side<T>(sweep.width, [](auto) {});
}

}  // namespace

template <class T>
bool fits_strip_separable(const Sweep<T>& sweep) {
  if (!can_map_inputs(sweep)) return false;
  if (is_known(sweep)) return true;
  // others are faster on tensor cores in float64
  if (sizeof(T) == 8 || sweep.height < least_height || sweep.height > most_height ||
      sweep.width > most_row_taps)
    return false;
  // low ones are as fast in tiles where memory binds, and faster on small grids; taller ones have
  // none
  const long points = sweep.rows * sweep.columns * sweep.batches;
  return sweep.height > 32 || (sweep.height + sweep.width >= 22 && points >= 1L << 22);
}

template <class T>
void launch_strip_separable(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  if (is_known(sweep)) {
    with_known_side<T>(sweep.width,
                       [&](auto side) { launch<T, side, side>(sweep, stencil, stream); });
    return;
  }
  if constexpr (sizeof(T) == 4)
    with_one_between<least_height, most_height>(
        sweep.height, [&](auto height) { launch<T, height, 0>(sweep, stencil, stream); });
}

template bool fits_strip_separable(const Sweep<float>&);
template bool fits_strip_separable(const Sweep<double>&);
template void launch_strip_separable(const Sweep<float>&, const Stencil<float>&, CUstream_st*);
template void launch_strip_separable(const Sweep<double>&, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda
