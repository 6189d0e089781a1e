#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Some points of an axis, as slices of NumPy: negative indices count from the end, indices beyond
/// the ends mean the ends.
struct Slice {
  std::optional<Index> start{}, stop{};
  Index step = 1;  ///< at least 1
  bool operator==(const Slice&) const = default;
};

/// The points of an axis whose coordinates lie in `[low, high]`, both ends included.
struct CoordinateRange {
  std::string name;       ///< of a dimension scale, or `time`
  std::string low, high;  ///< numbers in the scale's unit, or dates; empty: no limit
  bool operator==(const CoordinateRange&) const = default;
};

/// The selected part of a dataset: ranges of coordinates apply to the axes that have these
/// coordinates, slices to the other axes, in their order; axes without either are selected
/// completely.
using Selection = std::vector<std::variant<Slice, CoordinateRange>>;

/// The points of a slice.
/// @param where  the key of the slice, for the message
/// @throws WordsError  there are none
AxisSelection points_of(const Slice& slice, Index extent,
                        const std::string& where = "input.select");

/// The facts of a selection, which is read as a virtual dataset is: only the selected points of its
/// sources are read, and files without any of them are not opened. Attributes and scales are those
/// of the whole dataset, see DatasetFacts::described().
///
/// @param points  one per axis, within the extents
DatasetFacts select(const DatasetFacts& whole, const std::vector<AxisSelection>& points);

}  // namespace stencil
