#pragma once

#include <array>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// The facts that decide how many steps one sweep should take, the same on every rank.
struct StepShape {
  std::array<Index, 2> mask{1, 1};   ///< rows and columns
  Index adds = 1;                    ///< multiply-adds per point and step
  Index element = 4;                 ///< bytes
  std::array<Index, 2> block{1, 1};  ///< points of the smallest block along y and x
  Index planes = 1;                  ///< such blocks that a rank has, beside each other
  /// The axes along which points next to the block are computed twice, by their owner and here:
  /// other ranks own them, or the world is periodic.
  std::array<bool, 2> repeats{};
  Index steps = 1;  ///< of the stage
  /// Whether levels keep few rows of their own (TimeSweep::shares_rows).
  bool shares_rows = false;
  bool is_separable = false;  ///< a row, then a column
  bool skips_taps = false;    ///< taps of 0 are not multiplied, and do not count in `adds`
};

/// Where tap k of a mask of one or three rows and columns lies in a 3 x 3 one around its centre.
inline Index position_around_centre(Index k, Index height, Index width) {
  return 3 * (k / width + (height == 1)) + k % width + (width == 1);
}

/// Which taps of such a mask are not skipped: bit 3 j + i stands for row j, column i.
template <class T>
unsigned pattern_of_taps(const std::vector<T>& taps, Index height, Index width,
                         bool multiply_zeros) {
  unsigned pattern = 0;
  for (Index k = 0; k < height * width; ++k)
    if (taps[k] != 0 || multiply_zeros) pattern |= 1u << position_around_centre(k, height, width);
  return pattern;
}

/// All taps, and all but those in the corners.
inline constexpr unsigned full_pattern = 0777, plus_pattern = 0272;

/// Points along x of a panel whose rows of all levels stay in the second-level cache.
Index step_panel(const StepShape& shape, Index depth);

/// Steps per sweep of least cost: deeper sweeps read and write the block less often, but compute
/// more points next to panels and blocks twice. 1 if nothing is gained.
Index steps_per_sweep(const StepShape& shape);

/// steps_per_sweep of a GPU.
///
/// @param deepest  the most steps of one sweep: generated::deepest_sweep, or 1 for masks without
///                 kernels of several steps
Index gpu_steps_per_sweep(const StepShape& shape, Index deepest);

}  // namespace stencil
