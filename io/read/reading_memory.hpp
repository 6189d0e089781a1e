#pragma once

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Most bytes that InputDataset::read holds beside the view it fills: points on their way, the
/// cache of chunks, and what unpacking a chunk takes.
Index reading_bytes(const DatasetFacts& facts);

}  // namespace stencil
