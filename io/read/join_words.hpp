#pragma once

#include <optional>

#include "io/hdf5/element_value.hpp"

namespace stencil {

/// Treatment of gaps in the times of joined datasets.
enum class Gaps { refuse, fill, split };

/// Treatment of times that occur in two joined datasets: throw an error, or use the points of the
/// dataset that begins first, or of the dataset that begins last.
enum class Overlap { refuse, first, last };

/// Clock that determines the positions of points of joined datasets. With `files`, positions follow
/// from the times of each dataset, and a drift of more than half a sample spacing is a gap or an
/// overlap. With `first`, positions follow from the first time of the first dataset and the number
/// of points since then, and gaps and overlaps are measured only between neighbouring datasets.
enum class Clock { files, first };

/// Options for joining datasets.
struct JoinWords {
  /// Axis of the join; negative numbers count from the last axis. If absent, it is the first axis
  /// with a sampling rate, or else the axis of the times, `sampled_axis`, or the first axis.
  std::optional<int> axis;
  bool is_new = false;  ///< join along a new axis in front of the datasets' axes, see stack()
  /// Axis for which the configuration gives a sampling rate (input.axis with input.sampling_rate).
  /// Negative numbers count from the last axis.
  std::optional<int> sampled_axis{};
  Gaps gaps = Gaps::refuse;
  Overlap overlap = Overlap::refuse;
  Clock clock = Clock::files;
  std::optional<ElementValue> fill;  ///< value of points in gaps; if absent, NaN
  /// True if attributes of the first dataset define missing values. Gaps are then filled with the
  /// first of these values.
  bool missing_by_attributes = false;
  bool missing_unasked = false;  ///< use DatasetFacts::missing_unasked instead of missing_values
};

}  // namespace stencil
