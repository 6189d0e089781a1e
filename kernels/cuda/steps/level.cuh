// One step of a 3 x 3 mask.
#pragma once

#include "kernels/cuda/arithmetic.cuh"
#include "kernels/step_depth.hpp"

namespace stencil::cuda {

/// Of a 3 x 3 mask, row by row; of a separable one the row factor, then the column factor.
template <class T>
struct StepTaps {
  T values[9];
};

/// Number of elements of a row of inputs that the sums of `count` outputs need: the inputs, with
/// one more on either side; for a separable mask their sums along the row.
template <unsigned pattern, int count>
inline constexpr int row_size = pattern == separable_pattern ? count : count + 2;

template <unsigned pattern, class T, int count>
__device__ __forceinline__ void make_row(const StepTaps<T>& taps, const T (&inputs)[count],
                                         T (&row)[row_size<pattern, count - 2>]) {
#pragma unroll
  for (int c = 0; c < row_size<pattern, count - 2>; ++c) {
    if constexpr (pattern == separable_pattern) {
      row[c] = 0;
#pragma unroll
      for (int i = 0; i < 3; ++i) row[c] = fused(taps.values[i], inputs[c + i], row[c]);
    } else {
      row[c] = inputs[c];
    }
  }
}

/// Adds a row to a row of sums, with the taps of one row of the mask.
template <unsigned pattern, int number, class T, int count>
__device__ __forceinline__ void add_row(const StepTaps<T>& taps,
                                        const T (&row)[row_size<pattern, count>],
                                        T (&sums)[count]) {
  if constexpr (pattern == separable_pattern) {
#pragma unroll
    for (int c = 0; c < count; ++c) sums[c] = fused(taps.values[3 + number], row[c], sums[c]);
  } else {
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      if ((pattern >> (3 * number + i) & 1) == 0) continue;
#pragma unroll
      for (int c = 0; c < count; ++c)
        sums[c] = fused(taps.values[3 * number + i], row[c + i], sums[c]);
    }
  }
}

/// Loads 16 bytes that are aligned.
__device__ __forceinline__ void load_wide(const float* from, float* points) {
  const float4 all = __ldg(reinterpret_cast<const float4*>(from));
  points[0] = all.x, points[1] = all.y, points[2] = all.z, points[3] = all.w;
}
__device__ __forceinline__ void load_wide(const double* from, double* points) {
  const double2 all = __ldg(reinterpret_cast<const double2*>(from));
  points[0] = all.x, points[1] = all.y;
}

/// Stores 16 aligned bytes of results.
__device__ __forceinline__ void store_wide(float* to, const float* p) {
  __stcs(reinterpret_cast<float4*>(to),
         make_float4(clean(p[0]), clean(p[1]), clean(p[2]), clean(p[3])));
}
__device__ __forceinline__ void store_wide(double* to, const double* p) {
  __stcs(reinterpret_cast<double2*>(to), make_double2(clean(p[0]), clean(p[1])));
}

/// Whether any tap lies beside the middle column.
template <unsigned pattern>
inline constexpr bool has_sides = (pattern & 0555) != 0;
/// Whether any lies above or below the middle row.
template <unsigned pattern>
inline constexpr bool has_rows = (pattern & 0707) != 0;

/// Takes one row of a level in `points` and replaces it by the row above it of the next level.
///
/// @param above  sums of that row, which lack its last inputs; afterwards those of the row below
/// @param here   sums of the row that came, to which the inputs above it were added
template <unsigned pattern, class T, int count>
__device__ __forceinline__ void pass_level(const StepTaps<T>& taps, T (&points)[count],
                                           T (&above)[count], T (&here)[count]) {
  T inputs[count + 2];
  if constexpr (has_sides<pattern>) {
    inputs[0] = __shfl_up_sync(~0u, points[count - 1], 1);
    inputs[count + 1] = __shfl_down_sync(~0u, points[0], 1);
  }
#pragma unroll
  for (int c = 0; c < count; ++c) {
    inputs[c + 1] = points[c];
    points[c] = above[c];
    above[c] = 0;
  }
  T row[row_size<pattern, count>];
  make_row<pattern>(taps, inputs, row);
  add_row<pattern, 2>(taps, row, points);
  add_row<pattern, 1>(taps, row, here);
  add_row<pattern, 0>(taps, row, above);
}

}  // namespace stencil::cuda
