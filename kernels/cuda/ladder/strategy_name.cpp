#include "kernels/cuda/ladder/strategy_name.hpp"

namespace stencil::cuda {

std::string to_string(Strategy strategy) {
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
  return {};
}

std::optional<Strategy> strategy_named(const std::string& word) {
  for (const Strategy strategy : strategies)
    if (to_string(strategy) == word) return strategy;
  return {};
}

}  // namespace stencil::cuda
