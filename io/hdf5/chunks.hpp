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
  Index element_bytes = 1;  ///< size of an unpacked element in the file
  std::vector<Filter> filters{};
  bool has_plain_edges = false;  ///< chunks that extend beyond the dataset are not filtered

  Index chunk_bytes() const { return element_bytes * points_of(chunk); }
  /// Number of chunks that cover the dataset. @throws ShapeError  the number overflows 64 bits
  Index count() const;
  /// Start and extents of the n-th chunk, including the part beyond the edge of the dataset.
  Piece piece(Index n) const;
  /// Returns whether filters are applied to the n-th chunk; the chunk's mask can still exclude some
  /// filters.
  bool is_packed(Index n) const;
};

/// Reads the layout of a dataset. @throws StorageError  the layout cannot be read or is malformed
ChunkLayout chunk_layout_of(hid_t dataset, const std::string& where);

/// Name of the n-th chunk in messages: `its chunk at [24, 0]`.
std::string name_of_chunk(const ChunkLayout& layout, Index n);

/// Size of a stored chunk, and the mask of the filters that were not applied to it.
struct StoredChunk {
  Index bytes = 0;
  unsigned mask = 0;
};

/// Reads the n-th chunk, still packed, into the buffer of the unpacker.
///
/// @returns a description of the fault if the chunk's record is wrong; otherwise std::nullopt
/// @throws StorageError  the storage fails
std::optional<std::string> read_stored(hid_t dataset, const ChunkLayout& layout, Index n,
                                       Unpacker& unpacker, StoredChunk& chunk);

/// Stored size of the n-th chunk in bytes; 0 if the chunk was never written; negative if the
/// storage fails.
Index bytes_on_record(hid_t dataset, const ChunkLayout& layout, Index n);

/// Number of chunks that were written. @throws StorageError  the storage fails
Index chunks_on_record(hid_t dataset, const std::string& where);

}  // namespace stencil::storage
