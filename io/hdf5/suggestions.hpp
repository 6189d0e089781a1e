#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <vector>

namespace stencil::storage {

/// Paths of the datasets of a file that are most similar to `path`, at most three, best first.
/// @throws StorageError  the file cannot be searched
std::vector<std::string> nearest_datasets(hid_t file, const std::string& file_name,
                                          const std::string& path);

/// Names of up to `most` links of a group, in their order, followed by `...` if there are more;
/// nothing if the group is damaged. @throws StorageError  the file cannot be read
std::optional<std::vector<std::string>> link_names(hid_t group, std::size_t most);

/// Names of up to `most` links of a group, followed by `...` if there are more.
/// @throws StorageError  they cannot be listed
std::vector<std::string> child_names(hid_t group, std::size_t most);

}  // namespace stencil::storage
