#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/grid/shape.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/metadata/conventions.hpp"

namespace stencil::storage {

/// Names of the axes of a dataset according to the file, in lower case: `time`, `distance`
/// (channels, loci), `x` (longitude), `y` (latitude) and so on. A name is empty if the file does
/// not give it.
class AxisNames {
 public:
  AxisNames() = default;
  explicit AxisNames(std::vector<std::string> names);

  /// Finds the names. They come from the first convention that determines the axes; otherwise from
  /// the attribute `Dimensions`, from labels and dimension scales, or from the number of loci in an
  /// acquisition group.
  static AxisNames of(const DatasetPath& path, const std::vector<Index>& dims,
                      const std::vector<const Convention*>& rows);

  std::size_t size() const { return names_.size(); }
  /// Returns the name of an axis; empty if the file does not give it.
  std::string name(std::size_t axis) const { return axis < size() ? names_[axis] : ""; }
  std::optional<std::size_t> time() const;
  /// Names an axis `time` if the axis has no name yet.
  void set_time(std::size_t axis);
  /// Returns the axes to which a statement about an axis of this name may refer: exactly one axis
  /// if the axis is certain, no axis if the statement refers to something other than an axis of the
  /// dataset.
  std::vector<std::size_t> possible(std::string_view name) const;

 private:
  std::vector<std::string> names_;
};

/// Converts a name to the usual one: `lon` -> x, `Times` -> time, `locus` -> distance.
std::string usual_axis_name(const std::string& name);

}  // namespace stencil::storage
