#pragma once

#include "drivers/config/config.hpp"

namespace stencil {

/// Replaces each stage over three axes by three stages of one axis each, which are computed one
/// after the other: the mask is their product.
///
/// @param config  after resolve_axes()
/// @param rank    number of axes of the dataset
/// @throws WordsError  missing points are renormalized, which needs the weight of all three; a
///                     derivative along none of the three
void split_axes(Config& config, int rank);

}  // namespace stencil
