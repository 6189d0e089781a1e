#pragma once

#include "drivers/config/config.hpp"

namespace stencil {

/// Replaces stages over three axes whose mask is the product of one mask for each axis by three
/// stages of one axis each, which are computed one after the other. Other stages are kept: masks
/// that are not such a product, and products of which a step, or the weight of the valid points,
/// needs all three axes at once.
///
/// @param config  after resolve_axes()
/// @param rank    number of axes of the dataset
/// @throws WordsError  a derivative along none of the three
void split_axes(Config& config, int rank);

}  // namespace stencil
