#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/metadata/axis_names.hpp"
#include "io/metadata/conventions.hpp"

namespace stencil::storage {

/// `where@rscale` -> `where` and `rscale`; `header/dt` -> `header/dt` and nothing.
struct Place {
  std::string path, attribute;
  explicit Place(std::string_view where);
};

/// An object that a place leads to.
struct FoundObject {
  Handle object;     ///< invalid where there is none
  std::string path;  ///< from the group in which it was looked for, without `{}` and `*`
};

/// The groups around a dataset that are searched for conventions, the innermost first: at most 16,
/// and the root.
std::vector<hid_t> groups_near(const DatasetPath& path);

/// The object of a path below a group; invalid where there is none.
Handle object_below(hid_t group, const std::string& path);

/// The statements about a dataset that its conventions make.
class FileConventions {
 public:
  /// @throws StorageError  the file cannot be read
  FileConventions(const DatasetPath& path, const std::vector<Index>& dims);

  /// The conventions that the file follows, in the order of the table.
  const std::vector<const Convention*>& rows() const { return rows_; }
  const AxisNames& axes() const { return axes_; }
  AxisNames& axes() { return axes_; }

  /// The fields at this place of the first row that has some. `{}` and `*` are replaced by the
  /// actual names.
  ///
  /// @param path       of the object from a group around the dataset; empty: the dataset itself or
  ///                   such a group
  /// @param attribute  empty: the object's own values
  std::vector<const Field*> fields_of(const std::string& path, const std::string& attribute) const;

  /// The axes that value number `component` of a list of values may describe.
  std::vector<std::size_t> axes_of(const Field& field, std::size_t component) const;

  /// The object of a path as in Field::where, in the nearest group around the dataset that has one.
  FoundObject object_at(const std::string& path) const;

 private:
  bool is_met(std::string_view need) const;
  bool is_met_by_attribute(std::string_view need) const;

  const DatasetPath& path_;
  std::size_t rank_;
  std::vector<const Convention*> rows_;
  AxisNames axes_;
};

}  // namespace stencil::storage
