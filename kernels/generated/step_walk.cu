// Several time steps of a mask in one sweep: blocks walk down strips of columns, and the warps of a
// block share the steps. This text is compiled at run time (NVRTC) after a preamble that
// step_source.cpp writes for one mask and one number of steps:
//
//   using T = float;                       the element type: float or double
//   constexpr int height, width, taps;     sides of the mask, and the number of its taps
//   constexpr bool is_separable;           whether the taps are a row, then a column
//   constexpr short tap_of[height][width]; index of each tap of a direct mask; -1: skipped
//   constexpr int above, left;             rows above and columns left of the mask's centre
//   constexpr int depth;                   steps of the sweep
//   constexpr int levels;                  steps that one warp computes
//   constexpr int chunks;                  pieces of 16 bytes of a lane in a row
//   constexpr int turn;                    rows between two barriers
//   constexpr int ring;                    groups of `turn` rows of inputs in shared memory
//   constexpr int resident;                blocks that a multiprocessor should hold
//
// Asynchronous copies bring the rows of inputs to the first warp. Each warp computes some of the
// steps: it applies them to every row in registers, and writes the resulting row to shared memory
// for the next warp. The last warp writes its rows to the target. For each step a lane keeps the
// sums of the rows that are not complete: sum[j] belongs to outputs to which j + 1 rows have been
// added. The results of columns at both ends of a strip lack neighbours; these columns are computed
// by the adjacent strips. The order of additions is the same as in every kernel: row-major, from
// +0, one fused multiply-add for each tap.
#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/production/chunk.cuh"
#include "kernels/generated/step_arguments.hpp"

namespace stencil::generated {

constexpr int chunk = 16 / int(sizeof(T));  // elements in 16 bytes
constexpr int own = chunks * chunk;         // adjacent columns of a lane
constexpr int strip = 32 * own;             // number of columns of a strip of inputs
constexpr int warps = (depth + levels - 1) / levels;
constexpr int right = width - 1 - left;
constexpr int kept = height > 1 ? height - 1 : 1;  // number of rows of sums that a step keeps

// Results of the columns at the ends of a strip lack inputs. The number of these columns is rounded
// up to whole sectors of memory (32 bytes).
__device__ constexpr int whole_sectors(int columns) {
  return (columns + 2 * chunk - 1) / (2 * chunk) * (2 * chunk);
}
constexpr int lost_left = whole_sectors(depth * left), lost_right = whole_sectors(depth * right);
constexpr int outputs = strip - lost_left - lost_right;
constexpr int late = depth * (height - 1);  // rows of inputs before the first row of outputs
static_assert(left <= own && right <= own && outputs > 0);

struct Taps {
  T values[taps];
};

// Adds a row of points to the sums of one step, and replaces it by the row of results that it
// completes.
__device__ __forceinline__ void pass_step(const Taps& t, T (&points)[own], T (&sum)[kept][own]) {
  T window[left + own + right];
#pragma unroll
  for (int c = 0; c < left; ++c) window[c] = __shfl_up_sync(~0u, points[(own - left + c) % own], 1);
#pragma unroll
  for (int c = 0; c < own; ++c) window[left + c] = points[c];
#pragma unroll
  for (int c = 0; c < right; ++c) window[left + own + c] = __shfl_down_sync(~0u, points[c], 1);
  T along[own] = {};  // sums along the row, for a separable mask
  if constexpr (is_separable) {
#pragma unroll
    for (int i = 0; i < width; ++i)
#pragma unroll
      for (int k = 0; k < own; ++k) along[k] = cuda::fused(t.values[i], window[i + k], along[k]);
  }
#pragma unroll
  for (int j = height - 1; j >= 0; --j) {
    T v[own];
#pragma unroll
    for (int k = 0; k < own; ++k) v[k] = j > 0 ? sum[j - 1][k] : T(0);
    if constexpr (is_separable) {
#pragma unroll
      for (int k = 0; k < own; ++k) v[k] = cuda::fused(t.values[width + j], along[k], v[k]);
    } else {
#pragma unroll
      for (int i = 0; i < width; ++i) {
        if (tap_of[j][i] < 0) continue;
#pragma unroll
        for (int k = 0; k < own; ++k)
          v[k] = cuda::fused(t.values[tap_of[j][i]], window[i + k], v[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < own; ++k) (j < height - 1 ? sum[j][k] : points[k]) = v[k];
  }
}

// The copies to shared memory that a lane makes for one row of inputs.
struct RowCopies {
  unsigned wanted = 0;  // one bit for each chunk: 1 if at least one of its points exists

  __device__ __forceinline__ RowCopies(int first_column, int columns) {
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      const int x = first_column + c * chunk;
      wanted |= unsigned(x + chunk > -depth * left && x < columns + depth * right) << c;
    }
  }

  __device__ __forceinline__ void start(const T* from, unsigned to) const {
#pragma unroll
    for (int c = 0; c < chunks; ++c)
      if (wanted >> c & 1) cuda::start_copy<16>(to + c * 512, from + c * chunk);
  }
};

// Blocks that are adjacent in x walk down the same rows of neighbouring strips.
extern "C" __global__ void __launch_bounds__(32 * warps, resident)
    step_walk(const __grid_constant__ StepArguments<T> a, const __grid_constant__ Taps t) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  T* const inputs = reinterpret_cast<T*>(memory) + lane * chunk;
  T* const handed = inputs + ring * turn * strip;  // two groups of rows per warp
  const int first_row = int(blockIdx.y) * a.part, rows = min(a.part, a.rows - first_row);
  const int first_column = int(blockIdx.x) * outputs - lost_left + lane * own;
  const RowCopies copies(first_column, a.columns);
  unsigned exist = 0;  // one bit for each chunk of outputs: 1 if it exists
#pragma unroll
  for (int c = 0; c < chunks; ++c) {
    const int place = lane * own + c * chunk, x = first_column + c * chunk;
    exist |= unsigned(place >= lost_left && place < strip - lost_right && x < a.columns) << c;
  }

  const int reads = rows + late;
  const T* from = a.source + blockIdx.z * a.source_batch +
                  long(first_row - depth * above) * a.source_row + first_column;
  const unsigned ring_begin = unsigned(__cvta_generic_to_shared(inputs));
  int fetched = 0, fetch_slot = 0;
  const auto fetch = [&] {
#pragma unroll
    for (int r = 0; r < turn; ++r, from += a.source_row)
      if (fetched + r < reads)
        copies.start(from, ring_begin + unsigned((fetch_slot * turn + r) * strip * sizeof(T)));
    cuda::commit_copies();
    fetched += turn;
    fetch_slot = fetch_slot + 1 == ring ? 0 : fetch_slot + 1;
  };
  if (warp == 0) {
#pragma unroll
    for (int k = 0; k < ring - 1; ++k) fetch();
  }

  T sum[levels][kept][own] = {};
  // `row`: index of the row of outputs that the next row of inputs completes
  int row = -late - warp * turn, slot = 0;
  T* to =
      a.target + blockIdx.z * a.target_batch + long(first_row + row) * a.target_row + first_column;
  const int turns = (reads + turn - 1) / turn + warps - 1;
#pragma unroll 1
  for (int now = 0; now < turns; ++now) {
    const T* at = handed + ((warp - 1) * 2 + (now + 1) % 2) * turn * strip;
    if (warp == 0) {
      // a lane waits only for its own copies, because it reads no others
      cuda::await_copies<ring - 2>();
      fetch();
      at = inputs + slot * turn * strip;
      slot = slot + 1 == ring ? 0 : slot + 1;
    }
    T* const next = handed + (warp * 2 + now % 2) * turn * strip;
#pragma unroll
    for (int r = 0; r < turn; ++r, ++row, to += a.target_row) {
      T points[own];
#pragma unroll
      for (int c = 0; c < chunks; ++c)
        cuda::load_chunk(at + r * strip + c * 32 * chunk, points + c * chunk);
#pragma unroll
      for (int k = 0; k < levels; ++k)
        if (depth % levels == 0 || warp * levels + k < depth) pass_step(t, points, sum[k]);
      if (warp < warps - 1) {
#pragma unroll
        for (int c = 0; c < chunks; ++c)
          cuda::put_chunk(next + r * strip + c * 32 * chunk, points + c * chunk);
      } else if (unsigned(row) < unsigned(rows)) {
#pragma unroll
        for (int k = 0; k < own; ++k) points[k] = cuda::clean(points[k]);
#pragma unroll
        for (int c = 0; c < chunks; ++c)
          if (exist >> c & 1) cuda::put_chunk(to + c * chunk, points + c * chunk);
      }
    }
    if constexpr (warps > 1) __syncthreads();
  }
}

}  // namespace stencil::generated
