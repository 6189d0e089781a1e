#include "io/read/reading_memory.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/hdf5/transfer.hpp"
#include "io/read/chunk_read.hpp"
#include "io/read/virtual_read.hpp"

namespace stencil {
namespace {

constexpr Index mebibyte = Index{1} << 20;
constexpr Index block_per_thread = Index{512} << 10;  // when reading without HDF5
constexpr Index hdf5_buffers = 4 * mebibyte;          // sieve, type conversion, metadata

/// Number of buffers of the size of a chunk that are in use while a chunk is packed or unpacked;
/// each filter writes to another buffer.
constexpr Index chunks_under_way = 4;

Index bytes_of(const storage::ChunkCache& cache) {
  constexpr Index entry = 512;
  return cache.bytes + cache.slots * static_cast<Index>(sizeof(void*)) + cache.chunks * entry;
}

/// Memory that HDF5 allocates for the chunks of one call, in bytes: one selection per chunk.
Index selection_bytes(const std::vector<Index>& dims, const std::vector<Index>& chunk) {
  constexpr Index selection = 4 << 10;
  Index chunks = 1;
  for (std::size_t axis = 0; axis < chunk.size(); ++axis)
    chunks = checked_multiply(chunks, (dims[axis] - 1) / chunk[axis] + 1);
  return std::min(chunks, 2 * storage::most_chunks) * selection;
}

/// Size of the largest piece in bytes.
Index staging_bytes(const std::vector<Index>& dims, const std::vector<Index>& chunk, Index element,
                    Index most_read) {
  return std::min({storage::points_of(dims), storage::most_points(chunk, element), most_read}) *
         element;
}

Index bytes_for_numbers(const DatasetFacts& facts, const ReadsAtATime& reads);

/// Returns the number of bytes for reading the sources of a virtual dataset. Each of several
/// threads reads a different source, while others are kept open.
Index of_sources(const DatasetFacts& facts, const ReadsAtATime& reads) {
  ReadsAtATime one = reads;
  one.reads = 1;
  // points between the selected points may also be read
  for (const AxisSelection& axis : facts.selected)
    one.points = axis.step < std::numeric_limits<Index>::max() / std::max<Index>(1, one.points)
                     ? one.points * axis.step
                     : std::numeric_limits<Index>::max();
  one.kept = 0;
  Index most = 0;
  for (const DatasetFacts& source : facts.source_datasets)
    most = std::max(most, bytes_for_numbers(source, one));
  return checked_multiply(reads.reads, most) + storage::kept_open_bytes(facts) + hdf5_buffers;
}

}  // namespace

Index kept_for(const DatasetFacts& dataset, const ReadsAtATime& reads) {
  constexpr Index most = 256 * mebibyte;
  const DatasetFacts facts = with_parts(dataset);
  if (facts.chunk.empty()) return 0;
  const auto element = static_cast<Index>(size_of(facts.type));
  const Index row = storage::cache_for(facts.dims, facts.chunk, element).bytes;
  const Index under_way = checked_multiply(checked_multiply(reads.reads, reads.points), element);
  return std::max(row, std::min(most, checked_add(2 * row, under_way)));
}

Index reading_bytes(const DatasetFacts& facts, const ReadsAtATime& reads) {
  return bytes_for_numbers(with_parts(facts), reads);
}

namespace {

/// @param facts  from with_parts()
Index bytes_for_numbers(const DatasetFacts& facts, const ReadsAtATime& reads) {
  if (!facts.mappings.empty()) return of_sources(facts, reads);
  const auto element = static_cast<Index>(size_of(facts.type));
  const auto all = static_cast<Index>(std::max(1, omp_get_max_threads()));
  const Index threads = reads.threads > 0 ? reads.threads : all;
  const auto files = 1 + static_cast<Index>(facts.sources.size());
  const Index through_hdf5 = staging_bytes(facts.dims, facts.chunk, element, reads.points) +
                             selection_bytes(facts.dims, facts.chunk) +
                             checked_multiply(chunks_under_way, facts.chunk_bytes);
  Index unpacking = 0;
  if (!facts.chunk.empty()) {
    const storage::ChunkReaders readers = storage::chunk_readers(facts, threads);
    unpacking = checked_multiply(readers.threads, readers.bytes_each);
  }
  const Index each = std::max(through_hdf5, unpacking) + threads * block_per_thread;
  return checked_multiply(reads.reads, each) +
         std::max(reads.kept, bytes_of(storage::cache_for(facts.dims, facts.chunk, element))) +
         files * hdf5_buffers;
}

}  // namespace

}  // namespace stencil
