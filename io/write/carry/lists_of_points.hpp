#pragma once

#include <hdf5.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/metadata/file_conventions.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Lists that, according to a convention, have one item for each point and are not datasets. Such a
/// list is an attribute with a value for each point (`how@startazA`), or a series of objects next
/// to the dataset that are numbered from 1 on (`measurementList3`).
class ListsOfPoints {
 public:
  ListsOfPoints(const FileConventions& file, const OutputSpec& spec);

  /// Returns whether an attribute of an object of the input is such a list.
  bool describes(hid_t object, const std::string& attribute) const;

  /// Returns the name that an object next to the input's dataset has in the output. The number of a
  /// numbered object becomes the number of its point in the output; std::nullopt if the output does
  /// not have this point.
  std::optional<std::string> own_name(const std::string& name) const;

 private:
  void add(const FileConventions& file, const Field& field);

  const OutputSpec& spec_;
  std::set<std::pair<haddr_t, std::string>> attributes_;       ///< pairs: the address of an object,
                                                               ///< the name of an attribute
  std::vector<std::pair<std::string, std::size_t>> numbered_;  ///< beginnings of numbered names,
                                                               ///< and their axes
};

}  // namespace stencil::storage
