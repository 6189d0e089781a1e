#pragma once

#include <string>
#include <string_view>

namespace stencil::cuda {

/// The ladder of tiling strategies, for teaching and for measurements.
enum class Strategy { global, constant, tiled_halo, tiled_two_step, tiled_input, tiled_cached };

/// All strategies of the ladder in the order in which they are taught.
inline constexpr Strategy strategies[] = {Strategy::global,      Strategy::constant,
                                          Strategy::tiled_halo,  Strategy::tiled_two_step,
                                          Strategy::tiled_input, Strategy::tiled_cached};

/// The name in README.md: `tiled_halo`.
constexpr std::string_view name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::global:
      return "global";
    case Strategy::constant:
      return "constant";
    case Strategy::tiled_halo:
      return "tiled_halo";
    case Strategy::tiled_two_step:
      return "tiled_two_step";
    case Strategy::tiled_input:
      return "tiled_input";
    case Strategy::tiled_cached:
      return "tiled_cached";
  }
  return "?";
}

inline std::string to_string(Strategy strategy) {
  return std::string(name_of(strategy));
}

}  // namespace stencil::cuda
