#pragma once

#include <array>
#include <optional>
#include <string>

#include "framework/grid/boundary.hpp"
#include "framework/grid/sampling.hpp"
#include "kernels/channels/channel_mask.hpp"
#include "kernels/mask.hpp"
#include "kernels/method.hpp"

namespace stencil {

/// Type that is computed in, and that the points of fields have.
enum class Precision { float32, float64 };

/// Bytes of one point.
constexpr Index size_of(Precision precision) {
  return precision == Precision::float64 ? 8 : 4;
}

/// One stencil, in typed values, for a world of any shape.
///
/// A world has the axes batch, y and x; a mask of one axis runs along any of them, a mask of two
/// along y and x.
struct Stage {
  std::string name = "stage";  ///< in profilers' timelines
  /// Correlated as it stands. A mask of one axis lies along x where mask_axis is x_axis, else along
  /// y (make_mask_1d).
  Mask mask{};
  /// A mask of four axes, over channels that fold into the batch axis; `mask` is then its first
  /// plane, and tells extent and centre alone.
  std::optional<ChannelMask> channels{};
  /// Axis that a mask of one axis runs along, or one of two that has a single column (y_axis).
  int mask_axis = x_axis;
  Boundary boundary{};
  Extent extent = Extent::same;
  std::array<Index, 2> stride{1, 1};  ///< {y, x} as the mask lies; 1 where it has no taps
  Index steps = 1;  ///< how often it is applied; more than once it keeps the shape
  MethodRequest method = MethodRequest::automatic;
  /// Missing points are NaN, and left out: see Stencil. Nothing: NaN follows IEEE arithmetic.
  std::optional<double> min_valid{};
};

}  // namespace stencil
