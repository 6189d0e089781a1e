#pragma once

#include "kernels/cpu/fft_tile.hpp"
#include "kernels/cpu/vector/fft_passes.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Number of adjacent columns or rows that are transformed together. In memory, the real parts or
/// the imaginary parts of a group are adjacent.
template <class T>
constexpr Index group = Octet<T>::elements;

/// Prefetches the next group of columns of a row. Rows are pages apart, so the hardware does not
/// prefetch them, and the computation would wait for every line of inputs and of outputs.
template <class T>
[[gnu::always_inline]] inline void fetch_next_group(const T* in_row) {
  __builtin_prefetch(in_row + group<T>, 0, 2);
}

/// Copies the first columns of a tile's points, if they have a lead: zeros, then inputs. Rows have
/// fft_tile_unit points. Each row is written beyond its end into the next row, and the last row
/// beyond the end of all rows.
template <class T>
void copy_lead(const FftTileTables<T>& tables, const FftTile<T>& tile, T* to) {
  using P = Pack<T>;
  constexpr Index unit = fft_tile_unit;
  const T* from = tile.source;
  for (Index row = 0; row < 2 * tables.rows; ++row, from += tile.source_pitch, to += unit) {
    __builtin_prefetch(from + unit - tile.lead, 0, 2);
    for (Index x = 0; x < unit; x += P::lanes) P::store(to + x, typename P::Vector{});
    for (Index x = 0; x < unit; x += P::lanes) P::store(to + tile.lead + x, P::load(from + x));
  }
}

/// A group of columns of a tile's points in memory.
template <class T>
struct TileColumns {
  const T* first;
  Index pitch;
};

/// Loads a group of columns of a tile's inputs, weighted, as the points of a transform along y.
template <int radix, class T>
class TileInputs {
 public:
  TileInputs(const FftTileTables<T>& tables, const TileColumns<T>& columns)
      : upper_(columns.first),
        lower_(upper_ + tables.rows * columns.pitch),
        pitch_(columns.pitch),
        weights_(tables.weights),
        leg_(tables.rows / radix) {}

  [[gnu::always_inline]] Complex<Pack<T>> load(Index j, int leg, int part) const {
    const Index row = j + leg * leg_, at = row * pitch_ + part * Pack<T>::lanes;
    fetch_next_group(upper_ + at);
    fetch_next_group(lower_ + at);
    const Complex<Pack<T>> point{Pack<T>::load(upper_ + at), Pack<T>::load(lower_ + at)};
    return point.template times<false>(twiddle(weights_ + 2 * row));
  }

 private:
  const T *upper_, *lower_;
  Index pitch_;
  const T* weights_;
  Index leg_;
};

/// Stores a group of columns of a tile's outputs, and tests whether they are finite.
template <int radix, class T>
class TileOutputs {
 public:
  using V = typename Pack<T>::Vector;

  TileOutputs(const FftTileTables<T>& tables, const FftTile<T>& tile, Index column, V& bad)
      : target_(tile.target + column),
        pitch_(tile.target_pitch),
        wanted_(tile.target_rows),
        rows_(tables.rows),
        weights_(tables.weights),
        leg_(tables.rows / radix),
        bad_(bad) {}

  [[gnu::always_inline]] void store(Index j, int leg, int part, Complex<Pack<T>> value) {
    const Index row = j + leg * leg_;
    value = value.template times<true>(twiddle(weights_ + 2 * row));
    store_row(row, part, value.re);
    store_row(row + rows_, part, value.im);
  }

 private:
  /// Adds +0, so that -0, which a direct sum from +0 never gives, becomes +0.
  [[gnu::always_inline]] void store_row(Index row, int part, V value) {
    if (row >= wanted_) return;
    value += V{};
    bad_ = Pack<T>::fused(value, V{}, bad_);
    T* const to = target_ + row * pitch_ + part * Pack<T>::lanes;
    fetch_next_group(to);
    Pack<T>::store(to, value);
  }

  T* target_;
  Index pitch_, wanted_, rows_;
  const T* weights_;
  Index leg_;
  V& bad_;  ///< NaN in the lanes in which a result is not finite, else 0
};

/// Computes the butterflies of a pass whose twiddles are all 1, in place.
template <bool conjugate, int radix, class T>
[[gnu::always_inline]] inline void last_pass(T* data) {
  FftPoints<T> points{data, Octet<T>::point};
#pragma GCC unroll 1
  for (int part = 0; part < Octet<T>::parts; ++part) {
    Complex<Pack<T>> x[radix];
#pragma GCC unroll 8
    for (int k = 0; k < radix; ++k) x[k] = points.load(0, k, part);
    butterfly<conjugate>(x);
#pragma GCC unroll 8
    for (int k = 0; k < radix; ++k) points.store(0, k, part, x[k]);
  }
}

/// Computes the passes of a part of n points from `radices` on; the last pass has radix 8.
template <class T>
void forward_part(T* data, Index n, const int* radices, const T* twiddles) {
  if (n == 8) return last_pass<false, 8>(data);
  const Index leg = n / *radices, pitch = leg * Octet<T>::point;
  FftPoints<T> points{data, pitch};
  if (*radices == 8) {
    forward_pass<8>(points, points, twiddles, leg);
  } else {
    forward_pass<4>(points, points, twiddles, leg);
  }
  for (int k = 0; k < *radices; ++k)
    forward_part(data + k * pitch, leg, radices + 1, twiddles + 2 * (n - leg));
}

/// The inverse of forward_part(), except for a factor.
template <class T>
void inverse_part(T* data, Index n, const int* radices, const T* twiddles) {
  if (n == 8) return last_pass<true, 8>(data);
  const Index leg = n / *radices, pitch = leg * Octet<T>::point;
  for (int k = 0; k < *radices; ++k)
    inverse_part(data + k * pitch, leg, radices + 1, twiddles + 2 * (n - leg));
  FftPoints<T> points{data, pitch};
  if (*radices == 8) {
    inverse_pass<8>(points, points, twiddles, leg);
  } else {
    inverse_pass<4>(points, points, twiddles, leg);
  }
}

/// Processes 8 points of a group of rows: the last butterfly, the product with the spectrum, and
/// the inverse butterfly.
///
/// @param spectrum  spectrum of these points and rows
template <class T>
[[gnu::always_inline]] inline void multiply_rows(T* data, const T* spectrum) {
  constexpr Index pitch = 2 * 16;
  FftPoints<T> points{data, Octet<T>::point};
#pragma GCC unroll 1
  for (int part = 0; part < Octet<T>::parts; ++part) {
    Complex<Pack<T>> x[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) x[k] = points.load(0, k, part);
    butterfly<false>(x);
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      const T* at = spectrum + k * pitch + part * Pack<T>::lanes;
      x[k] =
          x[k].template times<false>({Octet<T>::load_vector(at), Octet<T>::load_vector(at + 16)});
    }
    butterfly<true>(x);
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) points.store(0, k, part, x[k]);
  }
}

/// Transforms a part of a group of rows, multiplies it by the spectrum, and transforms it back. The
/// order is depth first, so that data in a cache is completed before the next part is loaded.
template <class T>
void convolve_rows(T* data, Index n, const int* radices, const T* twiddles, const T* spectrum) {
  if (n == 8) return multiply_rows(data, spectrum);
  const Index leg = n / *radices, pitch = leg * Octet<T>::point;
  FftPoints<T> points{data, pitch};
  if (*radices == 8) {
    forward_pass<8>(points, points, twiddles, leg);
  } else {
    forward_pass<4>(points, points, twiddles, leg);
  }
  for (int k = 0; k < *radices; ++k)
    convolve_rows(data + k * pitch, leg, radices + 1, twiddles + 2 * (n - leg),
                  spectrum + k * leg * 2 * 16);
  if (*radices == 8) {
    inverse_pass<8>(points, points, twiddles, leg);
  } else {
    inverse_pass<4>(points, points, twiddles, leg);
  }
}

/// Transposes a square of real or imaginary parts: `to[k][l] = from[l][k]`, for the rows of a
/// group.
template <class T>
[[gnu::always_inline]] inline void transpose_group(const T* from, Index from_pitch, T* to,
                                                   Index to_pitch) {
  using O = Octet<T>;
  using V = typename Pack<T>::Vector;
  V square[group<T> * O::parts];
#pragma GCC unroll 16
  for (Index k = 0; k < group<T>; ++k)
#pragma GCC unroll 4
    for (Index part = 0; part < O::parts; ++part)
      square[k * O::parts + part] = O::load_vector(from + k * from_pitch + part * Pack<T>::lanes);
  if constexpr (O::pairs > 1) {
    exchange_all<1>(square);
  } else {
    O::transpose(square);
  }
#pragma GCC unroll 16
  for (Index k = 0; k < group<T>; ++k)
#pragma GCC unroll 4
    for (Index part = 0; part < O::parts; ++part)
      *reinterpret_cast<V*>(to + k * to_pitch + part * Pack<T>::lanes) =
          square[k * O::parts + part];
}

template <class T>
void transpose_complex(const T* from, T* to) {
  constexpr Index point = Octet<T>::point;
  transpose_group(from, point, to, point);
  transpose_group(from + group<T>, point, to + group<T>, point);
}

template <int radix, class T>
void transform_columns(const FftTileTables<T>& tables, const FftTile<T>& tile, T* columns, T* rows,
                       T* lead) {
  constexpr Index point = Octet<T>::point;
  const Index n = tables.rows, leg = n / radix;
  const Index copied = tile.lead > 0 ? fft_tile_unit : 0;
  if (copied > 0) copy_lead(tables, tile, lead);
  FftPoints<T> points{columns, leg * point};
  for (Index x = 0; x < tables.columns; x += group<T>) {
    const TileColumns<T> from =
        x < copied ? TileColumns<T>{lead + x, fft_tile_unit}
                   : TileColumns<T>{tile.source + x - tile.lead, tile.source_pitch};
    const TileInputs<radix, T> inputs(tables, from);
    forward_pass<radix>(inputs, points, tables.column_twiddles, leg);
    for (int k = 0; k < radix; ++k)
      forward_part(columns + k * leg * point, leg, tables.column_radices + 1,
                   tables.column_twiddles + 2 * (n - leg));
    for (Index y = 0; y < n; y += group<T>)
      transpose_complex(columns + y * point, rows + (y / group<T> * tables.columns + x) * point);
  }
}

template <int radix, class T>
bool restore_columns(const FftTileTables<T>& tables, const FftTile<T>& tile, const T* rows,
                     T* columns) {
  constexpr Index point = Octet<T>::point;
  const Index n = tables.rows, leg = n / radix;
  FftPoints<T> points{columns, leg * point};
  typename Pack<T>::Vector bad = {};
  for (Index x = 0; x < tile.target_columns; x += group<T>) {
    for (Index y = 0; y < n; y += group<T>)
      transpose_complex(rows + (y / group<T> * tables.columns + x) * point, columns + y * point);
    for (int k = 0; k < radix; ++k)
      inverse_part(columns + k * leg * point, leg, tables.column_radices + 1,
                   tables.column_twiddles + 2 * (n - leg));
    TileOutputs<radix, T> outputs(tables, tile, x, bad);
    inverse_pass<radix>(points, outputs, tables.column_twiddles, leg);
  }
  for (int lane = 0; lane < Pack<T>::lanes; ++lane)
    if (bad[lane] != 0) return true;
  return false;
}

template <int radix, class T>
bool convolve_tile_by(const FftTileTables<T>& tables, const FftTile<T>& tile, T* memory) {
  T *columns = memory, *rows = memory + tables.rows * Octet<T>::point,
    *lead = rows + 2 * tables.rows * tables.columns;
  transform_columns<radix>(tables, tile, columns, rows, lead);
  for (Index y = 0; y < tables.rows; y += group<T>)
    convolve_rows(rows + y * tables.columns * 2, tables.columns, tables.row_radices,
                  tables.row_twiddles,
                  reinterpret_cast<const T*>(tables.spectrum + y / 16 * tables.columns) + y % 16);
  return restore_columns<radix>(tables, tile, rows, columns);
}

/// Implements RowKernels::convolve_tile. Columns are transformed first, a group at a time, and
/// transposed to groups of rows that are contiguous in memory. Then the rows are transformed
/// forward and back, and finally the requested columns are transformed back.
template <class T>
bool convolve_tile(const FftTileTables<T>& tables, const FftTile<T>& tile, T* memory) {
  return tables.column_radices[0] == 8 ? convolve_tile_by<8>(tables, tile, memory)
                                       : convolve_tile_by<4>(tables, tile, memory);
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
