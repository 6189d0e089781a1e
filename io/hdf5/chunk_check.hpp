#pragma once

#include <optional>
#include <string>

#include "io/hdf5/chunks.hpp"

namespace stencil::storage {

/// Checks the chunks that the layout requires.
///
/// The stored size of each chunk is compared with the expected size; if there are more than 2^18
/// chunks, only an evenly spaced sample of them is checked. The first chunk, the last, and others
/// up to 128 MiB in total are also unpacked, because HDF5 returns uninitialised memory for a chunk
/// that unpacks to too few bytes. Chunks outside the layout are not searched for: the caller
/// compares chunks_on_record() with ChunkLayout::count().
///
/// @param may_lack  whether chunks may be missing; the points of missing chunks have the fill
///                  value. If chunks may be missing, up to 2^21 chunks are looked up, and these
///                  must include all recorded chunks
/// @returns a description of the first fault; std::nullopt if all checked chunks are sound
/// @throws StorageError  the storage fails
std::optional<std::string> fault_of_chunks(hid_t dataset, const ChunkLayout& layout, bool may_lack,
                                           const std::string& where);

}  // namespace stencil::storage
