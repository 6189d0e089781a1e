#pragma once

#include <string>

#include "framework/grid/shape.hpp"
#include "io/write/blocks/file_structure.hpp"

namespace stencil::storage {

/// Returns the bytes before the HDF5 content of a file; MATLAB, for example, recognises its files
/// by these bytes. Their number is 0, 512, 1024 and so on. The result is also empty if there are
/// more than 64 KiB of such bytes, because no known reader uses more.
/// @throws StorageError
std::string user_block_of(const std::string& file);

/// Size in bytes of the user block of an output, in whole pages. @throws StorageError
Index user_block_bytes(const std::string& input);

/// Writes the user block of the input to an output that was created with space for it.
///
/// @param part       the open output file
/// @param name       name of the file, for messages
/// @param structure  records all writes
/// @throws StorageError
void write_user_block(const std::string& input, int part, const std::string& name,
                      FileStructure& structure);

}  // namespace stencil::storage
