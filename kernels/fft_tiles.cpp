#include "kernels/fft_tiles.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "kernels/method_costs.hpp"

namespace stencil {
namespace {

/// The lead that lays points on cache lines.
Index lead_onto_lines(const Mask& mask, Index element) {
  const Index line = 64 / element, past = mask.centre[1] % line;
  return past == 0 ? 0 : line - past;
}

}  // namespace

Interval FftTileAxis::tiles(const Interval& outputs_wanted, Index stride) const {
  if (outputs_wanted.empty()) return {0, 0};
  return {outputs_wanted.first * stride / outputs(),
          (outputs_wanted.last - 1) * stride / outputs() + 1};
}

Interval FftTileAxis::reads(const Interval& outputs_wanted, Index stride,
                            Index axis_outputs) const {
  if (outputs_wanted.empty()) return {0, 0};
  const Interval whole = tiles(outputs_wanted, stride);
  const Index end = (axis_outputs - 1) * stride + width;
  return {whole.first * outputs(), std::min(end, (whole.last - 1) * outputs() + inputs())};
}

bool fits_fft_tiles(Index height, Index width) {
  return height <= most_fft_tile / 2 && width <= most_fft_tile / 2;
}

FftTiles cut_fft_tiles(const Mask& mask, Index y_points, Index x_points,
                       const FftTileWorld& world) {
  const Index lead = lead_onto_lines(mask, world.element);
  const FftTiles plain{
      {y_points, mask.taps.height}, {x_points, mask.taps.width, fft_tile_unit}, lead == 0};
  if (plain.on_lines) return plain;
  FftTiles led = plain;
  led.x.lead = lead;
  led.on_lines = true;
  if (led.x.outputs() < 1) return plain;
  return fft_cost_in_taps(led, world) < fft_cost_in_taps(plain, world) ? led : plain;
}

FftTiles choose_fft_tiles(const Mask& mask, const FftTileWorld& world) {
  const Index height = mask.taps.height, width = mask.taps.width;
  if (!fits_fft_tiles(height, width))
    throw ShapeError(
        fmt::format("method = fft takes masks of up to {0} x {0} taps, this one has {1} x {2}",
                    most_fft_tile / 2, height, width));
  FftTiles best;
  double least = 0;
  for (Index y = 2 * least_fft_tile; y <= most_fft_tile; y *= 2)
    for (Index x = least_fft_tile; x <= most_fft_tile; x *= 2) {
      if (y < height || x < width + fft_tile_unit - 1) continue;
      const FftTiles tiles = cut_fft_tiles(mask, y, x, world);
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
