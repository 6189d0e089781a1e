#include "framework/grid/boundary.hpp"

#include <algorithm>

namespace stencil {
namespace {

Index positive_remainder(Index index, Index period) {
  const Index remainder = index % period;
  return remainder < 0 ? remainder + period : remainder;
}

}  // namespace

std::optional<Index> source_index(BoundaryRule rule, Index index, Index extent) {
  if (index >= 0 && index < extent) return index;
  switch (rule) {
    case BoundaryRule::nearest:
      return std::clamp<Index>(index, 0, extent - 1);
    case BoundaryRule::wrap:
      return positive_remainder(index, extent);
    case BoundaryRule::reflect: {
      const Index folded = positive_remainder(index, 2 * extent);
      return folded < extent ? folded : 2 * extent - 1 - folded;
    }
    case BoundaryRule::mirror: {
      if (extent == 1) return 0;
      const Index folded = positive_remainder(index, 2 * (extent - 1));
      return folded < extent ? folded : 2 * (extent - 1) - folded;
    }
    case BoundaryRule::constant:
      break;
  }
  return std::nullopt;
}

}  // namespace stencil
