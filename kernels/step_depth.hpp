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
  /// Along which of them points beside the block are computed again, by their owner and here:
  /// where other ranks own them, or the world wraps around.
  std::array<bool, 2> repeats{};
  Index steps = 1;  ///< of the stage
  /// Whether levels keep few rows of their own (TimeSweep::shares_rows).
  bool shares_rows = false;
};

/// Where tap k of a mask of one or three rows and columns lies in a 3 x 3 one around its centre.
inline Index place_around_centre(Index k, Index height, Index width) {
  return 3 * (k / width + (height == 1)) + k % width + (width == 1);
}

/// Which taps of such a mask are not skipped: bit 3 j + i stands for row j, column i.
template <class T>
unsigned used_places(const std::vector<T>& taps, Index height, Index width, bool multiply_zeros) {
  unsigned places = 0;
  for (Index k = 0; k < height * width; ++k)
    if (taps[k] != 0 || multiply_zeros) places |= 1u << place_around_centre(k, height, width);
  return places;
}

/// All of them; all but the corners; the four neighbours of the centre; the middle row; the middle
/// column; all of them, by a row of three and a column of three.
inline constexpr unsigned all_places = 0777, plus_places = 0272, neighbour_places = 0252,
                          row_places = 0070, column_places = 0222, separable_places = 01777;

/// The last of them where no tap of either factor is skipped, else 0.
template <class T>
unsigned used_factors(const std::vector<T>& column, const std::vector<T>& row,
                      bool multiply_zeros) {
  const auto used = [&](const std::vector<T>& taps) {
    return taps.size() == 3 && (multiply_zeros || (taps[0] != 0 && taps[1] != 0 && taps[2] != 0));
  };
  return used(column) && used(row) ? separable_places : 0;
}

/// Points along x of a panel whose rows of all levels stay in the second-level cache.
Index step_panel(const StepShape& shape, Index depth);

/// Steps per sweep of least cost: deeper sweeps read and write the block less often, but compute
/// more points beside panels and blocks again. 1 where nothing is gained.
Index steps_per_sweep(const StepShape& shape);

/// Most steps that one sweep of a GPU takes of a mask with this pattern of taps, limited by
/// registers; 1 for other patterns.
constexpr Index deepest_gpu_sweep(unsigned places) {
  if (places == all_places) return 8;
  if (places == row_places) return 16;
  const bool is_known = places == plus_places || places == neighbour_places ||
                        places == column_places || places == separable_places;
  return is_known ? 12 : 1;
}

/// steps_per_sweep of a GPU, which takes several steps of centred masks whose taps form one of the
/// patterns above.
///
/// @param places  used_places or used_factors of the taps as they are rounded; 0 for other masks
Index gpu_steps_per_sweep(const StepShape& shape, unsigned places);

}  // namespace stencil
