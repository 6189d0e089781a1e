#pragma once

#include <optional>
#include <string>

#include "kernels/cuda/launch.hpp"

namespace stencil::cuda {

/// All rungs of the ladder in the order in which they are taught.
inline constexpr Strategy strategies[] = {Strategy::global,      Strategy::constant,
                                          Strategy::tiled_halo,  Strategy::tiled_two_step,
                                          Strategy::tiled_input, Strategy::tiled_cached};

/// The word of `run.kernel`: `tiled_halo`.
std::string to_string(Strategy strategy);

/// The rung of a word of `run.kernel`; nothing where the word names none.
std::optional<Strategy> strategy_named(const std::string& word);

}  // namespace stencil::cuda
