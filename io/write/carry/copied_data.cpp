#include "io/write/carry/copied_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "io/hdf5/hdf5_error.hpp"
#include "io/read/coordinate_numbers.hpp"
#include "io/write/carry/copied_references.hpp"
#include "io/write/carry/copied_whole.hpp"
#include "io/write/carry/output_groups.hpp"

namespace stencil::storage {
namespace {

constexpr hsize_t most_in_trial = hsize_t{1} << 20;  // bytes

std::string copying(const std::string& path) {
  return "cannot copy " + one_line(path);
}

/// Reduces a sampling to a few points, for a trial.
void thin(AxisSampling& sampling) {
  constexpr Index most = 16;
  const Index every = std::max<Index>(0, sampling.count - 1) / most + 1;
  sampling.stride *= every;
  sampling.count = (sampling.count + every - 1) / every;
}

bool has_variable_length(hid_t type) {
  return H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0;
}

/// Returns whether a dataset has a fill value of variable length. HDF5 1.10 copies such a value as
/// an address in the source file, so that reading the copy's fill value would access invalid
/// memory.
bool has_fill_elsewhere(hid_t dataset, hid_t type) {
  if (!has_variable_length(type)) return false;
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  H5D_fill_value_t fill = H5D_FILL_VALUE_ERROR;
  return !creation || H5Pfill_value_defined(creation, &fill) < 0 ||
         fill == H5D_FILL_VALUE_USER_DEFINED;
}

/// Creates a dataset like the dataset of the input but with other extents; without the filters if
/// this HDF5 cannot write chunks with these filters.
Handle make_like(hid_t from, hid_t output, const std::string& path,
                 const std::vector<Index>& extents) {
  const std::string what = copying(path);
  const Handle stored = owned(H5Dget_type(from), H5Tclose, what),
               type = owned(H5Tcopy(stored), H5Tclose, what),
               creation = owned(H5Dget_create_plist(from), H5Pclose, what);
  keep_simple(creation);
  const bool has_points = std::find(extents.begin(), extents.end(), 0) == extents.end();
  if (H5Pget_layout(creation) == H5D_CHUNKED && has_points) {
    const std::vector<hsize_t> dims(extents.begin(), extents.end());
    std::vector<hsize_t> chunk(dims.size());
    checked(H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), what);
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
      chunk[axis] = std::min(chunk[axis], dims[axis]);
    checked(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), what);
    const Handle space = owned(
        H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose, what);
    Handle made(H5Dcreate2(output, path.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                H5Dclose);
    if (made) return made;
  }
  return make_values(output, path, type, extents, what);
}

/// Returns whether the points of a one-dimensional dataset can be copied, including extrapolated
/// points.
bool can_continue(hid_t from, const Fate& fate) {
  return fate.dims.size() == 1 && fate.dims[0].axis && is_copyable(from);
}

std::string carry_along(hid_t from, hid_t output, const std::string& path, const Fate& fate) {
  const Handle made = carry_axis_values(from, output, path, fate.dims[0].sampling,
                                        fate.dims[0].extent, copying(path));
  return made ? "" : "which is not even and cannot be continued";
}

/// Returns the points that are copied; std::nullopt if some of them lie beyond the edges of the
/// input.
std::optional<std::vector<AxisSampling>> samplings_of(const Fate& fate, bool is_trial) {
  std::vector<AxisSampling> samplings;
  for (const Followed& dim : fate.dims) {
    if (dim.axis && !is_inside(dim.sampling, dim.extent)) return std::nullopt;
    samplings.push_back(dim.sampling);
    if (is_trial) thin(samplings.back());
  }
  return samplings;
}

std::string copy_by_blocks(hid_t from, hid_t output, const std::string& path, const Fate& fate,
                           bool is_trial, bool has_references) {
  const auto samplings = samplings_of(fate, is_trial);
  if (!samplings) return "whose points beyond the edges are not known";
  std::vector<Index> extents;
  for (const AxisSampling& sampling : *samplings) extents.push_back(sampling.count);
  const Handle type = owned(H5Dget_type(from), H5Tclose, copying(path));
  const Handle made =
      has_fill_elsewhere(from, type)
          ? make_values(output, path, Handle(H5Tcopy(type), H5Tclose), extents, copying(path))
          : make_like(from, output, path, extents);
  if (!has_references && !is_unwritten(from)) copy_sampled(from, made, *samplings, copying(path));
  return "";
}

}  // namespace

std::string copy_points(hid_t from, hid_t output, const std::string& path, const Fate& fate,
                        bool is_trial, const CopiedPaths& copies) {
  const Handle type(H5Dget_type(from), H5Tclose), space(H5Dget_space(from), H5Sclose);
  if (!type || !space) return "which cannot be read";
  const bool has_references = H5Tdetect_class(type, H5T_REFERENCE) > 0;
  if (has_references && !has_object_references(type)) return "which holds references to regions";
  if (H5Sget_simple_extent_npoints(space) > 0 && !is_unwritten(from) && !is_stored_here(from))
    return "whose points are in other files, or damaged";
  try {
    const bool is_as_it_is = fate.is_whole() && !has_references && !has_fill_elsewhere(from, type);
    if (is_as_it_is && is_trial && H5Dget_storage_size(from) > most_in_trial)
      make_values(output, path, H5T_NATIVE_CHAR, {}, copying(path));
    else if (H5Sget_simple_extent_type(space) == H5S_NULL || is_as_it_is)
      copy_whole(from, output, path, copies);
    else
      return can_continue(from, fate)
                 ? carry_along(from, output, path, fate)
                 : copy_by_blocks(from, output, path, fate, is_trial, has_references);
  } catch (const Unreadable&) {
    if (has_link(output, path)) H5Ldelete(output, path.c_str(), H5P_DEFAULT);
    return "which cannot be read";
  }
  return "";
}

void fill_references(hid_t from, hid_t output, const std::string& path, const Fate& fate,
                     bool is_trial, const ChangeValues& change) {
  const Handle type(H5Dget_type(from), H5Tclose);
  if (H5Tdetect_class(type, H5T_REFERENCE) <= 0 || is_unwritten(from)) return;
  const Handle made = owned(H5Dopen2(output, path.c_str(), H5P_DEFAULT), H5Dclose, copying(path));
  if (const auto samplings = samplings_of(fate, is_trial))
    copy_sampled(from, made, *samplings, copying(path), change);
}

}  // namespace stencil::storage
