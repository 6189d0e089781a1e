#pragma once

#include <hdf5.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/metadata/conventions.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// A dimension of a dataset of the input, and the corresponding dimension in the output.
struct Followed {
  Index extent = 1;  ///< extent of the dimension in the input
  AxisSampling sampling;
  std::optional<std::size_t>
      axis{};  ///< axis of the filtered dataset; std::nullopt if no axis has changed
};

/// How a dataset of the input file, other than the filtered dataset, is treated if the output also
/// contains the other objects of the input file (output.copy = rest).
struct Fate {
  std::string why_not{};  ///< reason why a copy would be wrong; empty if the dataset is copied
  std::vector<Followed> dims{};  ///< the dimensions of the dataset
  bool is_whole() const;         ///< whether the dataset is copied unchanged
};

/// Determines which axes of the filtered dataset the other datasets of the file share. This follows
/// from common dimension scales, from the variables that CF attributes name (coordinates, bounds,
/// ancillary_variables and so on), from the axes of a group NXdata, and from the lists of values in
/// the table of conventions.
class FollowedAxes {
 public:
  FollowedAxes(const DatasetPath& input, const OutputSpec& spec);

  /// Determines the treatment of a dataset.
  /// @param dataset  a dataset of the input file other than the filtered dataset
  /// @throws StorageError  the file cannot be read
  Fate fate_of(hid_t dataset) const;

 private:
  void add_scales();
  void add_rows();
  void add_list(hid_t list, const std::vector<std::size_t>& possible);
  void add_named(const std::vector<std::string>& names);
  void add_axes(hid_t dataset, const std::vector<std::size_t>& axes);
  Handle found(const std::string& name) const;
  Index inputs(std::size_t axis) const { return spec_.input.described().dims[axis]; }
  std::optional<std::size_t> axis_of(hid_t dataset, std::size_t dimension, Index extent,
                                     std::string& why_not) const;
  std::optional<std::size_t> by_length(Index extent, bool is_named, std::string& why_not) const;
  bool is_apart(hid_t dataset) const;
  bool is_alike(hid_t dataset) const;
  Followed along(std::optional<std::size_t> axis, Index extent, std::size_t rank,
                 std::string& why_not) const;

  const DatasetPath& input_;
  const OutputSpec& spec_;
  /// The key is the address of a scale. The value lists the axes that have this scale.
  std::map<haddr_t, std::vector<std::size_t>> scales_;
  /// The key is the address of a dataset. The value is the axis of each dimension.
  std::map<haddr_t, std::vector<std::size_t>> known_;
  /// The key is the address of a dataset. The value states whether CF attributes name the dataset.
  std::map<haddr_t, bool> named_;
  Convention::About about_ = Convention::About::file;
};

/// Returns the address of an object's header. @throws StorageError
haddr_t address_of_object(hid_t object);

}  // namespace stencil::storage
