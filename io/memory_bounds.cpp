#include <algorithm>
#include <thread>

#include "io/dataset.hpp"
#include "io/pieces.hpp"
#include "io/transfer.hpp"

namespace stencil {
namespace {

constexpr Index mebibyte = Index{1} << 20;
constexpr Index block_per_thread = Index{256} << 10;  // of reading past HDF5
constexpr Index hdf5_buffers = 4 * mebibyte;          // sieve, type conversion, metadata
constexpr Index mpi_io_buffers = 64 * mebibyte;       // of collective calls, and what they send

/// Chunks that are being packed or unpacked, each filter from one buffer into the next.
constexpr Index chunks_under_way = 4;

Index bytes_of(const std::vector<Index>& dims, Index element) {
  return checked_multiply(storage::points_of(dims), element);
}

Index bytes_of(const storage::ChunkCache& cache) {
  constexpr Index entry = 512;
  return cache.bytes + cache.slots * static_cast<Index>(sizeof(void*)) + cache.chunks * entry;
}

/// What HDF5 keeps of every chunk that one call transfers: a selection of its points.
Index selection_bytes(const std::vector<Index>& dims, const std::vector<Index>& chunk) {
  constexpr Index selection = 4 << 10;
  Index chunks = 1;
  for (std::size_t axis = 0; axis < chunk.size(); ++axis)
    chunks = checked_multiply(chunks, (dims[axis] - 1) / chunk[axis] + 1);
  return std::min(chunks, 2 * storage::most_chunks) * selection;
}

/// Bytes of the largest piece under way.
Index staging_bytes(const std::vector<Index>& dims, const std::vector<Index>& chunk,
                    Index element) {
  return std::min(bytes_of(dims, element), storage::most_points(chunk, element) * element);
}

}  // namespace

Index reading_bytes(const DatasetFacts& facts) {
  const auto element = static_cast<Index>(size_of(facts.type));
  const auto threads = static_cast<Index>(std::max(1u, std::thread::hardware_concurrency()));
  const auto files = 1 + static_cast<Index>(facts.sources.size());
  return staging_bytes(facts.dims, facts.chunk, element) + threads * block_per_thread +
         bytes_of(storage::cache_for(facts.dims, facts.chunk, element)) +
         selection_bytes(facts.dims, facts.chunk) +
         checked_multiply(chunks_under_way, facts.chunk_bytes) + files * hdf5_buffers;
}

Index writing_bytes(const OutputSpec& spec) {
  const auto element = static_cast<Index>(size_of(spec.type));
  const std::vector<Index>& dims = spec.form.dims();
  const Index staging = staging_bytes(dims, spec.chunk, element);
  const Index chunk = spec.chunk.empty() ? 0 : bytes_of(spec.chunk, element);
  // in a collective call a rank holds all its chunks unpacked and packed, and what others sent
  const Index packing = spec.gzip_level > 0 ? checked_multiply(3, staging + chunk) : 0;
  const Index reading_back = bytes_of(storage::cache_for(dims, spec.chunk, element)) +
                             checked_multiply(chunks_under_way, chunk);
  return staging + selection_bytes(dims, spec.chunk) +
         std::max(packing + mpi_io_buffers, reading_back) + hdf5_buffers;
}

}  // namespace stencil
