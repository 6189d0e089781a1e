#pragma once

#include "kernels/cuda/fft/butterfly.cuh"
#include "kernels/cuda/fft/tables.hpp"

// The passes of a transform as in FftPlan. Point q of sequence l is stored as point 8 q + l, so all
// sequences of a part of `n` points each are `8 n` consecutive points.

namespace stencil::cuda {

/// The twiddles of one butterfly: a row of `radix` numbers, the first of which is 1, so that the
/// row is aligned for wide loads.
template <int radix, class T>
struct TwiddleRow {
  alignas(16) Complex<T> of[radix];

  __device__ __forceinline__ TwiddleRow(const Complex<T>* twiddles, int row) {
    const auto* from = reinterpret_cast<const float4*>(twiddles + radix * row);
    constexpr int quads = int(sizeof of / sizeof(float4)), first = sizeof(T) == 4 ? 0 : 1;
#pragma unroll
    for (int k = first; k < quads; ++k) reinterpret_cast<float4*>(of)[k] = __ldg(from + k);
  }
};

/// One butterfly of a forward pass over parts of `2^log_part` points.
///
/// @tparam log_sequences  log2 of the number of sequences whose points are adjacent
/// @param unit      index of the butterfly among those of all parts
/// @param twiddles  twiddles of the pass
/// @param from, to  objects that load and store the points of a butterfly, given the index of the
///                  first point and log2 of the distance of the points
template <int radix, int log_sequences = 3, class T, class From, class To>
__device__ __forceinline__ void forward_butterfly(int unit, int log_part,
                                                  const Complex<T>* twiddles, const From& from,
                                                  To& to) {
  const int log_leg = log_part - (radix == 8 ? 3 : 2);
  const int j = unit & ((1 << log_leg) - 1), base = (unit >> log_leg << log_part) + j;
  Complex<T> x[radix];
  from.load(base, log_leg, x);
  butterfly<false>(x);
  const TwiddleRow<radix, T> w(twiddles, j >> log_sequences);
#pragma unroll
  for (int m = 1; m < radix; ++m) x[m] = x[m].template times<false>(w.of[m]);
  to.store(base, log_leg, x);
}

/// One butterfly of an inverse pass: the inverse of forward_butterfly(), except for a factor of
/// `radix`.
template <int radix, int log_sequences = 3, class T, class From, class To>
__device__ __forceinline__ void inverse_butterfly(int unit, int log_part,
                                                  const Complex<T>* twiddles, const From& from,
                                                  To& to) {
  const int log_leg = log_part - (radix == 8 ? 3 : 2);
  const int j = unit & ((1 << log_leg) - 1), base = (unit >> log_leg << log_part) + j;
  const TwiddleRow<radix, T> w(twiddles, j >> log_sequences);
  Complex<T> x[radix];
  from.load(base, log_leg, x);
#pragma unroll
  for (int m = 1; m < radix; ++m) x[m] = x[m].template times<true>(w.of[m]);
  butterfly<true>(x);
  to.store(base, log_leg, x);
}

/// The points of a part in device memory.
template <class T>
struct InMemory {
  Complex<T>* points;

  template <int radix>
  __device__ __forceinline__ void load(int base, int log_leg, Complex<T> (&x)[radix]) const {
#pragma unroll
    for (int k = 0; k < radix; ++k) x[k] = points[base + (k << log_leg)];
  }
  template <int radix>
  __device__ __forceinline__ void store(int base, int log_leg, const Complex<T> (&x)[radix]) const {
#pragma unroll
    for (int k = 0; k < radix; ++k) points[base + (k << log_leg)] = x[k];
  }
};

/// The points of a part in shared memory. In float32 a gap of 8 points follows every 64 points, so
/// that threads that read 8 x 8 points each use different banks.
template <class T>
struct OnChip {
  Complex<T>* points;

  __host__ __device__ static constexpr int padded(int points) {
    return sizeof(T) == 4 ? points + (points >> 6 << 3) : points;
  }
  /// Number of points from one part of a group to the next, such that threads with different parts
  /// use different banks.
  __host__ __device__ static constexpr int pitch(int points, int log_group) {
    return padded(points) + (log_group == 0 ? 0 : int(64 / sizeof(T)) >> log_group);
  }
  /// @pre log_leg >= 6
  template <int radix>
  __device__ __forceinline__ void load(int base, int log_leg, Complex<T> (&x)[radix]) const {
    const Complex<T>* from = points + padded(base);
    const int step = padded(1 << log_leg);
#pragma unroll
    for (int k = 0; k < radix; ++k) x[k] = from[k * step];
  }
  template <int radix>
  __device__ __forceinline__ void store(int base, int log_leg, const Complex<T> (&x)[radix]) const {
    Complex<T>* to = points + padded(base);
    const int step = padded(1 << log_leg);
#pragma unroll
    for (int k = 0; k < radix; ++k) to[k * step] = x[k];
  }
};

/// Processes 8 points of all sequences at the end of their transforms, by 8 threads: the last
/// butterfly, the transform across the sequences, the product with the spectrum, and the inverse of
/// both. The threads exchange points within the 8 x 8 points. Row k is stored with its columns
/// permuted (l ^ k), so that neither rows nor columns have bank conflicts.
///
/// @param square    the 8 x 8 points, the same for 8 adjacent threads
/// @param l         index of this thread among the 8
/// @param turns, spectrum  turns and spectrum of these points
template <class T>
__device__ __forceinline__ void multiply_octet(Complex<T>* square, int l, const Complex<T>* turns,
                                               const Complex<T>* spectrum) {
  Complex<T> x[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] = square[8 * k + l];
  butterfly<false>(x);
  __syncwarp();
#pragma unroll
  for (int k = 0; k < 8; ++k)
    square[8 * k + (l ^ k)] = x[k].template times<false>(turns[8 * k + l]);
  __syncwarp();
#pragma unroll
  for (int m = 0; m < 8; ++m) x[m] = square[8 * l + (m ^ l)];
  butterfly<false>(x);
#pragma unroll
  for (int m = 0; m < 8; ++m) x[m] = x[m].template times<false>(spectrum[8 * m + l]);
  butterfly<true>(x);
#pragma unroll
  for (int m = 0; m < 8; ++m) square[8 * l + (m ^ l)] = x[m];
  __syncwarp();
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] = square[8 * k + (l ^ k)].template times<true>(turns[8 * k + l]);
  butterfly<true>(x);
  __syncwarp();
#pragma unroll
  for (int k = 0; k < 8; ++k) square[8 * k + l] = x[k];
}

}  // namespace stencil::cuda
