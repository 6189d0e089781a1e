#pragma once

#include "kernels/cuda/production/chunk.cuh"

namespace stencil::cuda {

/// Returns the number of elements of memory for a row of inputs with the layout Spans, for
/// `threads` threads and a mask of this width.
template <class T>
__host__ __device__ constexpr int span_row_size(int stride, int outputs, int threads, int width) {
  const int n = chunk<T>, span = stride * outputs, pad = span / n % 2 == 0 ? n : 0;
  const int last = (threads * span + width + n - 1) / n * n;
  return last + last / span * pad + n;
}

/// Layout of rows of inputs in shared memory for threads that sum `outputs` neighbouring outputs
/// each. The first inputs of two neighbouring threads are one span apart. A span occupies an odd
/// number of chunks of memory, so that eight neighbouring threads read from all banks at once.
template <class T, int stride, int outputs>
struct Spans {
  static constexpr int n = chunk<T>, outputs_of_thread = outputs, span = stride * outputs;
  static_assert(span % n == 0);
  static constexpr int pad = span / n % 2 == 0 ? n : 0, pitch = span + pad;

  /// Position of element e of a row in memory.
  static __host__ __device__ constexpr int at(int e) { return e + e / span * pad; }
};

/// Returns the number of elements of shared memory for a row of taps: whole chunks, and one more
/// chunk that is read in advance.
template <class T>
__host__ __device__ constexpr int tap_pitch(int width) {
  return (width + chunk<T> - 1) / chunk<T> * chunk<T> + chunk<T>;
}

/// The sums of one thread, its window of inputs that slides along a row, and its current and its
/// next chunk of taps.
///
/// Tap t is multiplied by element t + k * stride in sum k, so the window has elements t to t +
/// reach. The window is cyclic: in a loop over `period` taps, all its indices are constants. The
/// functions are recursive templates because the compiler unrolls long loops too late to keep the
/// window in registers.
template <bool skip_zeros, int stride, int outputs, class T>
struct StridedWindow {
  using Layout = Spans<T, stride, outputs>;
  static constexpr int n = chunk<T>, reach = (outputs - 1) * stride;
  static constexpr int period = (reach + n + Layout::span - 1) / Layout::span * Layout::span;
  T window[period];
  T tap[n], next[n];
  T (&sum)[outputs];

  /// Reads the chunks that begin at element e or later and before element `reach`.
  template <int e = 0>
  __device__ __forceinline__ void read_reach(const T* from) {
    if constexpr (e < reach) {
      load_chunk(from + Layout::at(e), window + e % period);
      read_reach<e + n>(from);
    }
  }
  /// Adds tap e of the chunk of taps that begins at tap t.
  template <int t, int e>
  __device__ __forceinline__ void add(const T* from) {
    constexpr int last = t + e + reach;
    if constexpr (last % n == 0) load_chunk(from + Layout::at(last), window + last % period);
    if (skip_zeros && tap[e] == 0) return;
#pragma unroll
    for (int k = 0; k < outputs; ++k)
      sum[k] = fused(tap[e], window[(t + e + k * stride) % period], sum[k]);
  }
  template <int t, int e = 0>
  __device__ __forceinline__ void add_chunk(const T* from) {
    add<t, e>(from);
    if constexpr (e + 1 < n) add_chunk<t, e + 1>(from);
  }
  /// Adds the first `count` taps of a chunk.
  /// @pre count < n
  template <int t, int e = 0>
  __device__ __forceinline__ void add_part(const T* from, int count) {
    if (e >= count) return;
    add<t, e>(from);
    if constexpr (e + 2 < n) add_part<t, e + 1>(from, count);
  }
  /// Adds the next taps, at most a period of them. Returns whether there may be more taps.
  template <int t = 0>
  __device__ __forceinline__ bool add_period(const T* from, const T* taps, int width) {
#pragma unroll
    for (int e = 0; e < n; ++e) tap[e] = next[e];
    if (width < t + n) {
      add_part<t>(from, width - t);
      return false;
    }
    load_chunk(taps + t + n, next);
    add_chunk<t>(from);
    if constexpr (t + n < period) return add_period<t + n>(from, taps, width);
    return true;
  }
};

/// `sum[k] += sum_i taps[i] * from[k * stride + i]`, one tap after the other. Every input is read
/// from shared memory once per thread.
///
/// @param from  element 0 of the thread's first output, placed as in Spans: a multiple of a span
/// @param taps  aligned to 16 bytes, with one more readable chunk after the last tap
template <bool skip_zeros, int stride, int outputs, class T>
__device__ __forceinline__ void strided_sums(const T* from, const T* taps, int width,
                                             T (&sum)[outputs]) {
  using Window = StridedWindow<skip_zeros, stride, outputs, T>;
  Window row{{}, {}, {}, sum};
  load_chunk(taps, row.next);
  row.read_reach(from);
#pragma unroll 1
  while (row.add_period(from, taps, width)) {
    width -= Window::period;
    taps += Window::period;
    from += Window::Layout::at(Window::period);
  }
}

/// Like strided_sums, for taps from `first` on in the constant bank.
template <int stride, int width, int first, class T, int outputs, int count>
__device__ __forceinline__ void strided_sums_fixed(const T* from, const T (&taps)[count],
                                                   T (&sum)[outputs]) {
  using Layout = Spans<T, stride, outputs>;
  constexpr int n = chunk<T>, chunks = ((outputs - 1) * stride + width + n - 1) / n;
  T window[chunks * n];
#pragma unroll
  for (int c = 0; c < chunks; ++c) load_chunk(from + Layout::at(c * n), window + c * n);
#pragma unroll
  for (int i = 0; i < width; ++i) {
#pragma unroll
    for (int k = 0; k < outputs; ++k)
      sum[k] = fused(taps[first + i], window[i + k * stride], sum[k]);
  }
}

}  // namespace stencil::cuda
