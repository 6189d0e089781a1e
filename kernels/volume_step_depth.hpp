#pragma once

#include <array>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Largest number of planes of one level that are computed together. A row of the level below that
/// several of these planes read is then in the first-level cache when it is read again.
inline constexpr Index planes_of_step = 2;

/// Properties that determine how many steps of a mask of three axes one sweep should compute on
/// CPUs, the same on every rank. Points are in the order `[batch, y, x]`.
struct VolumeStepShape {
  Point mask{1, 1, 1};   ///< number of taps along each axis
  Index adds = 1;        ///< number of multiply-adds per point and step
  Index element = 4;     ///< number of bytes of one element
  Point block{1, 1, 1};  ///< numbers of points of the smallest block along each axis
  /// The axes along which other ranks own the points next to the block, or along which the world is
  /// periodic. Along these axes, points next to the block are computed twice.
  std::array<bool, axes> repeats{};
  Index steps = 1;  ///< number of steps of the stage
};

/// Returns the rows and columns of a tile of outputs for which the planes of all levels stay in the
/// second-level cache.
std::array<Index, 2> volume_step_tile(const VolumeStepShape& shape, Index depth);

/// Returns the number of steps per sweep with the lowest cost; 1 if several steps per sweep are not
/// faster.
Index volume_steps_per_sweep(const VolumeStepShape& shape);

}  // namespace stencil
