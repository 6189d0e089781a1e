// A direct mask, summed by warps that walk down strips of columns. This text is compiled at run
// time (NVRTC) after a preamble that strip_source.cpp writes for one mask:
//
//   using T = float;                       the element type: float or double
//   constexpr int height, width, taps;     sides of the mask, number of multiplied taps
//   constexpr short tap_of[height][width]; index of each tap; -1: skipped
//   constexpr int lead;                    elements from the last 32-byte boundary to the first
//                                          input of a strip
//   constexpr int chunks, groups;          a lane computes groups * chunks pieces of 16 bytes
//   constexpr int turn;                    rows that are copied together
//   constexpr int ring;                    number of such groups of rows in shared memory
//   constexpr int unrolled;                rows summed per iteration of the loop
//
// Each warp is a block. Its rows of inputs are copied asynchronously into a ring in shared memory.
// Each row is read once into registers and added to the sums of all outputs that need it: sum[j]
// belongs to outputs to which j + 1 rows of inputs have been added. A multiply-add may write to a
// register other than the one it reads, so shifting the sums by one place with every row takes no
// time. The order of additions is the same as in every kernel: row-major, from +0, one fused
// multiply-add for each tap.
#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/production/chunk.cuh"
#include "kernels/generated/strip_arguments.hpp"

namespace stencil::generated {

constexpr int chunk = 16 / int(sizeof(T));  // elements in 16 bytes
constexpr int piece = chunks * chunk;       // adjacent outputs of a lane
constexpr int group = 32 * piece;           // adjacent outputs of the warp
constexpr int strip = groups * group;       // number of columns of a strip
constexpr int own_chunks = strip / chunk;
// Rows of inputs begin and end with whole sectors of memory (32 bytes), because a copy of half a
// sector takes longer than a copy of a whole sector. `more_chunks` is the number of chunks of a row
// in addition to those of the outputs.
constexpr int more_chunks = (lead + width - 1 + 2 * chunk - 1) / (2 * chunk) * 2;
constexpr int row_chunks = own_chunks + more_chunks;
constexpr int copies = own_chunks / 32 + (more_chunks + 31) / 32;  // copies of a lane for each row

// Chunk c of a row is stored at place(c). Lanes that read every `chunks`-th chunk then read
// adjacent chunks of shared memory, without bank conflicts.
constexpr int half = ((row_chunks + chunks - 1) / chunks + 7) / 8 * 8 + (chunks > 1 ? 4 : 0);
constexpr int row_pitch = chunks * half * chunk;  // number of elements of a row in shared memory
__device__ constexpr int place(int c) {
  return (c % chunks * half + c / chunks) * chunk;
}

struct Taps {
  T values[taps];
};

// Starts the copy of 16 bytes, and prefetches the surrounding 128 bytes into the second-level
// cache.
__device__ __forceinline__ void start_chunk_copy(unsigned to, const T* from) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from)
               : "memory");
}

// Adds one row of inputs to the sums of one group of outputs, and shifts the sums by one place.
//
// `from` is the address of the lane's first chunk in shared memory; `done` receives the outputs
// that this row completes.
__device__ __forceinline__ void add_row(const T* from, const Taps& t, T (&sum)[height][piece],
                                        T (&done)[piece]) {
  constexpr int first = lead / chunk, sub = lead % chunk;
  constexpr int reads = (sub + width + piece - 2) / chunk + 1;
  T window[reads * chunk];
#pragma unroll
  for (int c = 0; c < reads; ++c) cuda::load_chunk(from + place(first + c), window + c * chunk);
#pragma unroll
  for (int j = height - 1; j >= 0; --j) {
    T v[piece];
#pragma unroll
    for (int k = 0; k < piece; ++k) v[k] = j > 0 ? sum[j - 1][k] : T(0);
#pragma unroll
    for (int i = 0; i < width; ++i) {
      if (tap_of[j][i] < 0) continue;
#pragma unroll
      for (int k = 0; k < piece; ++k)
        v[k] = cuda::fused(t.values[tap_of[j][i]], window[sub + i + k], v[k]);
    }
#pragma unroll
    for (int k = 0; k < piece; ++k) (j < height - 1 ? sum[j][k] : done[k]) = v[k];
  }
}

// The part of a strip that the block computes.
struct Part {
  int column, row;  // position of its first output; columns before column 0 do not exist
  int rows;         // number of rows of outputs
};

// The copies that a lane makes for one row of inputs.
struct RowCopies {
  unsigned wanted = 0;  // one bit for each copy: 1 if at least one of its inputs exists
  unsigned to[copies];  // addresses in the first row of the ring
  int from[copies];     // numbers of elements from the beginning of a row of inputs

  // Input chunks that correspond to outputs are in the same lines of memory as these outputs, and
  // are copied 32 at a time. The last copies are for the remaining chunks on both sides.
  __device__ __forceinline__ RowCopies(const StripArguments<T>& a, const Part& part,
                                       T* ring_begin) {
    const int lane = threadIdx.x;
#pragma unroll
    for (int k = 0; k < copies; ++k) {
      const int left = 32 * k - own_chunks + lane;
      const int c = k < own_chunks / 32 ? a.ahead + 32 * k + lane
                                        : (left < a.ahead ? left : own_chunks + left);
      const int x = part.column - lead + c * chunk;
      wanted |= unsigned(c < row_chunks && x + chunk > 0 && x < a.columns + width - 1) << k;
      to[k] = unsigned(__cvta_generic_to_shared(ring_begin + place(c)));
      from[k] = c * chunk;
    }
  }

  __device__ __forceinline__ void start(const T* row_begin, int slot_row) const {
    const unsigned shift = unsigned(slot_row * row_pitch) * unsigned(sizeof(T));
#pragma unroll
    for (int k = 0; k < copies; ++k)
      if (wanted >> k & 1) start_chunk_copy(to[k] + shift, row_begin + from[k]);
  }
};

// Writes the outputs of a lane in one row. Each bit of `exist` is 1 if the corresponding output
// exists; `whole` is true if all outputs exist.
__device__ __forceinline__ void store_row(T* to, T (&done)[groups][piece], bool whole,
                                          unsigned exist) {
#pragma unroll
  for (int g = 0; g < groups; ++g)
#pragma unroll
    for (int k = 0; k < piece; ++k) done[g][k] = cuda::clean(done[g][k]);
#pragma unroll
  for (int g = 0; g < groups; ++g) {
    if (whole) {
#pragma unroll
      for (int c = 0; c < chunks; ++c)
        cuda::put_chunk(to + g * group + c * chunk, done[g] + c * chunk);
    } else {
#pragma unroll
      for (int k = 0; k < piece; ++k)
        if (exist >> (g * piece + k) & 1) to[g * group + k] = done[g][k];
    }
  }
}

__device__ __forceinline__ unsigned existing_outputs(int columns, int first_column) {
  unsigned exist = 0;
#pragma unroll
  for (int g = 0; g < groups; ++g)
#pragma unroll
    for (int k = 0; k < piece; ++k) {
      const int x = first_column + g * group + int(threadIdx.x) * piece + k;
      exist |= unsigned(x >= 0 && x < columns) << (g * piece + k);
    }
  return exist;
}

// The second bound allows the compiler to use all 255 registers; more blocks may be resident.
extern "C" __global__ void __launch_bounds__(32, 8)
    strip_walk(const __grid_constant__ StripArguments<T> a, const __grid_constant__ Taps t) {
  extern __shared__ __align__(16) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  Part part{int(blockIdx.x) * strip - a.shift, int(blockIdx.y) * a.part, 0};
  part.rows = min(a.part, a.rows - part.row);
  if (part.rows <= 0) return;
  const RowCopies row_copies(a, part, inputs);
  const bool whole = part.column >= 0 && part.column + strip <= a.columns;
  const unsigned exist = existing_outputs(a.columns, part.column);

  const T* from =
      a.source + blockIdx.z * a.source_batch + part.row * a.source_row + part.column - lead;
  int fetched = -(height - 1), fetch_slot = 0;  // row 0 is the row of inputs at the first output
  const auto fetch = [&] {
#pragma unroll
    for (int r = 0; r < turn; ++r, from += a.source_row)
      if (fetched + r < part.rows) row_copies.start(from, fetch_slot * turn + r);
    cuda::commit_copies();
    fetched += turn;
    fetch_slot = fetch_slot + 1 == ring ? 0 : fetch_slot + 1;
  };
#pragma unroll
  for (int k = 0; k < ring - 1; ++k) fetch();

  T sum[groups][height][piece] = {};
  T* to = a.target + blockIdx.z * a.target_batch + long(part.row - (height - 1)) * a.target_row +
          part.column + int(threadIdx.x) * piece;
  int slot = 0;
#pragma unroll 1
  for (int row = -(height - 1); row < part.rows;) {
    cuda::await_copies<ring - 2>();
    __syncwarp();
    fetch();
    const T* at = inputs + slot * turn * row_pitch + int(threadIdx.x) * chunk;
    slot = slot + 1 == ring ? 0 : slot + 1;
#pragma unroll unrolled
    for (int r = 0; r < turn; ++r, ++row, at += row_pitch, to += a.target_row) {
      T done[groups][piece];
#pragma unroll
      for (int g = 0; g < groups; ++g) add_row(at + g * 32 * chunk, t, sum[g], done[g]);
      if (unsigned(row) < unsigned(part.rows)) store_row(to, done, whole, exist);
    }
  }
}

}  // namespace stencil::generated
