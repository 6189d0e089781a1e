#pragma once

#include <string>
#include <vector>

namespace stencil::storage {

/// Returns the files that a text denotes: the file of exactly this name if it exists; otherwise the
/// files that match the text as a pattern (`day/*.h5`), in natural order; otherwise the files of a
/// list of names and patterns separated by blanks, in the order of the list. A single name that is
/// not a pattern is returned even if no such file exists.
///
/// @throws StorageError  no file matches a pattern, or a folder cannot be searched
/// @throws WordsError    a file occurs twice
std::vector<std::string> files_named(const std::string& text);

/// Natural order of names: numbers in the names are compared as numbers, so `a9` comes before
/// `a10`.
bool is_before(const std::string& name, const std::string& other);

}  // namespace stencil::storage
