#pragma once

#include <array>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Properties that determine how many steps one sweep should compute, the same on every rank.
struct StepShape {
  std::array<Index, 2> mask{1, 1};   ///< rows and columns
  Index adds = 1;                    ///< number of multiply-adds per point and step
  Index element = 4;                 ///< number of bytes of one element
  std::array<Index, 2> block{1, 1};  ///< points of the smallest block along y and x
  Index planes = 1;                  ///< number of such blocks (planes) that a rank has
  /// The axes along which other ranks own the points next to the block, or along which the world is
  /// periodic. Along these axes, points next to the block are computed twice: by their owner and by
  /// this rank.
  std::array<bool, 2> repeats{};
  Index steps = 1;  ///< number of steps of the stage
  /// Whether each level keeps only its last rows, and all other rows are in a buffer that the
  /// levels share (TimeSweep::shares_rows).
  bool shares_rows = false;
  bool is_separable = false;  ///< the mask is applied as a row, then as a column
  bool skips_taps = false;    ///< taps of 0 are not multiplied; `adds` does not include them
};

/// Returns the index in a 3 x 3 mask of tap k of a mask that has one or three rows, one or three
/// columns, and the same centre.
inline Index position_around_centre(Index k, Index height, Index width) {
  return 3 * (k / width + (height == 1)) + k % width + (width == 1);
}

/// Returns a bit pattern of those taps of a mask as in position_around_centre() that are not
/// skipped. Bit 3 j + i is the tap in row j and column i of the 3 x 3 mask.
template <class T>
unsigned pattern_of_taps(const std::vector<T>& taps, Index height, Index width,
                         bool multiply_zeros) {
  unsigned pattern = 0;
  for (Index k = 0; k < height * width; ++k)
    if (taps[k] != 0 || multiply_zeros) pattern |= 1u << position_around_centre(k, height, width);
  return pattern;
}

/// Patterns of all taps, and of all taps except those in the corners.
inline constexpr unsigned full_pattern = 0777, plus_pattern = 0272;

/// Returns the width of a panel in points along x for which the rows of all levels stay in the
/// second-level cache.
Index step_panel(const StepShape& shape, Index depth);

/// Returns the number of steps per sweep with the lowest cost. Longer sweeps read and write the
/// block less often, but compute more points next to panels and blocks twice. Returns 1 if several
/// steps per sweep are not faster.
Index steps_per_sweep(const StepShape& shape);

/// Returns the number of steps per sweep on a GPU.
///
/// @param deepest  the largest number of steps of one sweep: generated::deepest_sweep, or 1 for
///                 masks without kernels of several steps
Index gpu_steps_per_sweep(const StepShape& shape, Index deepest);

}  // namespace stencil
