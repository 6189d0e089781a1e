#pragma once

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/select.hpp"

namespace stencil::storage {

/// The points of one axis.
struct FoundRange {
  int axis = 0;
  AxisSelection points;
};

/// The points whose coordinates lie in a range. The coordinates are a dimension scale of that name,
/// whose values must increase or decrease throughout. For `time` they are any scale of time, or
/// else the times in the metadata, see find_times(). Opens the file.
///
/// @param facts  of a dataset, or of joined ones: along the joined axis only times are known
/// @param may_be_empty  whether a range without points is allowed; the count is 0 then
/// @throws WordsError    no such coordinate (the message names the existing ones), limits that are
///                       neither numbers nor dates, no point in the range
/// @throws StorageError  the file cannot be read
FoundRange find_range(const DatasetFacts& facts, const CoordinateRange& range,
                      bool may_be_empty = false);

}  // namespace stencil::storage
