#pragma once

#include "kernels/cpu/vector/fft_tile.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Copies the points of a group of rows into a slot of a ring.
///
/// @param to  the slot's points at the position of the first row and column of the group
template <class T>
void keep_group(const T* from, Index columns, T* to, Index slots) {
  constexpr Index point = Octet<T>::point;
  for (Index x = 0; x < columns; ++x, from += point, to += slots * point)
    for (Index k = 0; k < point; k += Pack<T>::lanes)
      *reinterpret_cast<typename Pack<T>::Vector*>(to + k) = Octet<T>::load_vector(from + k);
}

/// Implements RowKernels::transform_tile.
template <class T>
void transform_tile(const FftTileTables<T>& tables, const FftTile<T>& tile, T* memory,
                    const FftTileRing<T>& ring, Index slot) {
  constexpr Index point = Octet<T>::point;
  T *columns = memory, *rows = memory + tables.rows * point,
    *lead = rows + 2 * tables.rows * tables.columns;
  if (tables.column_radices[0] == 8)
    transform_columns<8>(tables, tile, columns, rows, lead);
  else
    transform_columns<4>(tables, tile, columns, rows, lead);
  T* to = ring.points + slot * point;
  for (Index y = 0; y < tables.rows; y += group<T>) {
    T* const data = rows + y * tables.columns * 2;
    forward_part(data, tables.columns, tables.row_radices, tables.row_twiddles);
    keep_group(data, tables.columns, to, ring.slots);
    to += tables.columns * ring.slots * point;
  }
}

/// Implements RowKernels::invert_tile.
template <class T>
bool invert_tile(const FftTileTables<T>& tables, const FftTile<T>& tile, T* sum, T* memory) {
  for (Index y = 0; y < tables.rows; y += group<T>)
    inverse_part(sum + y * tables.columns * 2, tables.columns, tables.row_radices,
                 tables.row_twiddles);
  return tables.column_radices[0] == 8 ? restore_columns<8>(tables, tile, sum, memory)
                                       : restore_columns<4>(tables, tile, sum, memory);
}

/// Adds the products of one plane of inputs to those sums that read this plane. Every sum adds its
/// products in the order of the planes of the mask, for any number of sums that are computed at
/// once.
///
/// @param spectrum  spectrum of plane `plane` of the mask at this position; the spectrum for the
///                  next sum is `back` elements earlier
/// @tparam all      every sum has a product with this plane of inputs
template <bool all, int count, class T>
[[gnu::always_inline]] inline void add_plane(Complex<Pack<T>> x, const T* spectrum, Index back,
                                             Index plane, const FftTileSums<T>& sums,
                                             Complex<Pack<T>> (&sum)[count]) {
  using P = Pack<T>;
#pragma GCC unroll 4
  for (int r = 0; r < count; ++r) {
    if constexpr (!all) {
      const Index k = plane - r * sums.stride;
      if (k < 0 || k >= sums.depth) continue;
    }
    const T* const at = spectrum - r * back;
    const auto re = Octet<T>::load_vector(at), im = Octet<T>::load_vector(at + 16);
    sum[r].re = P::fused(-x.im, im, P::fused(x.re, re, sum[r].re));
    sum[r].im = P::fused(x.re, im, P::fused(x.im, re, sum[r].im));
  }
}

/// Computes the sums at one position of the transform.
///
/// @param kept      points of slot 0 of the ring at this position
/// @param spectrum  spectrum of plane 0 of the mask at this position
template <int count, class T>
void sum_place(const FftTileSums<T>& sums, const T* kept, const T* spectrum, Index place) {
  using O = Octet<T>;
  constexpr Index sixteen = 2 * 16;
  const Index back = sums.stride * sixteen, ahead = (count - 1) * sums.stride;
  for (int part = 0; part < O::parts; ++part) {
    Complex<Pack<T>> sum[count] = {};
    const Index at = part * Pack<T>::lanes;
    Index slot = sums.first;
    for (Index plane = 0; plane < sums.depth + ahead; ++plane) {
      const Complex<Pack<T>> x = O::load(kept + slot * O::point + at);
      const T* const of_plane = spectrum + plane * sixteen + at;
      if (plane >= ahead && plane < sums.depth)
        add_plane<true>(x, of_plane, back, plane, sums, sum);
      else
        add_plane<false>(x, of_plane, back, plane, sums, sum);
      if (++slot == sums.ring.slots) slot = 0;
    }
    for (int r = 0; r < count; ++r) O::store(sums.targets[r] + place * O::point + at, sum[r]);
  }
}

template <int count, class T>
void sum_tiles_of(const FftTileTables<T>& tables, const FftTileSums<T>& sums) {
  constexpr Index point = Octet<T>::point;
  Index place = 0;
  for (Index y = 0; y < tables.rows; y += group<T>)
    for (Index x = 0; x < tables.columns; ++x, ++place)
      sum_place<count>(
          sums, sums.ring.points + place * sums.ring.slots * point,
          reinterpret_cast<const T*>(tables.spectrum + (y / 16 * tables.columns + x) * sums.depth) +
              y % 16,
          place);
}

/// Implements RowKernels::sum_tiles.
template <class T>
void sum_tiles(const FftTileTables<T>& tables, const FftTileSums<T>& sums) {
  if (sums.count == 4) return sum_tiles_of<4>(tables, sums);
  if (sums.count == 3) return sum_tiles_of<3>(tables, sums);
  if (sums.count == 2) return sum_tiles_of<2>(tables, sums);
  sum_tiles_of<1>(tables, sums);
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
