#include "examples/strategies/refusals.hpp"

#include <fmt/format.h>

#include "examples/strategies/geometry.hpp"
#include "examples/strategies/strategy_name.hpp"
#include "framework/grid/error.hpp"

namespace stencil::cuda::ladder {
namespace {

[[noreturn]] void refuse(Strategy strategy, const std::string& words) {
  throw WordsError(fmt::format("strategy {} {}", to_string(strategy), words));
}

/// Refuses stencils that no strategy of the ladder computes.
template <class T>
void refuse_other_sums(Strategy strategy, const Stencil<T>& stencil) {
  if (stencil.method != Method::direct)
    refuse(strategy, "computes direct sums: make the stencil with Method::direct");
  if (stencil.min_valid)
    refuse(strategy,
           "cannot leave out missing points (min_valid): make the stencil without "
           "min_valid");
}

template <class T>
void refuse_large_mask(Strategy strategy, const Stencil<T>& stencil, std::size_t shared_limit) {
  const Index h = stencil.height, w = stencil.width;
  const std::size_t most = most_mask_bytes / sizeof(T);
  if (stencil.taps.size() > most)
    refuse(strategy, fmt::format("has room for {} taps in constant memory and the mask has {}x{}: "
                                 "use global",
                                 most, h, w));
  const TileGeometry g = tile_geometry(strategy, h, w);
  if (g.tile_y < 1 || g.tile_x < 1)
    refuse(strategy, fmt::format("needs a mask within its input tile of {}x{} and the mask has "
                                 "{}x{}: use tiled_halo",
                                 g.threads_y, g.threads_x, h, w));
  const std::size_t shared = std::size_t(g.shared_y) * std::size_t(g.shared_x) * sizeof(T);
  if (shared > shared_limit)
    refuse(strategy, fmt::format("needs {} bytes of shared memory a block for a mask of {}x{} and "
                                 "this GPU has {}: use tiled_cached",
                                 shared, h, w, shared_limit));
}

}  // namespace

template <class T>
void refuse_unless_on_rung(Strategy strategy, const Stencil<T>& stencil, std::size_t shared_limit) {
  refuse_other_sums(strategy, stencil);
  if (strategy == Strategy::global) return;
  const auto [sy, sx] = stencil.stride;
  if (strategy != Strategy::constant && (sy != 1 || sx != 1))
    refuse(strategy, fmt::format("has no stride = {} {}: use global or constant", sy, sx));
  if (strategy == Strategy::tiled_two_step && stencil.height != 1)
    refuse(strategy, fmt::format("is for 1D masks along x and the mask has {}x{}: use "
                                 "tiled_halo",
                                 stencil.height, stencil.width));
  refuse_large_mask(strategy, stencil, shared_limit);
}

template void refuse_unless_on_rung(Strategy, const Stencil<float>&, std::size_t);
template void refuse_unless_on_rung(Strategy, const Stencil<double>&, std::size_t);

}  // namespace stencil::cuda::ladder
