#pragma once

#include <algorithm>

#include "framework/grid/shape.hpp"

// Device memory of separable masks of three axes, for computing and for planning. This header does
// not depend on CUDA, because builds without CUDA use it, too.

namespace stencil::cuda {

/// Number of bytes of the scratch memory of one mask.
inline constexpr Index volume_scratch_bytes = Index{256} << 20;

/// Number of elements from row to row of the scratch memory: whole cache lines.
inline Index volume_scratch_pitch(Index columns, Index element) {
  const Index line = 128 / element;
  return (columns + line - 1) / line * line;
}

/// Returns the extent of the largest piece of outputs whose scratch memory fits: as many planes as
/// possible or, if a few planes of all rows and columns do not fit, parts of these planes.
///
/// @param extent  outputs `[batch, y, x]`
/// @param depth   planes of the mask
/// @param stride  planes of inputs from one plane of outputs to the next
/// @param terms   separable terms, each of which has its own planes of results
inline Point volume_piece(const Point& extent, Index depth, Index stride, Index terms,
                          Index element) {
  Point piece = extent;
  const auto planes = [&](Index outputs) { return (outputs - 1) * stride + depth; };
  const auto bytes = [&](Index outputs) {
    return planes(outputs) * terms * piece[y_axis] * volume_scratch_pitch(piece[x_axis], element) *
           element;
  };
  // each piece computes `depth - stride` planes again that the previous piece has computed
  const Index few = std::min(extent[batch_axis], std::max<Index>(1, 2 * depth / stride));
  constexpr Index few_rows = 256, few_columns = 4096;
  while (bytes(few) > volume_scratch_bytes && piece[x_axis] > few_columns)
    piece[x_axis] = std::max(few_columns, piece[x_axis] / 2);
  while (bytes(few) > volume_scratch_bytes && piece[y_axis] > few_rows)
    piece[y_axis] = std::max(few_rows, piece[y_axis] / 2);
  piece[batch_axis] = few;
  while (bytes(piece[batch_axis]) > volume_scratch_bytes && points(piece) > 1)
    for (const Axis axis : {batch_axis, y_axis, x_axis})
      if (piece[axis] > 1 && bytes(piece[batch_axis]) > volume_scratch_bytes) piece[axis] /= 2;
  while (piece[batch_axis] < extent[batch_axis] &&
         bytes(piece[batch_axis] + 1) <= volume_scratch_bytes)
    ++piece[batch_axis];
  return piece;
}

}  // namespace stencil::cuda
