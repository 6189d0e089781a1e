#pragma once

#include <array>
#include <memory>
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

/// The outputs that are computed along an axis: `count` outputs, the first of which is `shift`
/// inputs after the first output of the extent. If `count` is 0, all outputs are computed.
struct Crop {
  Index shift = 0, count = 0;
};

/// How a stage depends on the position of its inputs along `axis`. An example is the axis of
/// latitudes, along which the distance between neighbouring longitudes varies.
struct VaryingRows {
  Axis axis = y_axis;
  /// Results are multiplied by the factor of the input at the centre of the mask. There is one
  /// factor for each input along `axis`, or a single one. If the factor is NaN, the output is
  /// missing. If `factors` is empty, results are not multiplied.
  std::vector<double> factors{};
  /// The masks of one axis that are used instead of `mask` of the stage, one for each input along
  /// `axis`, or a single one. No mask of the list reaches beyond `mask` on either side. If `masks`
  /// is null or empty, all rows have the mask of the stage. Copies of a stage share the masks,
  /// because the masks may be large.
  std::shared_ptr<const std::vector<Mask>> masks{};

  bool has_masks() const { return masks && !masks->empty(); }
};

/// One stencil as typed values, for a world of any shape.
///
/// A world has the axes batch, y and x. A mask of one axis may be along any of them, a mask of two
/// axes is along y and x, and a mask of three axes is along all three axes.
struct Stage {
  std::string name = "stage";  ///< used in profilers' timelines and messages
  /// Applied as a correlation, without flipping. Unused if `channels` or `bank` is set.
  Mask mask{};
  /// A mask of four axes, which is used instead of `mask` and mixes channels. Channels fold into
  /// the batch axis.
  std::optional<ChannelMask> channels{};
  /// A bank of masks of the same shape, which are used instead of `mask` and are all applied to the
  /// same inputs. For input batch b, the outputs of the k-th mask are batch `b * bank.size() + k`.
  std::vector<Mask> bank{};
  /// Number of output batches that a bank in an earlier stage computes for each input batch. The
  /// method is chosen as for a single filter.
  Index filters_before = 1;
  Boundary boundary{};  ///< BoundaryRule::wrap, for example, applies to every axis
  Extent extent = Extent::same;
  /// {y, x}; for a mask along batch, {stride, 1}. Must be 1 along axes without taps.
  std::array<Index, 2> stride{1, 1};
  Index plane_stride = 1;  ///< stride along batch for a mask of three axes
  Index steps = 1;         ///< number of applications; if above 1, the stage must keep the shape
  /// Number of steps of this stencil that were moved to another stage. The method is chosen for the
  /// total number of steps.
  Index steps_elsewhere = 0;
  MethodRequest method = MethodRequest::automatic;
  /// If set, missing points are NaN and are omitted from the sums, see Stencil. If std::nullopt,
  /// NaN follow IEEE arithmetic.
  std::optional<double> min_valid{};
  std::array<Crop, axes> crop{};  ///< outputs to compute, along batch, y and x
  /// For a mask of one axis: outputs whose mask extends beyond an edge are computed from a
  /// polynomial that is fitted to the points at the edge. The number of these points is the number
  /// of taps.
  std::optional<PolynomialFit> edge_fit{};
  std::optional<VaryingRows> rows{};  ///< only on CPUs, and only for a single step of a single mask
};

}  // namespace stencil
