#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Some points of an axis, as NumPy's slices: negative indices count from the end, indices beyond
/// the ends stand for the ends.
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

/// What is taken of a dataset: ranges of coordinates stand for the axes that have them, slices for
/// the other axes, one after the other; axes without one are taken whole.
using Selection = std::vector<std::variant<Slice, CoordinateRange>>;

/// The points of a slice.
/// @param where  that says so, for the message
/// @throws WordsError  there are none
AxisSelection points_of(const Slice& slice, Index extent,
                        const std::string& where = "input.select");

/// The facts of a selection, which is read as a virtual dataset is: of its sources no more is read
/// than belongs to it, and no file opened that has none of its points. Attributes and scales are
/// those of the whole, see DatasetFacts::described().
///
/// @param points  one per axis, within the extents
DatasetFacts select(const DatasetFacts& whole, const std::vector<AxisSelection>& points);

}  // namespace stencil
