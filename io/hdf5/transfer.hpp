#pragma once

#include <string>

#include "io/hdf5/handle.hpp"
#include "io/hdf5/pieces.hpp"

namespace stencil::storage {

/// Returns the dataspace of a dataset in which the points of a piece are selected; nothing is
/// selected for an empty piece (without axes).
Handle select(hid_t dataset, const Piece& piece, const std::string& where);

/// Returns a one-dimensional memory dataspace of `points` points; if `points` is 0, nothing is
/// selected.
Handle points_in_a_row(Index points, const std::string& where);

/// Size of HDF5's cache of unpacked chunks.
struct ChunkCache {
  Index bytes = 0;
  Index slots = 0;  ///< entries of the hash table, one pointer each
  Index chunks = 0;
};

/// Returns the size of a cache for one row of chunks across the dataset, so that a chunk that is
/// divided between two pieces is unpacked only once. The size is at most 256 MiB, unless a single
/// chunk is larger. It is zero for a dataset without chunks.
ChunkCache cache_for(const std::vector<Index>& dims, const std::vector<Index>& chunk,
                     Index element_bytes);

/// Returns dataset access properties with the cache of cache_for().
Handle access_with_cache(const std::vector<Index>& dims, const std::vector<Index>& chunk,
                         Index element_bytes);

/// Reads a piece into memory as elements of `type`. @throws StorageError
void read_piece(hid_t dataset, hid_t type, const Piece& piece, void* memory,
                const std::string& where);

}  // namespace stencil::storage
