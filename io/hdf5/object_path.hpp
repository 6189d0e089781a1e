#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/handle.hpp"

namespace stencil::storage {

/// A dataset and the path of links that leads to it.
struct DatasetPath {
  std::vector<Handle> groups;  ///< root first, parent of the dataset last
  /// Names of the links along the path, including the name of the dataset.
  std::vector<std::string> names;
  Handle dataset;
};

/// Splits a path: `/a//b/./c` -> a, b, c
std::vector<std::string> split_path(const std::string& path);

/// Opens a dataset by following hard and soft links one by one. Links to other files are rejected.
///
/// @throws WordsError    there is no such dataset (the message names the most similar paths), or
///                       the path leads to a group
/// @throws StorageError  the path contains an external or user-defined link, or metadata are
///                       damaged
DatasetPath open_dataset(hid_t file, const std::string& file_name, const std::string& path);

/// Opens an object of a group through a hard link; the handle is invalid if there is no such link.
/// @throws StorageError  damaged metadata
Handle child_of(hid_t group, const char* name);

/// Returns the address of the header of the object to which a link leads. Hard and soft links are
/// followed; nothing is opened for a hard link. The result is std::nullopt for a link without a
/// target, a link into another file, and a link to itself.
/// @throws StorageError  the storage fails
std::optional<haddr_t> address_behind(hid_t group, const std::string& name);

}  // namespace stencil::storage
