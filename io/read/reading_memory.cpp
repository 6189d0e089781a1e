#include "io/read/reading_memory.hpp"

#include <omp.h>

#include <algorithm>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/hdf5/transfer.hpp"
#include "io/read/chunk_read.hpp"
#include "io/read/virtual_read.hpp"

namespace stencil {
namespace {

constexpr Index mebibyte = Index{1} << 20;
constexpr Index block_per_thread = Index{256} << 10;  // when reading without HDF5
constexpr Index hdf5_buffers = 4 * mebibyte;          // sieve, type conversion, metadata

/// Buffers of chunks that are being packed or unpacked: each filter writes into another one.
constexpr Index chunks_under_way = 4;

Index bytes_of(const std::vector<Index>& dims, Index element) {
  return checked_multiply(storage::points_of(dims), element);
}

Index bytes_of(const storage::ChunkCache& cache) {
  constexpr Index entry = 512;
  return cache.bytes + cache.slots * static_cast<Index>(sizeof(void*)) + cache.chunks * entry;
}

/// Bytes that HDF5 allocates for the chunks of one call: a selection of points for each.
Index selection_bytes(const std::vector<Index>& dims, const std::vector<Index>& chunk) {
  constexpr Index selection = 4 << 10;
  Index chunks = 1;
  for (std::size_t axis = 0; axis < chunk.size(); ++axis)
    chunks = checked_multiply(chunks, (dims[axis] - 1) / chunk[axis] + 1);
  return std::min(chunks, 2 * storage::most_chunks) * selection;
}

/// Bytes of the largest piece.
Index staging_bytes(const std::vector<Index>& dims, const std::vector<Index>& chunk, Index element,
                    Index most_read) {
  return std::min({storage::points_of(dims), storage::most_points(chunk, element), most_read}) *
         element;
}

/// Bytes for reading one source of a virtual dataset while others are kept open.
Index of_sources(const DatasetFacts& facts) {
  Index most = 0;
  for (const DatasetFacts& source : facts.source_datasets)
    most = std::max(most, reading_bytes(source));
  return most + storage::kept_open_bytes(facts) + hdf5_buffers;
}

}  // namespace

Index reading_bytes(const DatasetFacts& facts, Index most_points) {
  if (!facts.mappings.empty()) return of_sources(facts);
  const auto element = static_cast<Index>(size_of(facts.type));
  const auto threads = static_cast<Index>(std::max(1, omp_get_max_threads()));
  const auto files = 1 + static_cast<Index>(facts.sources.size());
  const Index through_hdf5 = staging_bytes(facts.dims, facts.chunk, element, most_points) +
                             selection_bytes(facts.dims, facts.chunk) +
                             checked_multiply(chunks_under_way, facts.chunk_bytes);
  Index unpacking = 0;
  if (!facts.chunk.empty()) {
    const storage::ChunkReaders readers = storage::chunk_readers(facts, threads);
    unpacking = checked_multiply(readers.threads, readers.bytes_each);
  }
  return std::max(through_hdf5, unpacking) + threads * block_per_thread +
         bytes_of(storage::cache_for(facts.dims, facts.chunk, element)) + files * hdf5_buffers;
}

}  // namespace stencil
