#include "kernels/fft_tiles.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

Index divide_up(Index a, Index b) {
  return (a + b - 1) / b;
}

/// Taps of a direct sum that take as long as one complex point of a tile. Fitted to tiles of 64 x
/// 64
/// ... 2048 x 2048 points (docs/measurements/transforms.md): passes over the points, dearer where
/// they no longer fit the second-level cache, and much dearer beyond their share of the third.
double taps_per_point(const FftTiles& tiles, Index element) {
  const auto bits = [](double points) { return std::max(0.0, std::log2(points)); };
  constexpr double second_level = 1 << 20, third_level = 4 << 20;
  const double points = double(tiles.points()), bytes = 2 * double(element) * points;
  return 80 + 6 * bits(points) + 30 * bits(bytes / second_level) + 120 * bits(bytes / third_level);
}

/// The same of one output, which comes from memory and goes there.
constexpr double taps_per_output = 70;

/// The same of making the tables, which one thread does, for each point of a tile.
double taps_per_table_point(Index element) {
  return element == 4 ? 2800 : 1400;
}

double outputs_of(const FftTileWorld& world) {
  return double(world.outputs[0]) * double(world.outputs[1]) * double(world.batch);
}

/// In taps, of all outputs.
double total_cost(const FftTiles& tiles, const FftTileWorld& world) {
  const double tiles_of_all = double(world.batch) *
                              double(divide_up(world.outputs[0], tiles.y.outputs())) *
                              double(divide_up(world.outputs[1], tiles.x.outputs()));
  return double(tiles.points()) * (tiles_of_all * taps_per_point(tiles, world.element) +
                                   taps_per_table_point(world.element)) +
         taps_per_output * outputs_of(world);
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
  return {whole.first * outputs(), std::min(end, (whole.last - 1) * outputs() + points)};
}

bool fits_fft_tiles(Index height, Index width) {
  return height <= most_fft_tile / 2 && width <= most_fft_tile / 2;
}

FftTiles choose_fft_tiles(Index height, Index width, const FftTileWorld& world) {
  if (!fits_fft_tiles(height, width))
    throw ShapeError(
        fmt::format("method = fft takes masks of up to {0} x {0} taps, this one has {1} x {2}",
                    most_fft_tile / 2, height, width));
  FftTiles best;
  double least = 0;
  for (Index y = 2 * least_fft_tile; y <= most_fft_tile; y *= 2)
    for (Index x = least_fft_tile; x <= most_fft_tile; x *= 2) {
      const FftTiles tiles{{y, height}, {x, width, fft_tile_unit}};
      if (tiles.y.outputs() < 1 || tiles.x.outputs() < 1) continue;
      const double cost = total_cost(tiles, world);
      if (!best.empty() && cost >= least) continue;
      best = tiles;
      least = cost;
    }
  return best;
}

double fft_cost_in_taps(const FftTiles& tiles, const FftTileWorld& world) {
  return total_cost(tiles, world) / outputs_of(world);
}

}  // namespace stencil
