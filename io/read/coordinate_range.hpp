#pragma once

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/select.hpp"

namespace stencil::storage {

/// Selected points of one axis.
struct FoundRange {
  int axis = 0;
  AxisSelection points;
};

/// Finds the points whose coordinates lie in a range. The coordinates are the values of the
/// dimension scale with the range's name, which must be strictly monotonic. For a range named
/// `time`, the coordinates are the values of any scale with a unit of time, or else the times in
/// the metadata, see find_times(). Opens the file.
///
/// @param facts  facts of a dataset, or of joined datasets, for which only times are known along
///               the joined axis
/// @param may_be_empty  whether a range without points is allowed; the count is then 0
/// @throws WordsError    there is no such coordinate (the message names the existing coordinates),
///                       a limit is neither a number nor a date, or no point lies in the range
/// @throws StorageError  the file cannot be read
FoundRange find_range(const DatasetFacts& facts, const CoordinateRange& range,
                      bool may_be_empty = false);

}  // namespace stencil::storage
