#pragma once

#include <optional>

#include "io/hdf5/element_value.hpp"

namespace stencil {

/// Treatment of gaps in the times of joined datasets.
enum class Gaps { refuse, fill, split };

/// Treatment of times that occur in two joined datasets: an error, or the points of the dataset
/// that begins first or last are used.
enum class Overlap { refuse, first, last };

/// Clock that determines the positions of points of joined datasets. `files`: the times of each
/// dataset; a drift of more than half a point is then a gap or an overlap. `first`: the first time
/// of the first dataset and the number of points since then; gaps and overlaps are then measured
/// only between neighbouring datasets.
enum class Clock { files, first };

/// Options for joining datasets.
struct JoinWords {
  std::optional<int>
      axis;  ///< from the last axis if negative; std::nullopt: the sampled axis, or else the first
  bool is_new = false;  ///< along a new axis in front of the datasets' axes, see stack()
  /// Axis that has a sampling rate, for datasets without rates and times; negative: counted from
  /// the last axis.
  std::optional<int> sampled_axis{};
  Gaps gaps = Gaps::refuse;
  Overlap overlap = Overlap::refuse;
  Clock clock = Clock::files;
  std::optional<ElementValue> fill;  ///< value of points in gaps; std::nullopt: NaN
  /// True if points are missing whose values are named by attributes of the first dataset; gaps are
  /// then filled with the first of these values.
  bool missing_by_attributes = false;
  bool missing_unasked = false;  ///< use DatasetFacts::missing_unasked instead of missing_values
};

}  // namespace stencil
