#include "kernels/method/fft_tile_choice.hpp"

#include <fmt/core.h>

#include "framework/grid/error.hpp"
#include "kernels/method/method_costs.hpp"

namespace stencil {

FftTiles with_lead(FftTiles tiles, const FftTileWorld& world) {
  const Index line = 64 / world.element, past = world.first_input % line;
  tiles.x.lead = 0;
  tiles.on_lines = past == 0;
  if (tiles.on_lines) return tiles;
  FftTiles led = tiles;
  led.x.lead = past < 0 ? past + line : past;
  led.on_lines = true;
  if (led.x.outputs() < 1) return tiles;
  return fft_cost_in_taps(led, world) < fft_cost_in_taps(tiles, world) ? led : tiles;
}

namespace {

/// Returns whether the transformed planes of a mask of three axes, and their spectra, take too much
/// memory for each thread.
bool keeps_too_much(const FftTiles& tiles, Index element) {
  constexpr Index most_bytes = Index{64} << 20;
  return tiles.depth > 1 && 2 * element * tiles.points() * tiles.depth > most_bytes;
}

}  // namespace

FftTiles choose_fft_tiles(Index height, Index width, const FftTileWorld& world, Index depth) {
  if (!fits_fft_tiles(height, width))
    throw ShapeError(
        fmt::format("method = fft takes masks of up to {0} x {0} taps, this one has {1} x {2}",
                    most_fft_tile / 2, height, width));
  FftTiles best;
  double least = 0;
  for (Index y = 2 * least_fft_tile; y <= most_fft_tile; y *= 2)
    for (Index x = least_fft_tile; x <= most_fft_tile; x *= 2) {
      const FftTiles plain{{y, height}, {x, width, fft_tile_unit}, false, depth};
      if (!best.empty() && keeps_too_much(plain, world.element)) continue;
      if (plain.y.outputs() < 1 || plain.x.outputs() < 1) continue;
      const FftTiles tiles = with_lead(plain, world);
      const double cost = fft_cost_in_taps(tiles, world);
      if (!best.empty() && cost >= least) continue;
      best = tiles;
      least = cost;
    }
  return best;
}

double fft_cost_in_taps(const FftTiles& tiles, const FftTileWorld& world) {
  return cost_in_taps(work_by_tiles(tiles, {.world = world}), world.element);
}

}  // namespace stencil
