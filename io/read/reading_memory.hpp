#pragma once

#include <limits>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Number and size of the reads of a dataset that run at the same time.
struct ReadsAtATime {
  Index points = std::numeric_limits<Index>::max();  ///< upper bound for each read
  Index reads = 1;
  Index threads = 0;  ///< threads per read; if 0, the number of OpenMP threads
  Index kept = 0;     ///< argument `kept` of InputDataset
};

/// Upper bound of the memory in bytes that InputDataset::read allocates in addition to the view
/// that it fills: buffered points, the chunk cache, and buffers for unpacking.
///
/// @param reads  how the dataset is read; default: all points at once, with all threads
Index reading_bytes(const DatasetFacts& facts, const ReadsAtATime& reads = {});

/// Returns the size in bytes of the cache of unpacked chunks that an InputDataset should have for
/// such reads. The size is chosen so that a chunk that contains points of two reads is unpacked
/// only once. The size is 0 for datasets without chunks.
Index kept_for(const DatasetFacts& facts, const ReadsAtATime& reads);

}  // namespace stencil
