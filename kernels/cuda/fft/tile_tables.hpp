#pragma once

namespace stencil::cuda {

template <class T>
struct Complex;

/// The passes of a transform along one axis of a tile; see FftTilePlan.
template <class T>
struct AxisPasses {
  int log_points;
  int fours;                   ///< number of passes of radix 4, which come before those of radix 8
  const Complex<T>* twiddles;  ///< twiddles of the passes in order: `[j, radix]` for each pass
};

/// The tables of FftTilePlan in device memory. Tiles are `[rows, columns]` complex points.
template <class T>
struct TileTables {
  int rows, columns;
  AxisPasses<T> y, x;
  const Complex<T>* weights;   ///< `[rows]`
  const Complex<T>* spectrum;  ///< `[columns, rows]`
};

}  // namespace stencil::cuda
