#pragma once

#include <optional>
#include <string>

#include "io/hdf5/chunks.hpp"

namespace stencil::storage {

/// What is wrong with the chunks that the layout asks for; nothing if they are on record and sound.
///
/// Each has its size on record compared (of more than a quarter of a million an even sample), and
/// the first, the last and as many others as are cheap are unpacked: HDF5 would hand on memory that
/// nobody wrote where a chunk unpacks to fewer bytes than it should. Where there are just as many
/// on record as the layout asks for, there are no others.
///
/// @param may_lack  whether chunks may be missing, and stand for the fill value
/// @throws StorageError  the storage does not answer
std::optional<std::string> fault_of_chunks(hid_t dataset, const ChunkLayout& layout, bool may_lack,
                                           const std::string& where);

}  // namespace stencil::storage
