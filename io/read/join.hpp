#pragma once

#include <optional>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

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
  std::optional<int> axis;  ///< negative from the last; nothing: the sampled one, else the first
  bool is_new = false;      ///< along a new axis before those of the datasets instead, see stack()
  /// Negative from the last: the axis that has a sampling rate where no dataset has one and none
  /// tells times.
  std::optional<int> sampled_axis{};
  Gaps gaps = Gaps::refuse;
  Overlap overlap = Overlap::refuse;
  Clock clock = Clock::files;
  std::optional<ElementValue> fill;  ///< of points in gaps; nothing: NaN
  /// Points are missing that have the values which the first dataset's attributes name; gaps are
  /// filled with the first of them.
  bool missing_by_attributes = false;
  bool missing_unasked = false;  ///< of these, DatasetFacts::missing_unasked instead of all
};

/// The facts of several datasets that follow each other along an axis, or along a new one
/// (stack()): in the order of their times
/// where all of them tell them, else as they are given; see timeline_of(). They are read as a
/// virtual dataset is, source by source; attributes and scales are those of the first one.
///
/// @returns one; for Gaps::split one for each stretch without a gap, in the order of time
/// @param parts  from inspect_part(); one at least
/// @throws WordsError  the parts differ in type, axes, extents, sampling rate, unit or packing, or
///                     in missing values that are asked for; a gap, an overlap or a drift of the
///                     clocks that is refused; some tell times and others none; gaps in integers
///                     without a value to fill them with. Names them
std::vector<DatasetFacts> join(std::vector<DatasetFacts> parts, const JoinWords& words);

}  // namespace stencil
