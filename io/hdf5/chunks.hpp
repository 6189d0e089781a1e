#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/handle.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/hdf5/unpack.hpp"

namespace stencil::storage {

/// How a chunked dataset is cut and packed. Chunks are counted in row-major order.
struct ChunkLayout {
  std::vector<Index> dims, chunk;
  Index element_bytes = 1;  ///< in the file
  std::vector<Filter> filters{};
  bool has_plain_edges = false;  ///< chunks that reach beyond the dataset are not packed

  Index chunk_bytes() const { return element_bytes * points_of(chunk); }
  /// Chunks that the extents ask for. @throws ShapeError  more than fit into 64 bits
  Index count() const;
  /// Start and extents of the n-th chunk, beyond the edge of the dataset, too.
  Piece piece(Index n) const;
  /// Whether the n-th chunk went through the filters that its mask leaves.
  bool is_packed(Index n) const;
};

/// @throws StorageError  HDF5 cannot tell
ChunkLayout chunk_layout_of(hid_t dataset, const std::string& where);

/// `its chunk at [24, 0]`, as messages name the n-th chunk.
std::string name_of_chunk(const ChunkLayout& layout, Index n);

/// A chunk as it is stored.
struct StoredChunk {
  Index bytes = 0;
  unsigned mask = 0;
};

/// Reads the n-th chunk into the unpacker's own memory. @returns what is wrong with its record
/// @throws StorageError  the storage does not answer
std::optional<std::string> read_stored(hid_t dataset, const ChunkLayout& layout, Index n,
                                       Unpacker& unpacker, StoredChunk& chunk);

/// Bytes on record for the n-th chunk; 0 if it was never written; negative if the storage fails.
Index bytes_on_record(hid_t dataset, const ChunkLayout& layout, Index n);

Index chunks_on_record(hid_t dataset, const std::string& where);

}  // namespace stencil::storage
