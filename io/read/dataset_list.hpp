#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace stencil::storage {

/// Returns whether the name of a dataset is a pattern. Brackets do not make a pattern, because
/// `Raw[0]` is a common name.
bool is_dataset_pattern(const std::string& text);

/// Returns the datasets of a file that a text denotes: the dataset of exactly this name if it
/// exists; otherwise the datasets that match the text as a pattern, such as
/// `/Acquisition/Raw[*]/RawData`, in natural order. `*` matches any characters within one name, `?`
/// matches one character, and brackets match themselves. Links to other files are not followed.
///
/// @throws WordsError    no dataset matches
/// @throws StorageError  a group cannot be read, or contains too many names
std::vector<std::string> datasets_named(hid_t file, const std::string& file_name,
                                        const std::string& text);

}  // namespace stencil::storage
