#pragma once

#include <array>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// What decides how many steps one sweep should take, the same on every rank.
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

/// Which places of a 3 x 3 mask meet their input: bit 3 j + i stands for row j, column i.
template <class T>
unsigned used_places(const std::vector<T>& taps, bool multiply_zeros) {
  unsigned places = 0;
  for (unsigned k = 0; k < 9; ++k)
    if (taps[k] != 0 || multiply_zeros) places |= 1u << k;
  return places;
}

/// All of them; all but the corners; the four neighbours of the centre.
inline constexpr unsigned all_places = 0777, plus_places = 0272, neighbour_places = 0252;

/// Points along x of a panel whose rows of all levels stay in the second-level cache.
Index step_panel(const StepShape& shape, Index depth);

/// Steps per sweep of least cost: deeper sweeps read and write the block less often, but compute
/// more points beside panels and blocks again. 1 where nothing is gained.
Index steps_per_sweep(const StepShape& shape);

/// The same of a GPU, which takes several steps of direct 3 x 3 masks that are centred and meet
/// their inputs in all places, in the plus or in the neighbours.
///
/// @param places  used_places of the taps as they are rounded
Index gpu_steps_per_sweep(const StepShape& shape, unsigned places);

}  // namespace stencil
