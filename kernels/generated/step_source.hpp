#pragma once

#include <string>

#include "kernels/generated/step_spec.hpp"

namespace stencil::generated {

/// Returns the CUDA source of a walk of several steps: a preamble of constants, then step_walk.cu.
/// Its kernel is `step_walk(StepArguments<T>, T taps[mask.adds()])`. The source includes texts of
/// included_text (source_text.hpp).
std::string step_walk_source(const StepMask& mask, const StepWalk& walk);

inline constexpr const char* step_walk_kernel = "stencil::generated::step_walk";

/// Returns the CUDA source of a kernel for tiles at the edges of the world, for any number of
/// steps: a preamble of constants, then step_tiles.cu. Its kernel is `step_tiles(TileArguments<T>,
/// T taps[mask.adds()])`.
std::string step_tiles_source(const StepMask& mask);

inline constexpr const char* step_tiles_kernel = "stencil::generated::step_tiles";

}  // namespace stencil::generated
