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

/// Values or objects that a convention describes for each point, other than datasets: attributes
/// (`how@startazA`), and objects next to the dataset that are numbered from 1 on
/// (`measurementList3`).
class ListsOfPoints {
 public:
  ListsOfPoints(const FileConventions& file, const OutputSpec& spec);

  /// Whether an attribute of an object of the input is such a list.
  bool describes(hid_t object, const std::string& attribute) const;

  /// The name in the output of an object next to the input's dataset; a numbered object gets the
  /// number of its point. Nothing if the output does not have this point.
  std::optional<std::string> own_name(const std::string& name) const;

 private:
  void add(const FileConventions& file, const Field& field);

  const OutputSpec& spec_;
  std::set<std::pair<haddr_t, std::string>> attributes_;       ///< and the addresses of objects
  std::vector<std::pair<std::string, std::size_t>> numbered_;  ///< stems of names, and their axis
};

}  // namespace stencil::storage
