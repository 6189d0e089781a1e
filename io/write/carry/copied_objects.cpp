#include "io/write/carry/copied_objects.hpp"

#include <fmt/core.h>

#include <optional>
#include <vector>

#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/readable.hpp"
#include "io/hdf5/suggestions.hpp"
#include "io/read/coordinate_numbers.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/carry/skipped.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t most_objects = 4096;
constexpr int deepest = 16;
constexpr Index largest = Index{16} << 20;  // bytes of a dataset

bool is_copied(hid_t type) {
  return is_readable(type) && H5Tdetect_class(type, H5T_VLEN) == 0 &&
         H5Tdetect_class(type, H5T_REFERENCE) == 0 && H5Tis_variable_str(type) == 0 &&
         (H5Tget_class(type) == H5T_STRING || H5Tdetect_class(type, H5T_STRING) == 0);
}

/// Returns a sampling of all points of each axis; std::nullopt for a dataspace that is not simple
/// or too large.
std::optional<std::vector<AxisSampling>> whole(hid_t dataset, std::size_t element_bytes) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const H5S_class_t kind = H5Sget_simple_extent_type(space);
  std::vector<AxisSampling> axes;
  if (kind == H5S_SCALAR) return axes;
  const int rank = kind == H5S_SIMPLE ? H5Sget_simple_extent_ndims(space) : -1;
  if (rank < 1 || rank > H5S_MAX_RANK) return std::nullopt;
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  Index bytes = static_cast<Index>(element_bytes);
  for (const hsize_t extent : dims) {
    if (extent > static_cast<hsize_t>(largest) ||
        __builtin_mul_overflow(bytes, static_cast<Index>(extent), &bytes) || bytes > largest)
      return std::nullopt;
    axes.push_back({.extent = static_cast<Index>(extent), .count = static_cast<Index>(extent)});
  }
  return axes;
}

class Copier {
 public:
  Copier(const TakesObject& takes, Skipped& skipped) : takes_(takes), skipped_(skipped) {}

  /// Copies an object. @param path  path of the object, relative to the requested object
  void copy(hid_t from, const std::string& path, hid_t to) {
    const std::string name = path.substr(path.rfind('/') + 1);
    const Handle object = child_of(from, name.c_str());
    if (!object || !takes_(path, object)) return;
    const H5I_type_t kind = H5Iget_type(object);
    const bool fits = ++depth_ <= deepest && ++objects_ <= most_objects;
    if (kind == H5I_GROUP && fits)
      copy_group(object, path, to);
    else if (kind != H5I_DATASET || !fits || !copy_dataset(object, name, to))
      skipped_.push_back(
          fmt::format("{}, which is not of a kind that is copied", one_line(object_name(object))));
    --depth_;
  }

 private:
  void copy_group(hid_t from, const std::string& path, hid_t to) {
    const std::string name = path.substr(path.rfind('/') + 1),
                      what = "cannot carry over the group " + one_line(path);
    const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation, false);
    H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    const Handle target =
        owned(H5Gcreate2(to, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose, what);
    copy_attributes(from, target, {}, skipped_);
    const auto children = link_names(from, most_objects);
    if (!children) skipped_.push_back("what is in " + one_line(object_name(from)));
    for (const std::string& child : children.value_or(std::vector<std::string>{}))
      if (is_utf8(child) && child != "...") copy(from, fmt::format("{}/{}", path, child), target);
  }

  /// Copies a dataset. @returns false if its type, size or storage is not supported
  bool copy_dataset(hid_t from, const std::string& name, hid_t to) {
    const std::string what = "cannot carry over the dataset " + one_line(name);
    const Handle stored(H5Dget_type(from), H5Tclose);
    if (!stored || !is_copied(stored)) return false;
    const auto axes = whole(from, H5Tget_size(stored));
    if (!axes) return false;
    std::vector<Index> extents;
    Index points = 1;
    for (const AxisSampling& axis : *axes) {
      extents.push_back(axis.count);
      points *= axis.count;
    }
    if (points > 0 && !is_unwritten(from) && !is_stored_here(from)) return false;
    const Handle type = owned(H5Tcopy(stored), H5Tclose, what);  // the copy of a named type is
                                                                 // transient and can be used in the
                                                                 // output
    const Handle target = make_values(to, name, type, extents, what);
    try {
      if (points > 0) copy_sampled(from, target, *axes, what);
    } catch (const Unreadable&) {
      H5Ldelete(to, name.c_str(), H5P_DEFAULT);
      return false;
    }
    copy_attributes(from, target, {}, skipped_);
    return true;
  }

  const TakesObject& takes_;
  Skipped& skipped_;
  std::size_t objects_ = 0;
  int depth_ = 0;
};

}  // namespace

void copy_object(hid_t from, const std::string& name, hid_t to, const TakesObject& takes,
                 Skipped& skipped) {
  Copier(takes, skipped).copy(from, name, to);
}

}  // namespace stencil::storage
