#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/handle.hpp"

namespace stencil::storage {

/// A dataset reached link by link.
struct DatasetPath {
  std::vector<Handle> groups;      ///< root first, parent of the dataset last
  std::vector<std::string> names;  ///< names of the links along the path, the dataset's last
  Handle dataset;
};

/// `/a//b/./c` -> a, b, c
std::vector<std::string> split_path(const std::string& path);

/// Opens a dataset by following hard and soft links one by one. Links to other files are refused.
///
/// @throws WordsError    no such dataset (naming the nearest ones), or the path is a group
/// @throws StorageError  an external or user-defined link in the path, or damaged metadata
DatasetPath open_dataset(hid_t file, const std::string& file_name, const std::string& path);

/// Opens an object of a group by a hard link; nothing if there is none.
/// @throws StorageError  damaged metadata
Handle child_of(hid_t group, const char* name);

/// The address of the header of the object that a link leads to. Hard and soft links are followed,
/// and nothing is opened for a hard one. Nothing for a link without a target, into another file, or
/// to itself.
/// @throws StorageError  the storage fails
std::optional<haddr_t> address_behind(hid_t group, const std::string& name);

}  // namespace stencil::storage
