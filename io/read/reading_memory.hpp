#pragma once

#include <limits>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Upper bound of the bytes that InputDataset::read allocates, besides the view it fills: buffered
/// points, the chunk cache, and buffers for unpacking.
///
/// @param most_points  that are read at a time
Index reading_bytes(const DatasetFacts& facts,
                    Index most_points = std::numeric_limits<Index>::max());

}  // namespace stencil
