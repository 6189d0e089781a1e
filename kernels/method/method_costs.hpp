#pragma once

#include <array>

#include "kernels/fft/fft_blocks.hpp"
#include "kernels/fft/fft_tiles.hpp"
#include "kernels/mask.hpp"
#include "kernels/method/way_work.hpp"

namespace stencil {

/// The properties of the input that decide the method. They describe the whole world, so that the
/// number of ranks does not change the choice.
struct MethodSite {
  Index axis_outputs = 0;  ///< along the mask's axis; 0: unknown, and fft only if asked for
  std::array<Index, 2> stride{1, 1};  ///< {y, x}, as the mask is stored
  Index lines = 1;                    ///< that the mask runs along
  Index steps = 1;                    ///< how often it is applied
  bool renormalizes = false;          ///< missing points are left out
  bool has_strided_sums = true;       ///< whether sums of separable masks with strides are fast
  bool fft_renormalizes = true;       ///< whether transforms can leave points out: on CPUs
  /// Before striding; without outputs: unknown, and transforms of 2D masks only if asked for.
  FftTileWorld world{};
};

/// @param terms   separable: columns times rows that are summed; 0: direct
WayWork work_by_taps(const Mask& mask, Index terms, const MethodSite& site);
WayWork work_by_blocks(const FftBlocks& blocks, const Mask& mask, const MethodSite& site);
WayWork work_by_tiles(const FftTiles& tiles, const MethodSite& site);

/// Taps that the direct sum multiplies for one output.
Index direct_taps(const Mask& mask);

}  // namespace stencil
