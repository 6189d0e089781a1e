#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/handle.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/hdf5/unpack.hpp"

namespace stencil::storage {

/// The chunks of a dataset and their filters. Chunks are numbered in row-major order.
struct ChunkLayout {
  std::vector<Index> dims, chunk;
  Index element_bytes = 1;  ///< in the file
  std::vector<Filter> filters{};
  bool has_plain_edges = false;  ///< chunks that extend beyond the dataset are not filtered

  Index chunk_bytes() const { return element_bytes * points_of(chunk); }
  /// Number of chunks that cover the dataset. @throws ShapeError  more than fit into 64 bits
  Index count() const;
  /// Start and extents of the n-th chunk, including its part beyond the edge of the dataset.
  Piece piece(Index n) const;
  /// Whether filters are applied to the n-th chunk; its mask may still exclude some of them.
  bool is_packed(Index n) const;
};

/// @throws StorageError  the layout cannot be read, or is malformed
ChunkLayout chunk_layout_of(hid_t dataset, const std::string& where);

/// `its chunk at [24, 0]`, as messages name the n-th chunk.
std::string name_of_chunk(const ChunkLayout& layout, Index n);

/// Size of a stored chunk, and the mask of the filters that it was written without.
struct StoredChunk {
  Index bytes = 0;
  unsigned mask = 0;
};

/// Reads the n-th chunk, still packed, into the memory of the unpacker.
///
/// @returns a description of the fault if its record is wrong
/// @throws StorageError  the storage fails
std::optional<std::string> read_stored(hid_t dataset, const ChunkLayout& layout, Index n,
                                       Unpacker& unpacker, StoredChunk& chunk);

/// Stored bytes of the n-th chunk; 0 if it was never written; negative if the storage fails.
Index bytes_on_record(hid_t dataset, const ChunkLayout& layout, Index n);

/// Number of chunks that were written. @throws StorageError  the storage fails
Index chunks_on_record(hid_t dataset, const std::string& where);

}  // namespace stencil::storage
