#pragma once

namespace stencil::cuda {

template <class T>
struct Complex;

/// The passes of a transform along one axis of a tile, as FftTilePlan has them.
template <class T>
struct AxisPasses {
  int log_points;
  int fours;                   ///< passes of radix 4, which come first; then those of radix 8
  const Complex<T>* twiddles;  ///< of the first pass, then those of the next: `[j, radix]` each
};

/// What FftTilePlan holds, in device memory. Tiles are `[rows, columns]` complex points.
template <class T>
struct TileTables {
  int rows, columns;
  AxisPasses<T> y, x;
  const Complex<T>* weights;   ///< `[rows]`
  const Complex<T>* spectrum;  ///< `[columns, rows]`
};

}  // namespace stencil::cuda
