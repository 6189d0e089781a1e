#include "io/write/output/snapshot_axis.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <hdf5_hl.h>

#include <limits>

#include "framework/grid/error.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/chunk_address.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/scales.hpp"
#include "io/write/blocks/output_blocks.hpp"

namespace stencil::storage {
namespace {

constexpr const char* what = "cannot write the times of the snapshots";

/// Creation properties of the times. If the dataset of the times may be shortened, it consists of
/// one chunk, because HDF5 can shorten only chunked datasets.
Handle creation_of(const SnapshotAxis& axis) {
  Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  const auto count = static_cast<hsize_t>(axis.count);
  if (axis.may_end_early) checked(H5Pset_chunk(creation, 1, &count), what);
  return creation;
}

Index first_byte_of(hid_t times, const SnapshotAxis& axis) {
  haddr_t address = HADDR_UNDEF;
  if (axis.may_end_early) {
    const hsize_t first = 0;
    address = chunk_address(times, &first, what);
  } else {
    address = H5Dget_offset(times);
  }
  if (address == HADDR_UNDEF) throw_hdf5(what);
  return static_cast<Index>(address);
}

}  // namespace

Index make_times(hid_t group, hid_t dataset, const OutputSpec& spec) {
  const SnapshotAxis& axis = *spec.snapshots;
  std::string name = "time";
  while (has_link(group, name)) name += "_of_steps";
  const auto count = static_cast<hsize_t>(axis.count);
  const Handle space = owned(H5Screate_simple(1, &count, nullptr), H5Sclose, what);
  const Handle creation = creation_of(axis);
  const Handle times = owned(
      H5Dcreate2(group, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
      H5Dclose, what);
  const std::vector<double> none(static_cast<std::size_t>(axis.count),
                                 std::numeric_limits<double>::quiet_NaN());
  checked(H5Dwrite(times, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, none.data()), what);
  write_attribute(times, "long_name", axis.unit.empty() ? "number of steps" : "time");
  write_attribute(times, "units", axis.unit.empty() ? "1" : axis.unit);
  write_attribute(times, "axis", "T");
  checked(H5DSset_scale(times, name.c_str()), what);
  checked(H5DSattach_scale(dataset, times, 0), what);
  return first_byte_of(times, axis);
}

void name_bare_axes(hid_t group, hid_t dataset, const OutputSpec& spec) {
  const std::vector<Index> dims = spec.dataset_dims();
  std::vector<std::size_t> bare;
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    if (H5DSget_num_scales(dataset, static_cast<unsigned>(axis)) <= 0) bare.push_back(axis);
  if (bare.size() == dims.size()) return;  // the file does not follow netCDF
  for (const std::size_t axis : bare) {
    std::string name = fmt::format("axis_{}", axis - spec.leading_axes());
    while (has_link(group, name)) name += spec.snapshots ? "_of_snapshots" : "_of_points";
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation, false);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_LATE);  // space is never allocated, because nothing
                                                       // is written
    const auto extent = static_cast<hsize_t>(dims[axis]);
    const Handle space = owned(H5Screate_simple(1, &extent, nullptr), H5Sclose, what);
    const Handle scale = owned(
        H5Dcreate2(group, name.c_str(), H5T_IEEE_F32BE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
        H5Dclose, what);
    const std::string title =
        fmt::format("This is a netCDF dimension but not a netCDF variable.{:10}", dims[axis]);
    checked(H5DSset_scale(scale, title.c_str()), what);
    checked(H5DSattach_scale(dataset, scale, static_cast<unsigned>(axis)), what);
  }
}

void finish_times(hid_t dataset, const OutputSpec& spec, const std::vector<double>& times) {
  const std::vector<Scale> scales = scales_of(dataset, 0);
  if (scales.empty()) throw StorageError(what);
  const hid_t scale = scales.front().dataset;
  if (spec.snapshots->may_end_early) {
    const std::vector<Index> dims = spec.dataset_dims();
    const std::vector<hsize_t> extents(dims.begin(), dims.end());
    checked(H5Dset_extent(dataset, extents.data()), what);
    checked(H5Dset_extent(scale, extents.data()), what);
  }
  checked(H5Dwrite(scale, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data()), what);
}

void return_reserved(int file, Index first_byte, const OutputSpec& spec, Index planned) {
  OutputSpec all = spec;
  all.snapshots->count = planned;
  if (spec.snapshots->count == planned) return;
  const BlockGrid whole = grid_of(all);
  const Index first = first_byte + grid_of(spec).size() * whole.most_bytes(),
              last = first_byte + whole.size() * whole.most_bytes();
  if (last > first)
    ::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, first, last - first);
}

}  // namespace stencil::storage
