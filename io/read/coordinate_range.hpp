#pragma once

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/select.hpp"

namespace stencil::storage {

/// The points of one axis.
struct FoundRange {
  int axis = 0;
  AxisSelection points;
};

/// The points whose coordinates lie in a range: those of a dimension scale of that name, which must
/// rise or fall all along; for `time` of any scale of time, else of the times that the metadata
/// tell, see find_times(). Opens the file.
///
/// @param facts  of a dataset, or of joined ones: along the joined axis only times are known
/// @param may_be_empty  whether no point in the range is no error; the count is 0 then
/// @throws WordsError    no such coordinate (tells those there are), limits that are neither
///                       numbers nor dates, no point in the range
/// @throws StorageError  the file cannot be read
FoundRange find_range(const DatasetFacts& facts, const CoordinateRange& range,
                      bool may_be_empty = false);

}  // namespace stencil::storage
