#pragma once

#include "kernels/cuda/channels/channel_tiling.hpp"
#include "kernels/cuda/channels/element.cuh"

namespace stencil::cuda {

/// A lane's share of the output: `bundle` channels of one piece along x in several rows, 4 rows
/// apart. Without a stride the points of a piece are adjacent, and the window of inputs over them
/// slides through registers. With a stride the points are 8 apart, so that lanes read adjacent
/// columns.
///
/// `side` is the height and width of the mask, or 0 for any size.
template <class T, int bundle, int side, bool strided>
struct LaneSums {
  static constexpr int points = Piece<T>::count, rows = patch_rows / 4;
  static constexpr int pitch = bundle_pitch<bundle>;
  T sum[bundle][rows][points] = {};

  /// Adds one tap to the sums of all points; `window(r, p)` returns the input under the tap for
  /// point p of row r.
  template <class Window>
  __device__ void add(const T* taps, const Window& window) {
    T tap[pitch];
    if constexpr (pitch % points == 0) {
#pragma unroll
      for (int k = 0; k < bundle; k += points) load_piece(taps + k, tap + k);
    } else {
#pragma unroll
      for (int k = 0; k < bundle; ++k) tap[k] = taps[k];
    }
#pragma unroll
    for (int k = 0; k < bundle; ++k)
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int p = 0; p < points; ++p) sum[k][r][p] = fused(tap[k], window(r, p), sum[k][r][p]);
  }

  /// Adds `count` adjacent taps of a row, at most as many as a piece has points. The window begins
  /// in `data` and ends in the next piece, which is moved to the front of `data` for the following
  /// taps.
  template <int count>
  __device__ void add_group(const T* next, int next_row, const T* taps,
                            T (&data)[rows][2 * points]) {
    if constexpr (count > 1)
#pragma unroll
      for (int r = 0; r < rows; ++r) load_piece(next + r * next_row, data[r] + points);
#pragma unroll
    for (int i = 0; i < count; ++i)
      add(taps + i * pitch, [&](int r, int p) { return data[r][p + i]; });
    if constexpr (count == points)
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int p = 0; p < points; ++p) data[r][p] = data[r][points + p];
  }

  /// Adds one row of taps.
  /// @param from      input under tap 0 of the first point
  /// @param next_row  elements to the same point of the next row of this lane
  __device__ void add_row(const T* from, int next_row, const T* taps, int width, int stride) {
    if constexpr (strided) {
      constexpr int at_once = side > 0 ? side : 1;
#pragma unroll at_once
      for (int i = 0; i < width; ++i)
        add(taps + i * pitch,
            [&](int r, int p) { return from[r * next_row + i + 8 * p * stride]; });
    } else {
      T data[rows][2 * points];
#pragma unroll
      for (int r = 0; r < rows; ++r) load_piece(from + r * next_row, data[r]);
      if constexpr (side > 0) {
        constexpr int whole = side / points, rest = side % points;
#pragma unroll
        for (int group = 0; group < whole; ++group)
          add_group<points>(from + (group + 1) * points, next_row, taps + group * points * pitch,
                            data);
        if constexpr (rest > 0)
          add_group<rest>(from + (whole + 1) * points, next_row, taps + whole * points * pitch,
                          data);
        return;
      }
      int left = width;
#pragma unroll 1
      for (; left >= points; left -= points, taps += points * pitch) {
        from += points;
        add_group<points>(from, next_row, taps, data);
      }
      from += points;
      if (left == 1) add_group<1>(from, next_row, taps, data);
      if constexpr (points == 4) {
        if (left == 2) add_group<2>(from, next_row, taps, data);
        if (left == 3) add_group<3>(from, next_row, taps, data);
      }
    }
  }
};

}  // namespace stencil::cuda
