#pragma once

#include "kernels/cpu/vector/fft_passes.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// The inputs of pairs of blocks as the points of a transform. Sequence l has the inputs l, l + 8,
/// l + 16, ... of the first block as real parts, and the same inputs of the second block as
/// imaginary parts.
template <int radix, class T>
class FftInputs {
 public:
  FftInputs(const FftTables<T>& tables, const FftPair<T>* pairs)
      : leg_(tables.points / radix), tail_at_(tables.points - tail) {
    for (int p = 0; p < Octet<T>::pairs; ++p) {
      first_[p] = pairs[p].source;
      second_[p] = first_[p] + tables.outputs;
      // the transform may have up to `tail` - 1 points more than a block has inputs
      for (Index k = 0; k < tail; ++k)
        tails_[p][k] = tail_at_ + k < tables.inputs ? second_[p][tail_at_ + k] : T(0);
    }
  }

  [[gnu::always_inline]] Complex<Pack<T>> load(Index j, int leg, int part) const {
    const Index position = 8 * j + leg * leg_ + part * Pack<T>::lanes;
    return {Octet<T>::gather(first_, position), leg + 1 == radix && position >= tail_at_
                                                    ? Octet<T>::gather(tails_, position - tail_at_)
                                                    : Octet<T>::gather(second_, position)};
  }

 private:
  static constexpr Index tail =
      16;  ///< above the number by which FftBlocks::outputs() is rounded down

  Index leg_, tail_at_;
  const T *first_[Octet<T>::pairs], *second_[Octet<T>::pairs];
  T tails_[Octet<T>::pairs][tail];
};

/// Stores the points of the last pass and tests whether they are finite.
template <class T>
class FftOutputs {
 public:
  using V = typename Pack<T>::Vector;

  FftOutputs(const FftTables<T>& tables, int radix, const FftPair<T>* pairs)
      : leg_(tables.points / radix),
        end_(tables.outputs),
        every_(tables.every),
        together_(tables.together) {
    Index second = tables.outputs;
    if (pairs[0].buffered) {
      const FftBuffer buffer(tables.points, radix, tables.outputs);
      leg_ += buffer.gap();
      end_ = buffer.in_block(tables.outputs);
      second = buffer.second();
    }
    for (int p = 0; p < Octet<T>::pairs; ++p) {
      first_[p] = pairs[p].target;
      second_[p] = first_[p] + second;
    }
  }

  [[gnu::always_inline]] void store(Index j, int leg, int part, Complex<Pack<T>> value) {
    const Index position = 8 * j + leg * leg_ + part * Pack<T>::lanes;
    if (position >= end_) return;
    Octet<T>::scatter(first_, position, checked(value.re, part));
    Octet<T>::scatter(second_, position, checked(value.im, part));
  }

  /// Bit p is 1 if a result of pair p is not finite and is needed with the given stride.
  unsigned bad() const {
    unsigned bits = 0;
    const int own = 8 / together_;  // lanes of one pair
    for (int part = 0; part < Octet<T>::parts; ++part)
      for (int k = 0; k < Pack<T>::lanes; ++k) {
        const int lane = (part * Pack<T>::lanes + k) % 8;
        if (bad_[part][k] != 0 && lane % own * together_ % every_ == 0)
          bits |= 1u << (lane / own * Octet<T>::pairs + k / 8);
      }
    return bits;
  }

 private:
  /// Adds +0, so that -0, which a direct sum from +0 never gives, becomes +0; tests for non-finite
  /// values.
  [[gnu::always_inline]] V checked(V value, int part) {
    value += V{};
    bad_[part] = Pack<T>::fused(value, V{}, bad_[part]);
    return value;
  }

  Index leg_, end_;  ///< elements from leg to leg of a block's outputs, and number of these outputs
  int every_, together_;
  T *first_[Octet<T>::pairs], *second_[Octet<T>::pairs];
  V bad_[Octet<T>::parts] = {};  ///< NaN in the lanes in which a result is not finite, else 0
};

/// Writes the points of the first pass with streaming stores. No other thread reads these points,
/// and all of them are overwritten before other threads use the memory, so no fence is needed.
template <class T>
struct FftStreamed {
  T* data;
  Index pitch;

  [[gnu::always_inline]] void store(Index j, int leg, int part, Complex<Pack<T>> value) {
    T* const to = FftPoints<T>{data, pitch}.at(j, leg, part);
    Pack<T>::stream(to, value.re);
    Pack<T>::stream(to + Octet<T>::elements, value.im);
  }
};

/// Computes the part of a convolution that `Work` selects, between the inputs and the outputs of
/// pairs.
///
/// @return  FftOutputs::bad; 0 for the forward half
template <int radix, class Work, class T>
unsigned convolve_pairs_by(const FftTables<T>& tables, const FftPair<T>* pairs, T* tile,
                           Work work) {
  const Index n = tables.points / 8, m = n / radix;
  FftPoints<T> points{tile, tables.leg};
  if constexpr (Work::transforms)
    for (int k = 0; k < Work::together; ++k) {
      const FftInputs<radix, T> inputs(tables, pairs + k * Octet<T>::pairs);
      FftPoints<T> one{tile + k * work.pitch, tables.leg};
      if (tables.past_caches &&
          fft_tile(tables.points, Octet<T>::pairs) * Index(sizeof(T)) >= least_fft_in_memory) {
        FftStreamed<T> streamed{one.data, one.pitch};
        forward_pass<radix>(inputs, streamed, tables.twiddles, m);
      } else {
        forward_pass<radix>(inputs, one, tables.twiddles, m);
      }
    }
  convolve_legs(tables, 0, tile, m, points.pitch, tables.twiddles + 2 * (n - m), tables.turns,
                tables.spectrum, work);
  if constexpr (!Work::inverts) return 0;
  FftOutputs<T> outputs(tables, radix, pairs);
  inverse_pass<radix>(points, outputs, tables.twiddles, m);
  return outputs.bad();
}

template <class Work, class T>
unsigned convolve_pairs_with(const FftTables<T>& tables, const FftPair<T>* pairs, T* tile,
                             Work work) {
  return tables.radices[0] == 8 ? convolve_pairs_by<8>(tables, pairs, tile, work)
                                : convolve_pairs_by<4>(tables, pairs, tile, work);
}

/// Implements RowKernels::convolve_pairs.
template <class T>
unsigned convolve_pairs(const FftTables<T>& tables, const FftPair<T>* pairs, T* tile) {
  return convolve_pairs_with(tables, pairs, tile, FftConvolving<T>{FftTraffic<T>(tables, pairs)});
}

/// Implements RowKernels::decimate_pairs.
template <class T>
unsigned decimate_pairs(const FftTables<T>& tables, const FftPair<T>* pairs, T* tiles) {
  const FftTraffic<T> traffic(tables, pairs, 2 * Octet<T>::pairs);
  return convolve_pairs_with(tables, pairs, tiles,
                             FftDecimating<T>{traffic, fft_tile(tables.points, Octet<T>::pairs),
                                              tables.turns, tables.packed_turns});
}

/// Implements RowKernels::transform_pairs.
template <class T>
void transform_pairs(const FftTables<T>& tables, const FftPair<T>* pairs, T* tile, T* kept) {
  convolve_pairs_with(tables, pairs, tile, FftTransforming<T>{FftTraffic<T>(tables, pairs), kept});
}

/// Implements RowKernels::invert_pairs.
template <class T>
unsigned invert_pairs(const FftTables<T>& tables, const FftPair<T>* pairs, T* tile, T* kept) {
  return convolve_pairs_with(tables, pairs, tile,
                             FftInverting<T>{FftTraffic<T>(tables, pairs), kept});
}

/// Transposes one square of vectors, for RowKernels::transpose.
template <class T>
[[gnu::always_inline]] inline void transpose_square(const T* from, Index from_pitch, T* to,
                                                    Index to_pitch, bool streamed) {
  using P = Pack<T>;
  typename P::Vector square[P::lanes];
#pragma GCC unroll 16
  for (Index k = 0; k < P::lanes; ++k) square[k] = P::load(from + k * from_pitch);
  exchange_all<1>(square);
#pragma GCC unroll 16
  for (Index k = 0; k < P::lanes; ++k) {
    if (streamed) {
      P::stream(to + k * to_pitch, square[k]);
    } else {
      P::store(to + k * to_pitch, square[k]);
    }
  }
}

/// Implements RowKernels::transpose. Squares that share cache lines of `to` are computed
/// consecutively.
template <class T>
void transpose(const T* from, Index from_pitch, Index rows, Index columns, T* to, Index to_pitch,
               bool fetched, bool streamed) {
  constexpr Index n = Pack<T>::lanes, line = 64 / sizeof(T), ahead = 2 * line;
  for (Index r = 0; r < rows; r += line) {
    const Index end = r + line < rows ? r + line : rows;
    Index c = 0;
    for (; c + n <= columns && end - r == line; c += n)
      for (Index k = r; k < end; k += n) {
        const T* square = from + k * from_pitch + c;
        if (fetched)
          for (Index row = 0; row < n; ++row)
            __builtin_prefetch(square + (ahead + row) * from_pitch, 0, 2);
        // prefetches the elements that will be written; this is not faster in float64, where a line
        // has half as many elements
        if (!fetched && !streamed && sizeof(T) == 4)
          for (Index row = 0; row < n; ++row)
            __builtin_prefetch(to + (c + n + row) * to_pitch + k, 0, 2);
        transpose_square(square, from_pitch, to + c * to_pitch + k, to_pitch, streamed);
      }
    for (; c < columns; ++c)
      for (Index k = r; k < end; ++k) to[c * to_pitch + k] = from[k * from_pitch + c];
  }
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
