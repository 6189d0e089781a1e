// Both passes of a separable mask, or of a sum of separable masks, for which multiplying takes
// longer than reading. A warp walks down a strip of columns. It computes the row sums of some rows
// of inputs, once for each term, and writes them to shared memory. Each row of these row sums is
// then added to the sums of all outputs that need it. These sums are in the registers of the lane
// that owns the columns.
#include "kernels/cuda/production/constant_sums.cuh"
#include "kernels/cuda/production/strip.cuh"
#include "kernels/cuda/production/tile_sums.cuh"
#ifndef __CUDACC_RTC__
#include <vector>

#include "kernels/cuda/production/kernels.hpp"
#endif

namespace stencil::cuda {
namespace {

constexpr int most_known_width = 65;  // wider rows of inputs would not stay in registers
/// Largest number of taps of a row that are summed at once. It is limited because a box of inputs
/// has at most 256 columns. Wider masks are summed piece by piece along x.
constexpr int most_piece = 120;

/// Largest number of taps of a row that fit into the arguments of the kernel for masks of any
/// width.
template <class T>
__host__ __device__ constexpr int most_row_taps(int height, int terms) {
  return (3600 / int(sizeof(T)) - terms * height) / terms / 8 * 8;
}

/// Amounts of work of a warp, for masks of one height and of one known width, or of any width
/// (`width` 0). Each value was the fastest of those tried on an H200.
struct SeparableShape {
  static constexpr int rows = box_rows;  ///< number of rows of inputs that are processed at once
  int columns, strip;                    ///< numbers of columns of a lane and of a warp
  int outputs;                           ///< number of outputs of a lane in the row pass
  int rounds;                            ///< number of rounds of the row pass
  /// Number of elements from one row of row sums to the next. In the row pass, eight lanes access
  /// one row each. The distance between the rows is an odd number of chunks of 16 bytes, so that
  /// the lanes use all banks of shared memory.
  int sums_pitch;
  int ahead;  ///< number of rows of inputs before the first row that completes an output
  /// Number of boxes of inputs in shared memory. A single box is refilled during the column pass.
  /// For low masks, reading takes nearly as long as multiplying, so they have two boxes, one of
  /// which is refilled during both passes. Low masks are also faster with fewer resident warps,
  /// because these access fewer addresses at the same time.
  int slots;
  /// Number of warps of a multiprocessor that is assumed when rows are divided into parts: three
  /// for each scheduler if the sums leave enough registers, even if more warps fit. Warps that run
  /// at the same time should be close together in memory.
  int blocks;
  bool known;  ///< the width is known to the compiler

  /// Number of elements of a row of inputs.
  template <class T>
  __host__ __device__ constexpr int pitch_for(int lead, int taps) const {
    constexpr int n = chunk<T>;
    return ((lead + strip + taps - 1 + n - 1) / n | 1) * n;
  }
  /// Number of elements of a box of inputs, with two chunks that loops over taps may read and do
  /// not use.
  template <class T>
  __host__ __device__ constexpr int slot_size(int pitch) const {
    return (rows * pitch + (known ? 0 : 2 * chunk<T>)+31) / 32 * 32;
  }
};

template <class T>
__host__ __device__ constexpr SeparableShape separable_shape(int height, int width, int lead,
                                                             int terms) {
  constexpr int n = chunk<T>;
  SeparableShape shape{};
  shape.known = width > 0;
  // a lane owns 16 bytes of columns if its registers can hold the sums of all outputs to which
  // some, but not all, rows of the mask have been added
  shape.columns = height <= 49 ? n : n / 2;
  shape.strip = 32 * shape.columns;
  shape.outputs = 4 * n;
  shape.rounds = shape.strip / shape.outputs * shape.rows / 32;
  shape.sums_pitch = (shape.strip / n | 1) * n;
  shape.ahead = (height - 1 + shape.rows - 1) / shape.rows * shape.rows;
  shape.slots = sizeof(T) == 4 && width > 0 && height <= 25 ? 2 : 1;
  const int most_sums = width == 0       ? 104  // sums in registers, each of 4 bytes
                        : sizeof(T) == 4 ? 132
                        : lead == 0      ? 116
                                         : 100;
  const int sums = (height + terms - 1) * shape.columns * int(sizeof(T)) / 4;
  shape.blocks = shape.slots == 1 && sums <= most_sums ? 12 : 8;
  return shape;
}

template <class T, int height, int width, int terms>
struct SeparableTaps {
  static constexpr int in_row = width > 0 ? width : most_row_taps<T>(height, terms) + chunk<T>;
  /// For masks of any width, each row is padded in front like the inputs.
  alignas(16) T row[terms][in_row];
  T column[terms][height];
};

/// Reads the row sums of the columns of a lane.
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

/// @tparam known      width of the mask, or 0 for any width
/// @tparam lead       elements from an address aligned to 16 bytes to the first input, for a known
///                    width
/// @tparam terms      number of separable masks whose sum is computed
/// @tparam resume     the target holds the sums over the rows of the mask above this band, from
///                    which the sums continue
/// @param  width      width of the mask
/// @param  piece      taps of a row that are summed at once, if the width is not known
/// @param  any_pitch  pitch of the inputs in shared memory, if the width is not known
template <class T, int height, int known, int lead, int terms, bool resume>
__global__ void __launch_bounds__(32, separable_shape<T>(height, known, lead, terms).blocks)
    strip_separable(const __grid_constant__ InputMap map, const __grid_constant__ StripPlan<T> plan,
                    const __grid_constant__ SeparableTaps<T, height, known, terms> taps,
                    const int width, const int piece, const int any_pitch) {
  constexpr SeparableShape shape = separable_shape<T>(height, known, lead, terms);
  constexpr int n = chunk<T>, columns = shape.columns, outputs = shape.outputs;
  static_assert(shape.strip / outputs * shape.rows == 32 * shape.rounds);
  const int pitch = known > 0 ? shape.template pitch_for<T>(lead, known) : any_pitch;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ __align__(8) unsigned long long barriers[shape.slots];
  T* const inputs = reinterpret_cast<T*>(memory);
  // `[terms, plane]`
  T* const row_sums = inputs + shape.slots * shape.template slot_size<T>(pitch);
  constexpr int plane = shape.rows * shape.sums_pitch;
  const unsigned barrier = unsigned(__cvta_generic_to_shared(barriers));
  const int lane = threadIdx.x, x = lane * columns;
  const StripPart<T, shape.strip> part(plan);
  const unsigned exist = part.outputs_at(x, columns);
  T* to = part.target - shape.ahead * plan.target_row + x;
  if (lane < shape.slots) make_barrier(barrier + 8 * lane, 32);
  __syncwarp();

  // rows before the first input of the part may not exist; the results computed from them are not
  // used
  T sum[height][columns] = {};  // sums of the outputs to which 1, 2, ... rows have been added
  const auto fetch = [&](int row, int first_tap, int slot) {
    if (row < part.rows)
      part.fetch(map, plan, height, row, inputs + slot * shape.template slot_size<T>(pitch), pitch,
                 barrier + 8 * slot, first_tap);
  };
  fetch(-shape.ahead, 0, 0);
  unsigned phase = 0;
  int slot = 0;
  int skip = shape.ahead - (height - 1);  // number of rows of the first box that no output needs
  const int line = lane % shape.rows, place = lane / shape.rows * outputs;
#pragma unroll 1
  for (int row = -shape.ahead; row < part.rows; row += shape.rows, skip = 0) {
    int first_tap = 0;
    do {
      await_together(barrier + 8 * slot, phase);
      __syncwarp();
      const T* const box = inputs + slot * shape.template slot_size<T>(pitch);
      if (++slot == shape.slots) {
        slot = 0;
        phase ^= 1;
      }
      // overwrites inputs that have been summed in an earlier iteration
      if constexpr (shape.slots > 1) fetch(row + shape.rows, 0, slot);
#pragma unroll 1
      for (int k = 0; k < shape.rounds; ++k) {
        const int at = place + k * (32 / shape.rows * outputs);
#pragma unroll
        for (int term = 0; term < terms; ++term) {
          T* const sums = row_sums + term * plane + line * shape.sums_pitch + at;
          T row_sum[1][outputs] = {};
          if constexpr (known > 0) {
            add_line_sums<known, lead>(box + line * pitch + at, 0, taps.row[term], row_sum);
          } else {
            if (first_tap > 0) {
#pragma unroll
              for (int c = 0; c < outputs; c += n) load_chunk(sums + c, row_sum[0] + c);
            }
            add_padded_row<false>(box + line * pitch + at, taps.row[term] + first_tap, plan.lead,
                                  min(piece, width - first_tap), row_sum);
          }
#pragma unroll
          for (int c = 0; c < outputs; c += n) put_chunk(sums + c, row_sum[0] + c);
        }
      }
      __syncwarp();
      if constexpr (known == 0) {
        first_tap += piece;
        if (first_tap < width) fetch(row, first_tap, 0);
      }
    } while (known == 0 && first_tap < width);
    // overwrites the inputs after the row sums have been computed from them
    if constexpr (shape.slots == 1) fetch(row + shape.rows, 0, 0);
    const auto sum_columns = [&](auto store) {
      const T* from = row_sums + skip * shape.sums_pitch + x;
      const T* const end = row_sums + x + min(shape.rows, part.rows - row) * shape.sums_pitch;
      int y = row + skip;
#pragma unroll 1
      do {
        T v[terms][columns], begin[columns] = {};
#pragma unroll
        for (int term = 0; term < terms; ++term) load_columns(from + term * plane, v[term]);
        if constexpr (resume) {  // the output to which its first row is added now
          const int first = y + height - 1;
          const T* const earlier = to + (height - 1) * plan.target_row;
#pragma unroll
          for (int c = 0; c < columns; ++c)
            if (first < part.rows && exist >> c & 1) begin[c] = earlier[c];
        }
        // every sum moves to the next index; the loop is unrolled, so this takes no instructions
#pragma unroll
        for (int j = height - 1; j >= 0; --j)
#pragma unroll
          for (int c = 0; c < columns; ++c) {
            T next = j > 0 ? sum[j - 1][c] : begin[c];
#pragma unroll
            for (int term = 0; term < terms; ++term)
              next = fused(taps.column[term][j], v[term][c], next);
            sum[j][c] = next;
          }
        store();
        to += plan.target_row;
        from += shape.sums_pitch;
        ++y;
      } while (from != end);
    };
    to += skip * plan.target_row;
    // two loops without tests are some percent faster than one loop with tests
    if (part.whole) {
      sum_columns([&] {
        if (row >= 0) store_clean(to, sum[height - 1]);
      });
    } else {
      const unsigned now = row < 0 ? 0 : exist;
      sum_columns([&] { part.store(to, now, sum[height - 1]); });
    }
    __syncwarp();
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

/// Returns the taps of a band as the argument SeparableTaps of the kernel for a known width or for
/// any width.
template <class T>
std::vector<T> make_taps(const KernelArguments<T>& arguments, const Stencil<T>& stencil, bool known,
                         int lead) {
  constexpr std::size_t n = chunk<T>;
  const int height = arguments.height, width = arguments.width, terms = arguments.terms;
  const std::size_t in_row = known ? width : most_row_taps<T>(height, terms) + n;
  std::vector<T> taps(terms * in_row);
  for (int term = 0; term < terms; ++term) {
    std::copy_n(stencil.row.data() + term * width, width,
                taps.begin() + std::ptrdiff_t(term * in_row) + (known ? 0 : lead));
    const T* const column = stencil.column.data() + term * stencil.height + arguments.first_tap;
    taps.insert(taps.end(), column, column + height);
  }
  taps.resize((taps.size() + n - 1) / n * n);
  return taps;
}

/// Returns the number of taps that are summed at once: a row is divided into about equal pieces of
/// whole chunks.
int piece_of(int width) {
  const int pieces = (width + most_piece - 1) / most_piece;
  return pieces == 1 ? width : ((width + pieces - 1) / pieces + 3) / 4 * 4;
}

}  // namespace

template <class T>
bool fits_strip_separable(const KernelArguments<T>& arguments) {
  return can_map_inputs(arguments) && arguments.height <= (sizeof(T) == 4 ? 65 : 33) &&
         arguments.terms <= 3 &&
         arguments.width <= most_row_taps<T>(arguments.height, arguments.terms);
}

template <class T>
void launch_strip_separable(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                            CUstream_st* stream) {
  const int height = arguments.height, width = arguments.width, terms = arguments.terms;
  const StripPlan<T> plan = plan_strips(arguments);
  const int known = width <= most_known_width ? width : 0, lead = known > 0 ? plan.lead : 0;
  const SeparableShape shape = separable_shape<T>(height, known, lead, terms);
  const LoadedKernel& kernel =
      instance("strip_separable.cu",
               instance_name<T>("strip_separable", height, known, lead, terms, arguments.resume));
  const int piece = piece_of(width), pitch = shape.pitch_for<T>(plan.lead, piece);
  const bool reads_most = terms * (height + width) <= 56;
  std::size_t bytes = sizeof(T) * (std::size_t(shape.slots) * shape.slot_size<T>(pitch) +
                                   std::size_t(terms) * shape.rows * shape.sums_pitch);
  // Limits the number of blocks on a multiprocessor, because more blocks access more addresses at
  // the same time: for a mask of 22 x 22, 16 blocks instead of 12 took a tenth longer.
  if (reads_most) bytes = std::max(bytes, shared_bytes_of_one_of(shape.blocks));
  const StripCut cut{shape.blocks, shape.rows, reads_most, false};
  launch_strips(kernel, arguments, plan, shape.strip, pitch, bytes, cut, stream,
                make_taps(arguments, stencil, known > 0, plan.lead), width, piece, pitch);
}

template bool fits_strip_separable(const KernelArguments<float>&);
template bool fits_strip_separable(const KernelArguments<double>&);
template void launch_strip_separable(const KernelArguments<float>&, const Stencil<float>&,
                                     CUstream_st*);
template void launch_strip_separable(const KernelArguments<double>&, const Stencil<double>&,
                                     CUstream_st*);

#endif

}  // namespace stencil::cuda
