#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace stencil::storage {

/// Whether a name of datasets may be a pattern. Brackets are none: `Raw[0]` is a common name.
bool is_dataset_pattern(const std::string& text);

/// The datasets of a file that a text names: a dataset of exactly this name; otherwise those that
/// match it as a pattern, `/Acquisition/Raw[*]/RawData`, in natural order. `*` matches any
/// characters of one name and `?` one character; brackets match themselves. Links into other files
/// are not followed.
///
/// @throws WordsError    none matches
/// @throws StorageError  a group cannot be read, or holds too many names
std::vector<std::string> datasets_named(hid_t file, const std::string& file_name,
                                        const std::string& text);

}  // namespace stencil::storage
