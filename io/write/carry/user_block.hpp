#pragma once

#include <string>

#include "framework/grid/shape.hpp"
#include "io/write/blocks/file_structure.hpp"

namespace stencil::storage {

/// The bytes before the HDF5 content in a file, such as those by which MATLAB recognizes its files:
/// none, or 512, 1024 ... of them. Empty if there are more than 64 KiB, which no reader uses.
/// @throws StorageError
std::string user_block_of(const std::string& file);

/// The room that an output has for it: whole pages. @throws StorageError
Index user_block_bytes(const std::string& input);

/// Writes the user block of the input into an output that has room for it.
///
/// @param part       the output's file, open
/// @param name       the name of the file, for messages
/// @param structure  records what is written
/// @throws StorageError
void write_user_block(const std::string& input, int part, const std::string& name,
                      FileStructure& structure);

}  // namespace stencil::storage
