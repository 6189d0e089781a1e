#include "kernels/cuda/steps/step_areas.hpp"

#include <algorithm>

namespace stencil::cuda {
namespace {

/// Returns the outputs that depend on no point beyond an edge of the world.
Interval plain_outputs(const StepAxis& axis, Index extent, Index steps) {
  if (axis.rule == BoundaryRule::wrap) return {0, extent};
  const Index first = std::clamp<Index>(axis.world.first + steps * axis.low, 0, extent);
  return {first, std::clamp(axis.world.last - steps * axis.high, first, extent)};
}

/// Number of elements of shared memory of a block for tiles of `rows` x `columns` outputs: the
/// points before and after a step with the elements around them, and the rows that the last sums
/// read but do not use (tiles.cuh).
long elements_of(long rows, long columns, const generated::StepMask& mask, int depth) {
  constexpr long rows_in_vain = 4;
  const long around_y = (depth + 1) * (mask.height - 1), around_x = (depth + 1) * (mask.width - 1);
  return (columns + around_x) * (2 * (rows + around_y) + rows_in_vain);
}

/// Returns the numbers of outputs of a tile along y and x.
std::array<int, 2> sides_of(const StepArea& area, const generated::StepMask& mask, int depth) {
  constexpr long thin = 16, wide = 112, narrow = 48;
  constexpr long most_bytes = 96 << 10;  // available to a block on every GPU
  long rows = std::min<long>(area.y.extent(), area.x.extent() <= thin ? wide : narrow);
  long columns = std::min<long>(area.x.extent(), area.y.extent() <= thin ? wide : narrow);
  while (elements_of(rows, columns, mask, depth) * mask.element > most_bytes &&
         std::max(rows, columns) > 1) {
    long& longer = rows > columns ? rows : columns;
    longer = (longer + 1) / 2;
  }
  return {int(rows), int(columns)};
}

generated::TileRule tile_rule(BoundaryRule rule) {
  switch (rule) {
    case BoundaryRule::reflect:
      return generated::TileRule::reflect;
    case BoundaryRule::mirror:
      return generated::TileRule::mirror;
    case BoundaryRule::nearest:
      return generated::TileRule::nearest;
    case BoundaryRule::wrap:
      return generated::TileRule::wrap;
    case BoundaryRule::constant:
      break;
  }
  return generated::TileRule::constant;
}

}  // namespace

StepAreas cut_sweep(const StepEdges& edges, Index rows, Index columns, Index steps, Index whole) {
  const Interval all_y{0, rows}, all_x{0, columns};
  const Interval y = plain_outputs(edges.axis[0], rows, steps);
  Interval x = plain_outputs(edges.axis[1], columns, steps);
  x.first = std::min(x.last, (x.first + whole - 1) / whole * whole);
  x.last = x.first + x.extent() / whole * whole;
  // strips of few columns are not used, because they take as long as strips of hundreds of columns
  const Index narrow = edges.axis[1].low > 0 ? 16 : 0;
  if (y.empty() || x.extent() <= narrow) return {{}, {{all_y, all_x}}};
  std::vector<StepArea> frame{
      {{0, y.first}, all_x}, {{y.last, rows}, all_x}, {y, {0, x.first}}, {y, {x.last, columns}}};
  std::erase_if(frame, [](const StepArea& area) { return area.empty(); });
  return {{y, x}, frame};
}

template <class T>
generated::TileArguments<T> cut_tiles(const std::vector<StepArea>& areas, const StepEdges& edges,
                                      const generated::StepMask& mask, int depth) {
  generated::TileArguments<T> tiles{};
  tiles.depth = depth;
  tiles.value = T(edges.value);
  for (int k = 0; k < 2; ++k) {
    tiles.world_first[k] = edges.axis[std::size_t(k)].world.first;
    tiles.world_last[k] = edges.axis[std::size_t(k)].world.last;
    tiles.rule[k] = tile_rule(edges.axis[std::size_t(k)].rule);
  }
  for (std::size_t k = 0; k < areas.size(); ++k) {
    const auto [rows, columns] = sides_of(areas[k], mask, depth);
    const Interval &y = areas[k].y, &x = areas[k].x;
    const long across = (x.extent() + columns - 1) / columns;
    const long all = (y.extent() + rows - 1) / rows * across;
    tiles.areas[k] = {{y.first, x.first}, {y.last, x.last}, {rows, columns}, across, all};
    tiles.tiles += all;
  }
  return tiles;
}

template <class T>
std::size_t tile_bytes(const generated::TileArguments<T>& tiles, const generated::StepMask& mask) {
  long most = 0;
  for (const generated::TileArea& area : tiles.areas)
    if (area.tiles > 0)
      most = std::max(most, elements_of(area.side[0], area.side[1], mask, tiles.depth));
  return std::size_t(most) * sizeof(T);
}

template generated::TileArguments<float> cut_tiles(const std::vector<StepArea>&, const StepEdges&,
                                                   const generated::StepMask&, int);
template generated::TileArguments<double> cut_tiles(const std::vector<StepArea>&, const StepEdges&,
                                                    const generated::StepMask&, int);
template std::size_t tile_bytes(const generated::TileArguments<float>&, const generated::StepMask&);
template std::size_t tile_bytes(const generated::TileArguments<double>&,
                                const generated::StepMask&);

}  // namespace stencil::cuda
