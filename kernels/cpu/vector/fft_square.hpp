#pragma once

#include "kernels/cpu/fft_pair.hpp"
#include "kernels/cpu/vector/fft_octet.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// The points of a part of a transform in memory; the legs of a butterfly are `pitch` elements
/// apart.
template <class T>
struct FftPoints {
  T* data;
  Index pitch;

  T* at(Index j, int leg, int part) const {
    return data + j * Octet<T>::point + leg * pitch + part * Pack<T>::lanes;
  }
  Complex<Pack<T>> load(Index j, int leg, int part) const {
    return Octet<T>::load(at(j, leg, part));
  }
  void store(Index j, int leg, int part, Complex<Pack<T>> value) {
    Octet<T>::store(at(j, leg, part), value);
  }
};

/// A square of 8 x 8 points for every pair of blocks. Row k of the square has point k of all
/// sequences, and each column belongs to one sequence; or the square is transposed.
template <class T>
struct FftSquare {
  using O = Octet<T>;
  using C = typename O::C;
  typename O::V re[8 * O::parts], im[8 * O::parts];

  [[gnu::always_inline]] C at(int row, int part) const {
    return {re[row * O::parts + part], im[row * O::parts + part]};
  }
  [[gnu::always_inline]] void set(int row, int part, C value) {
    re[row * O::parts + part] = value.re;
    im[row * O::parts + part] = value.im;
  }
  [[gnu::always_inline]] void transpose() {
    O::transpose(re);
    O::transpose(im);
  }
};

/// Processes 8 points of all sequences at the end of their transforms: the last butterfly, and the
/// multiplication by the turns before the transform across the sequences. The points become the
/// rows of a square.
///
/// @param turns  turns of these points
template <class T>
[[gnu::always_inline]] inline void gather_octet(const FftPoints<T>& points,
                                                const FftEight<T>* turns, FftSquare<T>& square) {
  using O = Octet<T>;
#pragma GCC unroll 1
  for (int part = 0; part < O::parts; ++part) {
    typename O::C x[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) x[k] = points.load(0, k, part);
    butterfly<false>(x);
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k)
      square.set(k, part, x[k].template times<false>(O::table(turns[k], part)));
  }
  square.transpose();
}

/// Inverse of gather_octet, except for a factor.
template <class T>
[[gnu::always_inline]] inline void scatter_octet(FftSquare<T>& square, const FftEight<T>* turns,
                                                 FftPoints<T>& points) {
  using O = Octet<T>;
  square.transpose();
#pragma GCC unroll 1
  for (int part = 0; part < O::parts; ++part) {
    typename O::C x[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k)
      x[k] = square.at(k, part).template times<true>(O::table(turns[k], part));
    butterfly<true>(x);
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) points.store(0, k, part, x[k]);
  }
}

/// Computes 8 points of the transform across the sequences, from one part of a square.
template <class T>
[[gnu::always_inline]] inline void transform_across(const FftSquare<T>& square, int part,
                                                    typename Octet<T>::C (&x)[8]) {
#pragma GCC unroll 8
  for (int k = 0; k < 8; ++k) x[k] = square.at(k, part);
  butterfly<false>(x);
}

/// Multiplies 8 points of the transform of all sequences by a spectrum, and computes the inverse
/// transform across the sequences.
template <class T>
[[gnu::always_inline]] inline void multiply_points(typename Octet<T>::C (&x)[8],
                                                   const FftEight<T>* spectrum, int part) {
#pragma GCC unroll 8
  for (int k = 0; k < 8; ++k) x[k] = x[k].template times<false>(Octet<T>::table(spectrum[k], part));
  butterfly<true>(x);
}

/// Processes 8 points of all sequences: the end of the forward transform, the product with the
/// spectrum, and the beginning of the inverse transform.
///
/// @param turns, spectrum  turns and spectrum of these points
/// @param traffic          is advanced three times during this work
template <class T, class Traffic>
[[gnu::always_inline]] inline void multiply_octet(T* data, const FftEight<T>* turns,
                                                  const FftEight<T>* spectrum, Traffic& traffic) {
  using O = Octet<T>;
  FftPoints<T> points{data, O::point};
  FftSquare<T> square;
  traffic.advance();
  gather_octet(points, turns, square);
  traffic.advance();
#pragma GCC unroll 1
  for (int part = 0; part < O::parts; ++part) {
    typename O::C x[8];
    transform_across(square, part, x);
    multiply_points(x, spectrum, part);
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) square.set(k, part, x[k]);
  }
  traffic.advance();
  scatter_octet(square, turns, points);
}

/// Like multiply_octet, for 8 points of two transforms. Only every second sequence of each result
/// is needed. The rows of the needed sequences are packed into one square, and only this square is
/// transformed back, in the memory of the first transform.
///
/// @param pitch         elements from one transform to the other
/// @param packed_turns  turns of the sequences, in the order of the packed rows
template <class T, class Traffic>
[[gnu::always_inline]] inline void decimate_octet(T* data, Index pitch, const FftEight<T>* turns,
                                                  const FftEight<T>* packed_turns,
                                                  const FftEight<T>* spectrum, Traffic& traffic) {
  using O = Octet<T>;
  FftSquare<T> packed;
  traffic.advance();
#pragma GCC unroll 1
  for (int n = 0; n < 2; ++n) {
    FftSquare<T> square;
    gather_octet(FftPoints<T>{data + n * pitch, O::point}, turns, square);
#pragma GCC unroll 1
    for (int part = 0; part < O::parts; ++part) {
      typename O::C x[8];
      transform_across(square, part, x);
      multiply_points(x, spectrum, part);
#pragma GCC unroll 8
      for (int k = 0; k < 8; k += 2) packed.set(4 * n + k / 2, part, x[k]);
    }
  }
  traffic.advance();
  FftPoints<T> points{data, O::point};
  scatter_octet(packed, packed_turns, points);
  traffic.advance();
}

/// The first half of multiply_octet: computes 8 points of the transform of all sequences, and
/// writes them to `kept`.
template <class T, class Traffic>
[[gnu::always_inline]] inline void transform_octet(T* data, const FftEight<T>* turns, T* kept,
                                                   Traffic& traffic) {
  using O = Octet<T>;
  FftSquare<T> square;
  traffic.advance();
  gather_octet(FftPoints<T>{data, O::point}, turns, square);
  traffic.advance();
  FftPoints<T> to{kept, O::point};
#pragma GCC unroll 1
  for (int part = 0; part < O::parts; ++part) {
    typename O::C x[8];
    transform_across(square, part, x);
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) to.store(0, k, part, x[k]);
  }
  traffic.advance();
}

/// The second half of multiply_octet, from `kept` to `data`.
template <class T, class Traffic>
[[gnu::always_inline]] inline void invert_octet(T* kept, T* data, const FftEight<T>* turns,
                                                const FftEight<T>* spectrum, Traffic& traffic) {
  using O = Octet<T>;
  const FftPoints<T> from{kept, O::point};
  FftSquare<T> square;
  traffic.advance();
#pragma GCC unroll 1
  for (int part = 0; part < O::parts; ++part) {
    typename O::C x[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) x[k] = from.load(0, k, part);
    multiply_points(x, spectrum, part);
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) square.set(k, part, x[k]);
  }
  traffic.advance();
  FftPoints<T> points{data, O::point};
  scatter_octet(square, turns, points);
  traffic.advance();
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
