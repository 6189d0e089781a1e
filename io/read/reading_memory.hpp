#pragma once

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Upper bound of the bytes that InputDataset::read allocates, besides the view it fills: buffered
/// points, the chunk cache, and buffers for unpacking.
Index reading_bytes(const DatasetFacts& facts);

}  // namespace stencil
