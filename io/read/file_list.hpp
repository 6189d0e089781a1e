#pragma once

#include <string>
#include <vector>

namespace stencil::storage {

/// The files that a text names: a file of exactly this name; otherwise the files that match a
/// pattern (`day/*.h5`), in natural order; otherwise the files of a list of names and patterns
/// separated by blanks, in the order of the list. A single name without a pattern is returned even
/// if no such file exists.
///
/// @throws StorageError  no file matches a pattern, or a folder cannot be searched
/// @throws WordsError    a file is named twice
std::vector<std::string> files_named(const std::string& text);

/// Whether one name comes before another if numbers in them are compared as numbers: `a9` before
/// `a10`.
bool is_before(const std::string& name, const std::string& other);

}  // namespace stencil::storage
