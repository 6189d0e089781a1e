#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "framework/grid/boundary.hpp"
#include "framework/grid/sampling.hpp"
#include "kernels/channels/channel_mask.hpp"
#include "kernels/families/families_savgol.hpp"
#include "kernels/mask.hpp"
#include "kernels/method/method_request.hpp"

namespace stencil {

/// The compute type, which is also the type of the points of fields.
enum class Precision { float32, float64 };

/// Bytes of one point.
constexpr Index size_of(Precision precision) {
  return precision == Precision::float64 ? 8 : 4;
}

/// The outputs that are computed along an axis: `count` of them, beginning `shift` inputs after the
/// first output of the extent; 0: all of them.
struct Crop {
  Index shift = 0, count = 0;
};

/// One stencil as typed values, for a world of any shape.
///
/// A world has the axes batch, y and x. A mask of one axis may be along any of them, a mask of two
/// axes is along y and x, a mask of three axes along all of them.
struct Stage {
  std::string name = "stage";  ///< in profilers' timelines
  /// Applied as a correlation, without flipping. Left out where there are channels or a bank.
  Mask mask{};
  /// A mask of four axes instead: a stage that mixes channels, which fold into the batch axis.
  std::optional<ChannelMask> channels{};
  /// A bank, in place of `mask`: masks of one shape, each for the same inputs. Batch b of the k-th
  /// mask becomes batch `b * bank.size() + k` of the outputs.
  std::vector<Mask> bank{};
  /// Batches that a bank in an earlier stage has made of each: the method is chosen as for one.
  Index filters_before = 1;
  Boundary boundary{};  ///< `BoundaryRule::wrap`, say, means that rule along every axis
  Extent extent = Extent::same;
  /// {y, x}; {stride, 1} of a mask along batch. 1 along axes without taps.
  std::array<Index, 2> stride{1, 1};
  Index plane_stride = 1;  ///< along batch, of a mask of three axes
  Index steps = 1;         ///< how often it is applied; if more than once, it must keep the shape
  /// Of the same steps, those that another stage does: the method is chosen as for all of them.
  Index steps_elsewhere = 0;
  MethodRequest method = MethodRequest::automatic;
  /// If set, missing points are NaN and are left out of the sums: see Stencil. If std::nullopt, NaN
  /// follows IEEE arithmetic.
  std::optional<double> min_valid{};
  std::array<Crop, axes> crop{};  ///< of batch, y and x
  /// For a mask of one axis: outputs whose mask extends beyond an edge are replaced by those of a
  /// polynomial that is fitted to as many points at the edge as the mask has taps.
  std::optional<PolynomialFit> edge_fit{};
};

}  // namespace stencil
