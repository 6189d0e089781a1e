#include "examples/strategies/geometry.hpp"

#include <algorithm>

namespace stencil::cuda::ladder {
namespace {

bool has_tile(Strategy strategy) {
  return strategy != Strategy::global && strategy != Strategy::constant;
}

/// Amounts of work along one axis, summed over the blocks.
struct AxisWork {
  double outputs = 0;
  double tile_loads = 0;   ///< inputs that the blocks load into shared memory
  double inside_taps = 0;  ///< number of pairs (output, tap) whose input is in the core tile
};

/// @param taps  number of taps of the mask along the axis
AxisWork count_axis(Index outputs, Index tile, Index shared, Index taps) {
  const Index inputs = outputs + taps - 1, before = shared == tile ? taps / 2 : 0;
  AxisWork work;
  for (Index first = 0; first < outputs; first += tile) {
    const Index here = std::min(tile, outputs - first);
    work.outputs += double(here);
    work.tile_loads += double(std::min(shared, inputs - (first + before)));
    for (Index tap = 0; tap < taps; ++tap) {
      // output k uses input k + tap - before of the core tile
      const Index low = std::max<Index>(0, before - tap);
      const Index high = std::min(here, tile + before - tap);
      work.inside_taps += double(std::max<Index>(0, high - low));
    }
  }
  return work;
}

}  // namespace

TileGeometry tile_geometry(Strategy strategy, Index height, Index width) {
  const bool line = height == 1;
  TileGeometry g;
  if (strategy == Strategy::tiled_input) {
    g.threads_x = line ? line_input_tile : square_input_tile;
    g.threads_y = line ? 1 : square_input_tile;
    g.tile_x = g.threads_x - width + 1;
    g.tile_y = g.threads_y - height + 1;
    g.shared_x = g.threads_x;
    g.shared_y = g.threads_y;
    return g;
  }
  g.threads_x = line ? line_tile : tile_columns;
  g.threads_y = line ? 1 : tile_rows;
  g.tile_x = g.threads_x;
  g.tile_y = g.threads_y;
  if (has_tile(strategy)) {
    const bool halo = strategy != Strategy::tiled_cached;
    g.shared_x = g.tile_x + (halo ? width - 1 : 0);
    g.shared_y = g.tile_y + (halo ? height - 1 : 0);
  }
  return g;
}

SweepWork count_work(Strategy strategy, Index height, Index width, const Point& outputs) {
  const TileGeometry g = tile_geometry(strategy, height, width);
  const double batch = double(outputs[0]);
  SweepWork work;
  work.multiply_adds = double(points(outputs)) * double(height) * double(width);
  work.loads = work.multiply_adds;
  if (!has_tile(strategy)) return work;
  const AxisWork y = count_axis(outputs[1], g.tile_y, g.shared_y, height);
  const AxisWork x = count_axis(outputs[2], g.tile_x, g.shared_x, width);
  work.loads = batch * y.tile_loads * x.tile_loads;
  if (strategy == Strategy::tiled_cached)
    work.loads += work.multiply_adds - batch * y.inside_taps * x.inside_taps;
  return work;
}

double reuse_by_formula(Strategy strategy, Index height, Index width) {
  if (!has_tile(strategy)) return 1;
  const TileGeometry g = tile_geometry(strategy, height, width);
  const auto along = [](Index tile, Index taps) {
    return double(tile) * double(taps) / double(tile + taps - 1);
  };
  return along(g.tile_y, height) * along(g.tile_x, width);
}

}  // namespace stencil::cuda::ladder
