#pragma once

#include "drivers/config/config.hpp"

namespace stencil {

/// Replaces each stage over three axes by three stages of one axis each, which are computed one
/// after the other: the mask is their product.
///
/// @param config  after resolve_axes()
/// @throws WordsError  missing points are renormalized, which needs the weight of all three
void split_axes(Config& config);

}  // namespace stencil
