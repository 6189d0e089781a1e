#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Boundary conditions at the edges of the array, named as in SciPy (scipy.ndimage, argument
/// `mode`):
///
///     reflect   d c b a | a b c d | d c b a
///     mirror      d c b | a b c d | c b a
///     nearest   a a a a | a b c d | d d d d
///     wrap      a b c d | a b c d | a b c d
///     constant  k k k k | a b c d | k k k k
enum class BoundaryRule { reflect, mirror, nearest, wrap, constant };

/// One rule per axis, and the value for the rule `constant`. A single rule may be passed wherever a
/// function or a Stage takes a Boundary; it then applies to every axis.
struct Boundary {
  std::array<BoundaryRule, axes> rule;  ///< along batch, y and x
  double value = 0;

  /// @param along_all  rule of every axis
  constexpr Boundary(BoundaryRule along_all = BoundaryRule::reflect, double constant = 0)
      : rule{along_all, along_all, along_all}, value(constant) {}
  constexpr Boundary(BoundaryRule batch, BoundaryRule y, BoundaryRule x, double constant = 0)
      : rule{batch, y, x}, value(constant) {}
};

/// Returns the index in `[0, extent)` whose value is used at `index`, which may lie any distance
/// outside the axis. Empty if the rule is `constant` and `index` lies outside.
///
/// @pre extent > 0
std::optional<Index> source_index(BoundaryRule rule, Index index, Index extent);

/// Name of a rule in the configuration.
constexpr std::string_view to_string(BoundaryRule rule) {
  switch (rule) {
    case BoundaryRule::reflect:
      return "reflect";
    case BoundaryRule::mirror:
      return "mirror";
    case BoundaryRule::nearest:
      return "nearest";
    case BoundaryRule::wrap:
      return "wrap";
    case BoundaryRule::constant:
      return "constant";
  }
  return "?";
}

}  // namespace stencil
