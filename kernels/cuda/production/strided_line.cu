// Masks along x with a stride. Each warp works independently. While it sums a piece of a row, it
// copies the inputs of the next piece to shared memory. Each thread sums neighbouring outputs, with
// a window that slides over the inputs, so that an input is read from shared memory once for all
// outputs of the thread.
#include <cstddef>
#include <cstdint>

#include "kernels/cuda/production/strided_stage.cuh"
#ifndef __CUDACC_RTC__
#include <algorithm>

#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/launch_plan.cuh"
#endif

namespace stencil::cuda {
namespace {

constexpr int stages = 2;  // pieces in shared memory: one is read while the other is filled
template <class T>
constexpr int outputs = 2 * chunk<T>;  // number of outputs of one thread
template <class T>
constexpr int piece_columns = 32 * outputs<T>;

template <class T>
struct StridedLinePlan {
  KernelArguments<T> arguments;
  int shift;        ///< number of outputs from the start of the first piece to the first output
  int granule;      ///< alignment of the inputs of pieces in bytes
  int warps;        ///< number of warps of a block
  int pitch, taps;  ///< numbers of elements of a piece of inputs and of the taps
  unsigned pieces;  ///< number of pieces of a row
  unsigned blocks;
  std::size_t bytes;

  int threads() const { return 32 * warps; }
};

/// The pieces of a warp. They are every `step`-th piece of the launch.
template <class T>
struct Pieces {
  unsigned piece, y, b;  ///< index of the piece in its row, the row in its batch, the batch

  __device__ Pieces(const StridedLinePlan<T>& plan, unsigned index)
      : piece(index % plan.pieces),
        y(index / plan.pieces % unsigned(plan.arguments.rows)),
        b(index / plan.pieces / unsigned(plan.arguments.rows)) {}

  __device__ void advance(const StridedLinePlan<T>& plan, const Pieces& step) {
    piece += step.piece, y += step.y, b += step.b;
    if (piece >= plan.pieces) piece -= plan.pieces, ++y;
    if (y >= unsigned(plan.arguments.rows)) y -= unsigned(plan.arguments.rows), ++b;
  }
  __device__ bool exist(const StridedLinePlan<T>& plan) const {
    return b < unsigned(plan.arguments.batches);
  }
  __device__ long column(const StridedLinePlan<T>& plan) const {
    return long(piece) * piece_columns<T> - plan.shift;
  }
  __device__ int first(const StridedLinePlan<T>& plan) const { return piece == 0 ? plan.shift : 0; }
  __device__ int last(const StridedLinePlan<T>& plan) const {
    return int(min(long(piece_columns<T>), plan.arguments.columns - column(plan)));
  }
};

/// Transposes the results of a warp in shared memory and writes whole cache lines.
///
/// @param to           column 0; the columns [first, last) exist
/// @param all_aligned  all columns exist, and column 0 is aligned to 16 bytes
template <class T>
__device__ __forceinline__ void store_turned(T* to, int first, int last, bool all_aligned, T* turn,
                                             T (&sum)[outputs<T>]) {
  constexpr int n = chunk<T>, pitch = outputs<T> + n;
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < outputs<T>; ++k) sum[k] = clean(sum[k]);
#pragma unroll
  for (int c = 0; c < outputs<T>; c += n) put_chunk(turn + lane * pitch + c, sum + c);
  __syncwarp();
  if (all_aligned) {
#pragma unroll
    for (int c = 0; c < outputs<T> / n; ++c) {
      const int x = (c * 32 + lane) * n;
      load_chunk(turn + x / outputs<T> * pitch + x % outputs<T>, sum + c * n);
      stream_chunk(to + x, sum + c * n);
    }
    return;
  }
#pragma unroll
  for (int k = 0; k < outputs<T>; ++k) {
    const int x = k * 32 + lane;
    if (x >= first && x < last) __stcs(to + x, turn[x / outputs<T> * pitch + x % outputs<T>]);
  }
}

template <class T, int stride>
__global__ void __launch_bounds__(256)
    strided_line(const __grid_constant__ StridedLinePlan<T> plan) {
  using Layout = Spans<T, stride, outputs<T>>;
  extern __shared__ __align__(16) unsigned char memory[];
  const KernelArguments<T>& arguments = plan.arguments;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  T* const taps = reinterpret_cast<T*>(memory);
  T* const inputs = taps + plan.taps + warp * stages * plan.pitch;
  for (int i = threadIdx.x; i < arguments.width; i += blockDim.x) taps[i] = arguments.taps[i];
  __syncthreads();
  const Pieces<T> step(plan, gridDim.x * unsigned(plan.warps));
  const auto start = [&](const Pieces<T>& at, int stage) {
    if (at.exist(plan)) {
      const T* const from = arguments.source + at.b * arguments.source_batch +
                            at.y * arguments.source_row + at.column(plan) * stride;
      stage_spans<Layout>(
          RowSource<T>{from, 0, at.first(plan) * stride,
                       (at.last(plan) - 1) * stride + arguments.width, plan.granule},
          inputs + stage * plan.pitch);
    }
    commit_copies();
  };
  Pieces<T> now(plan, blockIdx.x * unsigned(plan.warps) + unsigned(warp));
  start(now, 0);
  for (int stage = 0; now.exist(plan); stage = 1 - stage) {
    Pieces<T> next = now;
    next.advance(plan, step);
    start(next, 1 - stage);
    await_copies<1>();
    __syncwarp();
    T* const from = inputs + stage * plan.pitch;
    T sum[outputs<T>] = {};
    strided_sums<false, stride>(from + lane * Layout::pitch, taps, arguments.width, sum);
    __syncwarp();
    T* const to = arguments.target + now.b * arguments.target_batch + now.y * arguments.target_row +
                  now.column(plan);
    const int first = now.first(plan), last = now.last(plan);
    const bool all = first == 0 && last == piece_columns<T>;
    store_turned(to, first, last, all && reinterpret_cast<std::uintptr_t>(to) % 16 == 0, from, sum);
    __syncwarp();
    now = next;
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

template <class T>
const LoadedKernel& kernel_for(long stride) {
  return instance("strided_line.cu", instance_name<T>("strided_line", stride));
}

/// Number of elements of shared memory of a piece of inputs; the results use the same memory.
template <class T>
int piece_pitch(int stride, int width) {
  const int span = stride * outputs<T>, n = chunk<T>;
  const int last = (32 * span + width + n - 1) / n * n;
  const int pad = span / n % 2 == 0 ? n : 0;
  return std::max(last + last / span * pad + n, 32 * (outputs<T> + n));
}

template <class T>
bool find_plan(const KernelArguments<T>& arguments, StridedLinePlan<T>& best) {
  StridedLinePlan<T> plan{};
  plan.arguments = arguments;
  plan.granule = granule_of(arguments, 0);
  for (int shift = 1; shift < chunk<T>; ++shift) {
    if (granule_of(arguments, shift) <= plan.granule) continue;
    plan.shift = shift;
    plan.granule = granule_of(arguments, shift);
  }
  plan.pitch = piece_pitch<T>(int(arguments.stride_x), arguments.width);
  plan.taps = tap_pitch<T>(arguments.width);
  const long pieces = (arguments.columns + plan.shift + piece_columns<T> - 1) / piece_columns<T>;
  const long all = pieces * arguments.rows * arguments.batches;
  if (all > 0x7fffffffL) return false;
  plan.pieces = unsigned(pieces);
  int most = 0;
  for (const int warps : {4, 8, 2, 1}) {
    plan.warps = warps;
    plan.bytes = sizeof(T) * (std::size_t(plan.taps) + std::size_t(warps * stages) * plan.pitch);
    const int blocks =
        resident_blocks(kernel_for<T>(arguments.stride_x), plan.threads(), plan.bytes);
    if (blocks * warps <= most) continue;
    most = blocks * warps;
    plan.blocks = unsigned(std::min((all + warps - 1) / warps, long(blocks) * multiprocessors()));
    best = plan;
  }
  return most > 0;
}

}  // namespace

template <class T>
bool fits_strided_line(const KernelArguments<T>& arguments) {
  StridedLinePlan<T> plan;
  return arguments.stride_x >= 2 && arguments.stride_x <= 16 && arguments.width < 100000 &&
         find_plan(arguments, plan);
}

template <class T>
void launch_strided_line(const KernelArguments<T>& arguments, const Stencil<T>& /*stencil*/,
                         CUstream_st* stream) {
  StridedLinePlan<T> plan;
  find_plan(arguments, plan);
  launch_instance(kernel_for<T>(arguments.stride_x), dim3(plan.blocks), plan.threads(), plan.bytes,
                  stream, plan);
}

template bool fits_strided_line(const KernelArguments<float>&);
template bool fits_strided_line(const KernelArguments<double>&);
template void launch_strided_line(const KernelArguments<float>&, const Stencil<float>&,
                                  CUstream_st*);
template void launch_strided_line(const KernelArguments<double>&, const Stencil<double>&,
                                  CUstream_st*);

#endif

}  // namespace stencil::cuda
