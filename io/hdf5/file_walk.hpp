#pragma once

#include <hdf5.h>

#include <functional>
#include <string>
#include <vector>

namespace stencil::storage {

/// An object of a file, met by one of its hard links.
struct MetObject {
  const std::vector<std::string>& names;  ///< of the links from the root on, its own last
  H5O_type_t type;
  haddr_t address;

  std::string path() const;
};

/// Meets the objects of a file in the order of their names, groups before what they hold, and every
/// group once. Each group is opened by its own name in the one above: by paths from the root, as
/// HDF5's own walk does it, the time grows with the cube of the depth.
///
/// @param meet  returns whether to go on
/// @returns false if part of the file is damaged and was left out
/// @throws StorageError  the file cannot be read
bool walk_file(hid_t file, const std::function<bool(const MetObject&)>& meet);

/// Path of an object by its address, of the links in a group if there is one; empty if none is
/// found.
///
/// @param near  path of a dataset; the group that it lies in is looked at first
/// @throws StorageError  the file cannot be read
std::string path_of(hid_t object, const std::string& near);

}  // namespace stencil::storage
