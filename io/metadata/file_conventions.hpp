#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/metadata/axis_names.hpp"
#include "io/metadata/conventions.hpp"

namespace stencil::storage {

/// Splits a location: `where@rscale` -> `where` and `rscale`; `header/dt` -> `header/dt` and an
/// empty attribute.
struct Place {
  std::string path, attribute;
  explicit Place(std::string_view where);
};

/// An object found by its location.
struct FoundObject {
  Handle object;     ///< invalid if there is no such object
  std::string path;  ///< relative to the group that was searched, with `{}` and `*` replaced
};

/// Returns the groups around a dataset that are searched for conventions, innermost first: at most
/// 16, and the root.
std::vector<hid_t> groups_near(const DatasetPath& path);

/// Returns the object at a path below a group; the handle is invalid if there is no such object.
Handle object_below(hid_t group, const std::string& path);

/// The statements that the conventions of a file make about a dataset.
class FileConventions {
 public:
  /// @throws StorageError  the file cannot be read
  FileConventions(const DatasetPath& path, const std::vector<Index>& dims);

  /// Returns the conventions that the file follows, in the order of the table.
  const std::vector<const Convention*>& rows() const { return rows_; }
  const AxisNames& axes() const { return axes_; }
  AxisNames& axes() { return axes_; }

  /// Returns the fields at a location, from the first row of the table that has such fields. `{}`
  /// and `*` are replaced by the actual names.
  ///
  /// @param path       path of the object from a group around the dataset; empty for the dataset
  ///                   itself or such a group
  /// @param attribute  name of the attribute; empty for the values of the object itself
  std::vector<const Field*> fields_of(const std::string& path, const std::string& attribute) const;

  /// Returns the axes of the dataset that the value with index `component`, in the list of values
  /// of a field, may describe.
  std::vector<std::size_t> axes_of(const Field& field, std::size_t component) const;

  /// Returns the object at a path in the notation of Field::where. Groups around the dataset are
  /// searched, the innermost first.
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
