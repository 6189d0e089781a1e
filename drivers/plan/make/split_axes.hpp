#pragma once

#include "drivers/config/config.hpp"

namespace stencil {

/// Replaces each stage over three axes whose mask is the product of one mask per axis by three
/// one-dimensional stages, which are computed one after the other. A stage is kept if its mask is
/// not such a product, or if repeated steps or the weight of the valid points need all three axes
/// at once.
///
/// @param config  `axes` of its stages must be numbers, see resolve_axes()
/// @param rank    number of axes of the dataset
/// @throws WordsError  the axis of a derivative is none of the three axes
void split_axes(Config& config, int rank);

}  // namespace stencil
