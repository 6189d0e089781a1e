#pragma once

#include "kernels/cpu/fft_lane.hpp"
#include "kernels/cpu/vector/fft_butterfly.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Elements of one point of all lanes.
template <class T>
constexpr Index fft_point = 2 * Pack<T>::lanes;

/// `count` butterflies of a forward pass (FftPlan): points j, j + pitch, ... of one memory into
/// those of another, or of the same.
///
/// @param pitch     elements from leg to leg of a butterfly
/// @param twiddles  those of the first butterfly
template <int radix, class T>
void forward_pass(const T* from, Index from_pitch, T* to, Index to_pitch, const T* twiddles,
                  Index count) {
  using C = Complex<Pack<T>>;
  for (Index j = 0; j < count; ++j) {
    C x[radix];
#pragma GCC unroll 8
    for (int k = 0; k < radix; ++k) x[k] = C::load(from + k * from_pitch);
    butterfly<false>(x);
    x[0].store(to);
#pragma GCC unroll 8
    for (int m = 1; m < radix; ++m)
      x[m].template times<false>(twiddles + 2 * (m - 1)).store(to + m * to_pitch);
    from += fft_point<T>;
    to += fft_point<T>;
    twiddles += 2 * (radix - 1);
  }
}

/// The same number of butterflies undone, but for a factor of `radix`.
template <int radix, class T>
void inverse_pass(const T* from, Index from_pitch, T* to, Index to_pitch, const T* twiddles,
                  Index count) {
  using C = Complex<Pack<T>>;
  for (Index j = 0; j < count; ++j) {
    C x[radix];
    x[0] = C::load(from);
#pragma GCC unroll 8
    for (int m = 1; m < radix; ++m)
      x[m] = C::load(from + m * from_pitch).template times<true>(twiddles + 2 * (m - 1));
    butterfly<true>(x);
#pragma GCC unroll 8
    for (int k = 0; k < radix; ++k) x[k].store(to + k * to_pitch);
    from += fft_point<T>;
    to += fft_point<T>;
    twiddles += 2 * (radix - 1);
  }
}

/// `parts` parts of `radix` points, transformed, multiplied by the spectrum, and transformed back
/// while they are in registers.
template <int radix, class T>
void multiply_parts(T* data, const T* spectrum, Index parts) {
  using C = Complex<Pack<T>>;
  for (Index part = 0; part < parts; ++part) {
    C x[radix];
#pragma GCC unroll 8
    for (int k = 0; k < radix; ++k) x[k] = C::load(data + k * fft_point<T>);
    butterfly<false>(x);
#pragma GCC unroll 8
    for (int k = 0; k < radix; ++k) x[k] = x[k].template times<false>(spectrum + 2 * k);
    butterfly<true>(x);
#pragma GCC unroll 8
    for (int k = 0; k < radix; ++k) x[k].store(data + k * fft_point<T>);
    data += radix * fft_point<T>;
    spectrum += 2 * radix;
  }
}

template <class T>
void convolve_part(const FftTables<T>& tables, int pass, T* data, Index n, const T* twiddles,
                   const T* spectrum);

/// What lies between a forward pass and its inverse: the parts that it has left.
template <class T>
void convolve_parts(const FftTables<T>& tables, int pass, T* data, Index n, const T* twiddles,
                    const T* spectrum) {
  const int radix = tables.radices[pass];
  const Index m = n / radix;
  if (pass + 2 < tables.passes) {
    for (int k = 0; k < radix; ++k)
      convolve_part(tables, pass + 1, data + k * m * fft_point<T>, m, twiddles + 2 * (n - m),
                    spectrum + 2 * k * m);
  } else if (m == 8) {
    multiply_parts<8>(data, spectrum, radix);
  } else {
    multiply_parts<4>(data, spectrum, radix);
  }
}

/// One part of a transform from pass `pass` on: forward, product, inverse. Depth first: what has
/// come into a cache is finished before the next part is touched.
///
/// @param n         points of the part
/// @param twiddles  of this pass; those of the later ones follow
/// @param spectrum  of the part's points
template <class T>
void convolve_part(const FftTables<T>& tables, int pass, T* data, Index n, const T* twiddles,
                   const T* spectrum) {
  const int radix = tables.radices[pass];
  const Index m = n / radix, pitch = m * fft_point<T>;
  if (radix == 8) {
    forward_pass<8>(data, pitch, data, pitch, twiddles, m);
  } else {
    forward_pass<4>(data, pitch, data, pitch, twiddles, m);
  }
  convolve_parts(tables, pass, data, n, twiddles, spectrum);
  if (radix == 8) {
    inverse_pass<8>(data, pitch, data, pitch, twiddles, m);
  } else {
    inverse_pass<4>(data, pitch, data, pitch, twiddles, m);
  }
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
