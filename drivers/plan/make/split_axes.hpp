#pragma once

#include "drivers/config/config.hpp"

namespace stencil {

/// Replaces each stage over three axes whose mask is the product of one mask per axis by three
/// one-dimensional stages, which are computed one after the other. Other stages are kept. Their
/// masks are not such products, or a step or the weight of the valid points needs all three axes at
/// once.
///
/// @param config  after resolve_axes()
/// @param rank    number of axes of the dataset
/// @throws WordsError  the axis of a derivative is none of the three axes
void split_axes(Config& config, int rank);

}  // namespace stencil
