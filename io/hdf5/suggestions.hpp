#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <vector>

namespace stencil::storage {

/// Returns the paths of at most three datasets of a file that are most similar to `path`, best
/// first.
/// @throws StorageError  the file cannot be searched
std::vector<std::string> nearest_datasets(hid_t file, const std::string& file_name,
                                          const std::string& path);

/// Returns the names of at most `most` links of a group, in the order in which HDF5 lists the
/// links, followed by `...` if there are more links; std::nullopt if the group is damaged. @throws
/// StorageError the file cannot be read
std::optional<std::vector<std::string>> link_names(hid_t group, std::size_t most);

/// Returns the names of at most `most` links of a group, followed by `...` if there are more links.
/// @throws StorageError  the links cannot be listed
std::vector<std::string> child_names(hid_t group, std::size_t most);

}  // namespace stencil::storage
