#pragma once

#include "kernels/fft/fft_blocks.hpp"
#include "kernels/fft/fft_tiles.hpp"
#include "kernels/mask.hpp"
#include "kernels/method/method_site.hpp"
#include "kernels/method/way_work.hpp"

namespace stencil {

// Amounts of work of a method on the backend of the site, for the whole world.

/// @param terms  number of separable terms (column times row) that are summed; 0 for a direct sum
WayWork work_by_taps(const Mask& mask, Index terms, const MethodSite& site);
WayWork work_by_blocks(const FftBlocks& blocks, const Mask& mask, const MethodSite& site);
WayWork work_by_tiles(const FftTiles& tiles, const MethodSite& site);

}  // namespace stencil
