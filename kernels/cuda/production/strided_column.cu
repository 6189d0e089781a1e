// Masks along y with a stride. Each thread walks down a chunk of columns. It copies inputs to its
// part of shared memory some rows in advance, and keeps the sums of all outputs to which the
// current row contributes. The number of these sums is the number of strides in the mask. Thus each
// input is read once.
#include "kernels/cuda/production/strided_walk.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#endif

namespace stencil::cuda {
namespace {

constexpr int group = 4;         // number of rows of inputs that are awaited together
constexpr int groups_ahead = 3;  // groups that are being copied while one group is added
constexpr int ring_rows = (groups_ahead + 1) * group;
constexpr int most_threads = 128;

/// Returns the largest number of blocks of a multiprocessor for which the registers of a thread
/// hold its sums and a group of rows. The arguments are numbers of registers: for the sums, and for
/// one row.
constexpr int blocks_of(int sums, int row) {
  return 65536 / most_threads / (sums * 5 / 4 + group * row + 44);
}

template <class T>
struct StridedColumnPlan {
  KernelArguments<T> arguments;
  int shift;         ///< number of columns from the first chunk's start to the first output
  bool aligned;      ///< chunks of targets are aligned to 16 bytes
  int phases;        ///< rows of inputs that one output reads and the previous output does not
  int pitch;         ///< number of elements of the taps of one phase
  int threads;       ///< number of threads of a block
  int segment_rows;  ///< number of rows of outputs of a block
};

/// One chunk of columns, or one column, of a segment.
template <class T, int n>
struct Columns {
  const T* source;
  T* target;
  int first, last;  ///< columns that exist

  __device__ bool whole() const { return first <= 0 && last >= n; }
  __device__ __forceinline__ void start(T* to, const T* from) const {
    if (whole()) return start_copy<n* int(sizeof(T))>(to, from);
#pragma unroll
    for (int v = 0; v < n; ++v) {
      if (v >= first && v < last) start_copy<int(sizeof(T))>(to + v, from + v);
    }
  }
  /// Reads the sums that another launch has stored.
  __device__ __forceinline__ void load_sums(const T* from, T (&sum)[n]) const {
#pragma unroll
    for (int v = 0; v < n; ++v) {
      if (v >= first && v < last) sum[v] = from[v];
    }
  }
  __device__ __forceinline__ void store(T* to, bool aligned, const T (&sum)[n]) const {
    if constexpr (n > 1) {
      if (aligned && whole()) return stream_chunk(to, sum);
    }
#pragma unroll
    for (int v = 0; v < n; ++v) {
      if (v >= first && v < last) __stcs(to + v, sum[v]);
    }
  }
};

/// @param ages  number of sums that a thread keeps: sum a belongs to the output that began a
///              strides ago
/// @param sure  number of these sums that have a tap in every phase
/// @param n     number of columns of a thread
template <class T, int ages, int sure, int n>
__global__ void __launch_bounds__(most_threads,
                                  blocks_of(ages* n* int(sizeof(T)) / 4, n* int(sizeof(T)) / 4))
    strided_column(const __grid_constant__ StridedColumnPlan<T> plan) {
  extern __shared__ __align__(16) unsigned char memory[];
  const KernelArguments<T>& arguments = plan.arguments;
  T* const own = reinterpret_cast<T*>(memory) + threadIdx.x * n;
  const int pitch = blockDim.x * n;  // number of elements of a row of inputs in the ring
  T* const table = reinterpret_cast<T*>(memory) + ring_rows * pitch;
  for (int k = threadIdx.x; k < plan.phases * plan.pitch; k += blockDim.x) {
    const int tap = k % plan.pitch * plan.phases + k / plan.pitch;
    table[k] = tap < arguments.height ? arguments.taps[tap] : T(0);
  }
  __syncthreads();
  const long x = (long(blockIdx.x) * blockDim.x + threadIdx.x) * n - plan.shift, b = blockIdx.z;
  if (x >= arguments.columns) return;
  const long y = long(blockIdx.y) * plan.segment_rows;
  const int outputs = int(min(long(plan.segment_rows), arguments.rows - y));
  const Columns<T, n> columns{
      arguments.source + b * arguments.source_batch +
          y * arguments.stride_y * arguments.source_row + x,
      arguments.target + b * arguments.target_batch + y * arguments.target_row + x,
      x < 0 ? int(-x) : 0, int(min(long(n), arguments.columns - x))};
  int left = (outputs - 1) * plan.phases + arguments.height;  // number of rows of inputs to read
  int read_phase = 0;
  const T* from = columns.source;
  const long skipped = (arguments.stride_y - plan.phases + 1) * arguments.source_row;
  int place = 0;  // place of the next group in the ring
  const auto start = [&] {
#pragma unroll
    for (int u = 0; u < group; ++u) {
      if (u < left) columns.start(own + (place + u) * pitch, from);
      if (++read_phase == plan.phases) {
        read_phase = 0;
        from += skipped;
      } else {
        from += arguments.source_row;
      }
    }
    commit_copies();
    left -= group;
    place = place + group == ring_rows ? 0 : place + group;
  };
  T sum[ages][n] = {};
  const auto begin = [&](int output) {
    if (arguments.resume && output < outputs)
      columns.load_sums(columns.target + output * arguments.target_row, sum[0]);
  };
  begin(0);
  for (int g = 0; g < groups_ahead; ++g) start();
  // `begun`: number of outputs whose first row has been read, not counting the newest output
  int phase = 0, begun = 0;
  int now = 0;  // place of the current group in the ring
  while (begun < outputs + ages - 1) {
    await_copies<groups_ahead - 1>();
    T rows[group][n];
#pragma unroll
    for (int u = 0; u < group; ++u) {
      const T* const row = own + (now + u) * pitch;
      if constexpr (n > 1) {
        load_chunk(row, rows[u]);
      } else {
        rows[u][0] = *row;
      }
    }
    now = now + group == ring_rows ? 0 : now + group;
    start();  // copies to the place of the previous group
#pragma unroll
    for (int u = 0; u < group; ++u) {
      const T* const taps = table + phase * plan.pitch;
#pragma unroll
      for (int g = 0; g < ages; g += chunk<T>) {
        T tap[chunk<T>];
        load_chunk(taps + g, tap);
#pragma unroll
        for (int a = g; a < ages && a < g + chunk<T>; ++a) {
          if (a >= sure && a * plan.phases + phase >= arguments.height) continue;
#pragma unroll
          for (int v = 0; v < n; ++v) sum[a][v] = fused(tap[a - g], rows[u][v], sum[a][v]);
        }
      }
      if (++phase < plan.phases) continue;
      phase = 0;
      const int done = begun++ - (ages - 1);
      if (done >= 0 && done < outputs) {
        if (arguments.finish) {
#pragma unroll
          for (int v = 0; v < n; ++v) sum[ages - 1][v] = clean(sum[ages - 1][v]);
        }
        columns.store(columns.target + done * arguments.target_row, plan.aligned, sum[ages - 1]);
      }
#pragma unroll
      for (int a = ages - 1; a > 0; --a) {
#pragma unroll
        for (int v = 0; v < n; ++v) sum[a][v] = sum[a - 1][v];
      }
#pragma unroll
      for (int v = 0; v < n; ++v) sum[0][v] = 0;
      begin(begun);
    }
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

/// @param n  number of columns of a thread
template <class T>
void launch(const KernelArguments<T>& arguments, int n, int shift, CUstream_st* stream) {
  StridedColumnPlan<T> plan{};
  plan.arguments = arguments;
  plan.shift = shift;
  plan.aligned = target_shift(arguments) == shift;
  plan.phases = int(std::min(arguments.stride_y, long(arguments.height)));
  const int ages = (arguments.height + plan.phases - 1) / plan.phases;
  plan.pitch = most_strided_ages;
  const long wide = (arguments.columns + shift + n - 1) / n;
  plan.threads = int(std::min(long(most_threads), (wide + 31) / 32 * 32));
  const LoadedKernel& kernel =
      instance("strided_column.cu",
               instance_name<T>("strided_column", ages, arguments.height / plan.phases, n));
  if (arguments.batches == 0) return;
  const std::size_t bytes = sizeof(T) * (std::size_t(plan.phases) * plan.pitch +
                                         std::size_t(ring_rows) * plan.threads * n);
  const long strips = (wide + plan.threads - 1) / plan.threads;
  const long blocks = resident_blocks(kernel, plan.threads, bytes) * long(multiprocessors());
  plan.segment_rows = segment_rows(arguments, strips * arguments.batches, blocks, 1);
  const dim3 grid(unsigned(strips),
                  unsigned((arguments.rows + plan.segment_rows - 1) / plan.segment_rows),
                  unsigned(arguments.batches));
  launch_instance(kernel, grid, plan.threads, bytes, stream, plan);
}

}  // namespace

template <class T>
void launch_strided_column(const KernelArguments<T>& arguments, const Stencil<T>& /*stencil*/,
                           CUstream_st* stream) {
  for (int shift = 0; shift < chunk<T>; ++shift) {
    if (granule_of(arguments, shift) == 16) return launch(arguments, chunk<T>, shift, stream);
  }
  launch(arguments, 1, 0, stream);
}

template void launch_strided_column(const KernelArguments<float>&, const Stencil<float>&,
                                    CUstream_st*);
template void launch_strided_column(const KernelArguments<double>&, const Stencil<double>&,
                                    CUstream_st*);

#endif

}  // namespace stencil::cuda
