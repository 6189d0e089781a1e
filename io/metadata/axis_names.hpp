#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/grid/shape.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/metadata/conventions.hpp"

namespace stencil::storage {

/// The axes of a dataset by name, according to the file: `time`, `distance` (channels, loci), `x`
/// (longitude), `y` (latitude) ..., in lower case; empty where the file does not say.
class AxisNames {
 public:
  AxisNames() = default;
  explicit AxisNames(std::vector<std::string> names);

  /// The names come from the first of the conventions that fixes the axes; otherwise they come from
  /// the attribute `Dimensions`, from labels and dimension scales, or from the number of loci in a
  /// group of an acquisition.
  static AxisNames of(const DatasetPath& path, const std::vector<Index>& dims,
                      const std::vector<const Convention*>& rows);

  std::size_t size() const { return names_.size(); }
  /// The name of an axis; empty if the file does not give it.
  std::string name(std::size_t axis) const { return axis < size() ? names_[axis] : ""; }
  std::optional<std::size_t> time() const;
  /// Names an axis that has no name yet.
  void set_time(std::size_t axis);
  /// The axes that a statement about an axis of that name may refer to: one if that is certain,
  /// none if it refers to something else than an axis of the dataset.
  std::vector<std::size_t> possible(std::string_view name) const;

 private:
  std::vector<std::string> names_;
};

/// `lon` -> x, `Times` -> time, `locus` -> distance.
std::string usual_axis_name(const std::string& name);

}  // namespace stencil::storage
