#pragma once

#include "kernels/cpu/fft_pair.hpp"
#include "kernels/cpu/vector/fft_square.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

template <class T>
Complex<Pack<T>> twiddle(const T* w) {
  return {Pack<T>::splat(w[0]), Pack<T>::splat(w[1])};
}

/// Computes `count` butterflies of a forward pass (FftPlan), in place or not.
///
/// @param twiddles  twiddles of the first butterfly; those of the others follow
template <int radix, class T, class From, class To>
[[gnu::always_inline]] inline void forward_pass(const From& from, To& to, const T* twiddles,
                                                Index count) {
  for (Index j = 0; j < count; ++j) {
#pragma GCC unroll 1
    for (int part = 0; part < Octet<T>::parts; ++part) {
      Complex<Pack<T>> x[radix];
#pragma GCC unroll 8
      for (int k = 0; k < radix; ++k) x[k] = from.load(j, k, part);
      butterfly<false>(x);
      to.store(j, 0, part, x[0]);
#pragma GCC unroll 8
      for (int m = 1; m < radix; ++m)
        to.store(j, m, part, x[m].template times<false>(twiddle(twiddles + 2 * (m - 1))));
    }
    twiddles += 2 * (radix - 1);
  }
}

/// Computes an inverse pass: the inverse of forward_pass(), except for a factor of `radix`.
template <int radix, class T, class From, class To>
[[gnu::always_inline]] inline void inverse_pass(const From& from, To& to, const T* twiddles,
                                                Index count) {
  for (Index j = 0; j < count; ++j) {
#pragma GCC unroll 1
    for (int part = 0; part < Octet<T>::parts; ++part) {
      Complex<Pack<T>> x[radix];
      x[0] = from.load(j, 0, part);
#pragma GCC unroll 8
      for (int m = 1; m < radix; ++m)
        x[m] = from.load(j, m, part).template times<true>(twiddle(twiddles + 2 * (m - 1)));
      butterfly<true>(x);
#pragma GCC unroll 8
      for (int k = 0; k < radix; ++k) to.store(j, k, part, x[k]);
    }
    twiddles += 2 * (radix - 1);
  }
}

/// Memory traffic that overlaps with the transforms. Three times per group of 8 points, some inputs
/// of later pairs are prefetched. At the same times some results of earlier pairs are copied to
/// their targets, or some elements of targets are prefetched, so that the stores of the last pass
/// need not wait. If this traffic were not spread over time, the store buffers of the processor,
/// which are emptied at the speed of memory, would fill up, and all work would wait.
template <class T>
class FftTraffic {
 public:
  /// @param count  number of pairs
  FftTraffic(const FftTables<T>& tables, const FftPair<T>* pairs, int count = Octet<T>::pairs)
      : pairs_(pairs),
        count_(count),
        inputs_(tables.inputs + tables.outputs),
        outputs_(2 * tables.outputs),
        buffer_(tables.points, tables.radices[0], tables.outputs),
        past_caches_(tables.past_caches) {
    const Index times = 3 * tables.points / 64;
    some_inputs_ = (inputs_ / line + times) / times * line;
    some_outputs_ = (outputs_ / line + times - 1) / times * line;
  }

  void advance() {
    for (int p = 0; p < count_; ++p) {
      const FftPair<T>& pair = pairs_[p];
      if (pair.next)
        for (Index k = fetched_; k < fetched_ + some_inputs_ && k < inputs_; k += line)
          __builtin_prefetch(pair.next + k, 0, 2);
      if (pair.fetches_target)
        for (Index k = written_; k < written_ + some_outputs_ && k < outputs_; k += line)
          __builtin_prefetch(pair.target + k, 1, 3);
      if (pair.finished) copy_some(pair);
    }
    fetched_ += some_inputs_;
    written_ += some_outputs_;
  }

  /// Prefetches tables if they would evict the points from the second-level cache. The tables
  /// bypass that cache, and are fetched early because of the long latency.
  ///
  /// @param turns, spectrum  turns and spectrum of the current octet
  void fetch_tables(const FftEight<T>* turns, const FftEight<T>* spectrum) const {
    constexpr Index ahead = 2 * 8;
    if (!past_caches_) return;
    const T *next_turns = turns[ahead].re, *next_spectrum = spectrum[ahead].re;
#pragma GCC unroll 16
    for (Index k = 0; k < 8 * 16; k += line) {
      __builtin_prefetch(next_turns + k, 0, 0);
      __builtin_prefetch(next_spectrum + k, 0, 0);
    }
  }

 private:
  static constexpr Index line = 64 / sizeof(T);

  void copy_some(const FftPair<T>& pair) const {
    const Index end = written_ + some_outputs_ < outputs_ ? written_ + some_outputs_ : outputs_;
    for (Index k = written_; k < end;) {
      const Index run = k + buffer_.run(k), stop = run < end ? run : end;
      const T* const from = pair.finished + (buffer_.at(k) - k);
      for (; k < stop; k += Pack<T>::lanes)
        Pack<T>::stream(pair.finished_target + k, Pack<T>::load(from + k));
    }
  }

  const FftPair<T>* pairs_;
  int count_;
  Index inputs_, outputs_, some_inputs_, some_outputs_, fetched_ = 0, written_ = 0;
  FftBuffer buffer_;
  bool past_caches_;
};

/// Forward transform, product and inverse transform together.
template <class T>
struct FftConvolving {
  static constexpr bool transforms = true, inverts = true;
  static constexpr int together = 1;
  static constexpr Index pitch = 0;
  FftTraffic<T> traffic;

  void take(T* data, const FftEight<T>* turns, const FftEight<T>* spectrum) {
    traffic.fetch_tables(turns, spectrum);
    multiply_octet(data, turns, spectrum, traffic);
  }
};

/// Two forward transforms and one inverse transform that serves both of them (decimate_octet). The
/// inverse transform uses the memory of the first transform.
template <class T>
struct FftDecimating {
  static constexpr bool transforms = true, inverts = true;
  static constexpr int together = 2;
  FftTraffic<T> traffic;
  Index pitch;  ///< number of elements from one transform to the other
  const FftEight<T>*turns_begin, *packed_turns;

  void take(T* data, const FftEight<T>* turns, const FftEight<T>* spectrum) {
    decimate_octet(data, pitch, turns, packed_turns + (turns - turns_begin), spectrum, traffic);
  }
};

/// The forward half; its results are stored in the order in which they are computed.
template <class T>
struct FftTransforming {
  static constexpr bool transforms = true, inverts = false;
  static constexpr int together = 1;
  static constexpr Index pitch = 0;
  FftTraffic<T> traffic;
  T* kept;

  void take(T* data, const FftEight<T>* turns, const FftEight<T>*) {
    transform_octet(data, turns, kept, traffic);
    kept += 8 * Octet<T>::point;
  }
};

/// The inverse half, from the stored results.
template <class T>
struct FftInverting {
  static constexpr bool transforms = false, inverts = true;
  static constexpr int together = 1;
  static constexpr Index pitch = 0;
  FftTraffic<T> traffic;
  T* kept;

  void take(T* data, const FftEight<T>* turns, const FftEight<T>* spectrum) {
    invert_octet(kept, data, turns, spectrum, traffic);
    kept += 8 * Octet<T>::point;
  }
};

template <class Work, class T>
void convolve_part(const FftTables<T>& tables, int pass, T* data, Index n, const T* twiddles,
                   const FftEight<T>* turns, const FftEight<T>* spectrum, Work& work);

/// Computes the work between a forward pass and its inverse: the transforms of the legs of the
/// pass.
///
/// @param n      points of a leg
/// @param pitch  elements from leg to leg
template <class Work, class T>
void convolve_legs(const FftTables<T>& tables, int pass, T* data, Index n, Index pitch,
                   const T* twiddles, const FftEight<T>* turns, const FftEight<T>* spectrum,
                   Work& work) {
  for (int leg = 0; leg < tables.radices[pass]; ++leg) {
    if (n == 8) {
      work.take(data, turns, spectrum);
    } else {
      convolve_part(tables, pass + 1, data, n, twiddles, turns, spectrum, work);
    }
    data += pitch;
    turns += n;
    spectrum += n;
  }
}

template <int radix, class Work, class T>
void convolve_part_by(const FftTables<T>& tables, int pass, T* data, Index n, const T* twiddles,
                      const FftEight<T>* turns, const FftEight<T>* spectrum, Work& work) {
  const Index m = n / radix;
  FftPoints<T> points{data, m * Octet<T>::point};
  if constexpr (Work::transforms)
    for (int k = 0; k < Work::together; ++k) {
      FftPoints<T> one{data + k * work.pitch, points.pitch};
      forward_pass<radix>(one, one, twiddles, m);
    }
  convolve_legs(tables, pass, data, m, points.pitch, twiddles + 2 * (n - m), turns, spectrum, work);
  if constexpr (Work::inverts) inverse_pass<radix>(points, points, twiddles, m);
}

/// Computes one part of a transform from pass `pass` on: the forward passes, the product with the
/// spectrum and the inverse passes, or those of them that `Work` selects. The order is depth first,
/// so that data in a cache is completed before the next part is loaded.
///
/// @param n         points of the part in each sequence
/// @param twiddles  twiddles of this pass; the twiddles of later passes follow
/// @param turns, spectrum  turns and spectrum of the part's points
template <class Work, class T>
void convolve_part(const FftTables<T>& tables, int pass, T* data, Index n, const T* twiddles,
                   const FftEight<T>* turns, const FftEight<T>* spectrum, Work& work) {
  if (tables.radices[pass] == 8) {
    convolve_part_by<8>(tables, pass, data, n, twiddles, turns, spectrum, work);
  } else {
    convolve_part_by<4>(tables, pass, data, n, twiddles, turns, spectrum, work);
  }
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
