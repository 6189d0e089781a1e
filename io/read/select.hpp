#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Points of an axis, like a slice in NumPy: negative indices count from the end, and indices
/// beyond the ends are clipped.
struct Slice {
  std::optional<Index> start{}, stop{};
  Index step = 1;  ///< at least 1
  bool operator==(const Slice&) const = default;
};

/// The points of an axis whose coordinates lie in `[low, high]`, both ends included.
struct CoordinateRange {
  std::string name;       ///< name of a dimension scale, or `time`
  std::string low, high;  ///< numbers in the scale's unit, or dates; empty if there is no limit
  bool operator==(const CoordinateRange&) const = default;
};

/// The selected part of a dataset. Ranges of coordinates apply to the axes that have these
/// coordinates; slices apply, in their order, to the other axes. An axis with neither a range nor a
/// slice is selected completely.
using Selection = std::vector<std::variant<Slice, CoordinateRange>>;

/// Returns the points of a slice.
/// @param where  configuration key of the slice, for the message
/// @throws WordsError  the slice contains no point
AxisSelection points_of(const Slice& slice, Index extent,
                        const std::string& where = "input.select");

/// Returns the facts of a selection, which is read like a virtual dataset: only the selected points
/// of its sources are read, and files without selected points are not opened. Attributes and scales
/// are those of the whole dataset, see DatasetFacts::described().
///
/// @param points  one entry per axis, within the extents
DatasetFacts select(const DatasetFacts& whole, const std::vector<AxisSelection>& points);

}  // namespace stencil
