#pragma once

#include <string>
#include <vector>

namespace stencil::storage {

/// The files that a text names: a file of this very name; else the files that match a pattern
/// (`day/*.h5`), in natural order; else the files of a list of names and patterns with blanks
/// between them, in the order of the list. One name, of a file that need not exist, stands for
/// itself.
///
/// @throws StorageError  no file matches a pattern, or a folder cannot be searched
/// @throws WordsError    a file is named twice
std::vector<std::string> files_named(const std::string& text);

/// Whether one name comes before another where numbers count as numbers: `a9` before `a10`.
bool is_before(const std::string& name, const std::string& other);

}  // namespace stencil::storage
