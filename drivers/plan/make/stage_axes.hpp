#pragma once

#include <array>
#include <vector>

#include "drivers/config/config.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// Replaces names and negative numbers in `axes` of all stages by numbers from the first axis on,
/// and writes the canonical text anew if any stage has them.
///
/// @throws WordsError  no such axis, or the same axis twice
void resolve_axes(Config& config, const DatasetFacts& facts);

/// The axes of a stage after resolve_axes(); empty if the configuration gives none.
std::vector<int> given_axes(const StageConfig& stage);

/// The same mask with its rows and columns exchanged. @pre it has two axes
Mask transposed(Mask mask);

/// The same mask of three axes with its axes in another order.
/// @param order  for each new axis {batch, y, x} the axis of `mask` that it is
Mask reordered(const Mask& mask, const std::array<int, 3>& order);

}  // namespace stencil
