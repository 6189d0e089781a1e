#pragma once

#include <limits>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Reads of a dataset that run at the same time.
struct ReadsAtATime {
  Index points = std::numeric_limits<Index>::max();  ///< of each, at most
  Index reads = 1;
  Index threads = 0;  ///< of each; 0: OpenMP's number
  Index kept = 0;     ///< as given to the InputDataset
};

/// Upper bound of the bytes that InputDataset::read allocates, besides the view it fills: buffered
/// points, the chunk cache, and buffers for unpacking.
///
/// @param reads  how it is read; default: all at once, with all threads
Index reading_bytes(const DatasetFacts& facts, const ReadsAtATime& reads = {});

/// Bytes of unpacked chunks that an InputDataset should keep for such reads, so that a chunk that
/// two reads need in part is unpacked once. 0 without chunks.
Index kept_for(const DatasetFacts& facts, const ReadsAtATime& reads);

}  // namespace stencil
