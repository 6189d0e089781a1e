#pragma once

#include <hdf5.h>

#include <functional>
#include <string>
#include <vector>

namespace stencil::storage {

/// An object of a file, reached through one of its hard links.
struct MetObject {
  const std::vector<std::string>& names;  ///< names of the links from the root to the object
  H5O_type_t type;
  haddr_t address;

  std::string path() const;
};

/// Visits the objects of a file in the order of their names, groups before their members, and each
/// group once. Each group is opened relative to its parent. HDF5's own functions are not used,
/// because they open each group by its path from the root, which takes a time proportional to the
/// cube of the depth.
///
/// @param meet  called for each object; returns whether to continue
/// @returns false if part of the file is damaged and was skipped
/// @throws StorageError  the file cannot be read
bool walk_file(hid_t file, const std::function<bool(const MetObject&)>& meet);

/// Returns a path of an open object, which is found by its address; empty if no path is found.
///
/// @param near  path of a dataset whose group is searched first
/// @throws StorageError  the file cannot be read
std::string path_of(hid_t object, const std::string& near);

}  // namespace stencil::storage
