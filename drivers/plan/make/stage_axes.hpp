#pragma once

#include <array>
#include <vector>

#include "drivers/config/config.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// Replaces names and negative numbers in `axes` of all stages by nonnegative numbers, and updates
/// the canonical text if any stage has `axes`.
///
/// @throws WordsError  an axis does not exist or is given twice
void resolve_axes(Config& config, const DatasetFacts& facts);

/// Returns the axes of a stage after resolve_axes(); empty if the configuration gives none.
std::vector<int> given_axes(const StageConfig& stage);

/// Returns a two-dimensional mask with its rows and columns exchanged.
Mask transposed(Mask mask);

/// Returns a three-dimensional mask with permuted axes.
/// @param order  for each new axis {batch, y, x}, the axis of `mask`
Mask reordered(const Mask& mask, const std::array<int, 3>& order);

}  // namespace stencil
