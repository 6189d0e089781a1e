#include "io/read/same_values.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/transfer.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t block_bytes = std::size_t{16} << 20;
constexpr const char* what = "cannot compare datasets";

std::vector<Index> extents_of(hid_t dataset) {
  const Handle space = owned(H5Dget_space(dataset), H5Sclose, what);
  std::vector<hsize_t> dims(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  if (!dims.empty()) H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

/// Returns whether the attributes define the same meaning of the values.
bool mean_the_same(hid_t dataset, hid_t other) {
  for (const char* name : {"units", "calendar", "_Unsigned"})
    if (attribute_text(dataset, name) != attribute_text(other, name)) return false;
  for (const char* name : {"scale_factor", "add_offset"})
    if (attribute_number(dataset, name) != attribute_number(other, name)) return false;
  return true;
}

/// Reads a part of a dataset along its first axis; the whole dataset if it has no axis.
std::vector<std::byte> read_rows(hid_t dataset, hid_t type, const Piece& rows) {
  const Index points = rows.count.empty() ? 1 : rows.points();
  std::vector<std::byte> values(static_cast<std::size_t>(points) * H5Tget_size(type));
  if (rows.count.empty())
    checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
  else
    read_piece(dataset, type, rows, values.data(), what);
  return values;
}

}  // namespace

bool have_same_values(hid_t dataset, hid_t other) {
  const Handle type = owned(H5Dget_type(dataset), H5Tclose, what),
               other_type = owned(H5Dget_type(other), H5Tclose, what);
  const std::vector<Index> extents = extents_of(dataset);
  if (H5Tequal(type, other_type) <= 0 || extents != extents_of(other) ||
      !mean_the_same(dataset, other) || H5Tdetect_class(type, H5T_VLEN) > 0 ||
      H5Tis_variable_str(type) > 0 || H5Tdetect_class(type, H5T_REFERENCE) > 0)
    return false;
  Piece rows{std::vector<Index>(extents.size(), 0), extents};
  if (extents.empty()) return read_rows(dataset, type, rows) == read_rows(other, type, rows);
  if (rows.points() == 0) return true;
  const std::size_t row_bytes =
      static_cast<std::size_t>(rows.points() / extents[0]) * H5Tget_size(type);
  const auto most = static_cast<Index>(std::max<std::size_t>(1, block_bytes / row_bytes));
  for (Index first = 0; first < extents[0]; first += most) {
    rows.start[0] = first;
    rows.count[0] = std::min(most, extents[0] - first);
    if (read_rows(dataset, type, rows) != read_rows(other, type, rows)) return false;
  }
  return true;
}

bool has_same_scale(const DatasetPath& dataset, int axis, const Scale& scale) {
  const auto leaf = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  const std::vector<Scale> scales = scales_of(dataset.dataset, axis);
  return std::any_of(scales.begin(), scales.end(), [&](const Scale& other) {
    return other.dataset && leaf(other.path) == leaf(scale.path) &&
           have_same_values(scale.dataset, other.dataset);
  });
}

}  // namespace stencil::storage
