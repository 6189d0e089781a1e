#pragma once

#include <optional>

#include "io/hdf5/element_value.hpp"

namespace stencil {

/// What happens where the times of joined datasets leave points out.
enum class Gaps { refuse, fill, split };

/// What happens where joined datasets have points of the same times: the run is refused, or the
/// points of the dataset that begins first or last are taken.
enum class Overlap { refuse, first, last };

/// What says when the points of joined datasets were taken: the times of each dataset, so that a
/// drift of more than half a point is a gap or an overlap; or the times of the first one and the
/// number of points since, so that only gaps and overlaps between neighbours matter.
enum class Clock { files, first };

/// How datasets are joined.
struct JoinWords {
  std::optional<int>
      axis;  ///< negative from the last; std::nullopt: the sampled axis, otherwise the first
  bool is_new = false;  ///< along a new axis before those of the datasets instead, see stack()
  /// Negative from the last: the axis that has a sampling rate where no dataset has one and none
  /// tells times.
  std::optional<int> sampled_axis{};
  Gaps gaps = Gaps::refuse;
  Overlap overlap = Overlap::refuse;
  Clock clock = Clock::files;
  std::optional<ElementValue> fill;  ///< of points in gaps; std::nullopt: NaN
  /// Points are missing that have the values which the first dataset's attributes name; gaps are
  /// filled with the first of them.
  bool missing_by_attributes = false;
  bool missing_unasked = false;  ///< of these, DatasetFacts::missing_unasked instead of all
};

}  // namespace stencil
