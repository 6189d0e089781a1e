#pragma once

#include <string>

#include "io/hdf5/handle.hpp"
#include "io/hdf5/pieces.hpp"

namespace stencil::storage {

/// The part of a dataset that a piece is, as a selection of its dataspace; an empty piece (no axes)
/// selects nothing.
Handle select(hid_t dataset, const Piece& piece, const std::string& where);

/// Dataspace of as many points in a row, for memory; 0 selects nothing.
Handle points_in_a_row(Index points, const std::string& where);

/// A cache of unpacked chunks.
struct ChunkCache {
  Index bytes = 0;
  Index slots = 0;  ///< entries of its table, a pointer each
  Index chunks = 0;
};

/// The cache that holds a row of chunks across the whole dataset, within 256 MiB, and one chunk at
/// least: pieces that end inside a chunk do not unpack it again. Nothing without chunks.
ChunkCache cache_for(const std::vector<Index>& dims, const std::vector<Index>& chunk,
                     Index element_bytes);

/// Access properties with that cache.
Handle access_with_cache(const std::vector<Index>& dims, const std::vector<Index>& chunk,
                         Index element_bytes);

/// Reads a piece into memory of `type`. @throws StorageError
void read_piece(hid_t dataset, hid_t type, const Piece& piece, void* memory,
                const std::string& where);

}  // namespace stencil::storage
