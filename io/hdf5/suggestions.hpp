#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace stencil::storage {

/// Paths of the datasets of a file that look most like `path`, best first, three at most.
/// @throws StorageError  it cannot be searched
std::vector<std::string> nearest_datasets(hid_t file, const std::string& file_name,
                                          const std::string& path);

/// Names of the links of a group, at most `most`, then `...` if there are more.
/// @throws StorageError  they cannot be listed
std::vector<std::string> child_names(hid_t group, std::size_t most);

}  // namespace stencil::storage
