#include "io/write/carry/output_scales.hpp"

#include <fmt/core.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "framework/grid/error.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/scales.hpp"
#include "io/read/coordinate_numbers.hpp"
#include "io/write/carry/adjusted_attributes.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/joined_values.hpp"
#include "io/write/carry/named_variables.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/carry/output_groups.hpp"
#include "io/write/carry/skipped.hpp"

namespace stencil::storage {
namespace {

constexpr const char* no_variable = "This is a netCDF dimension but not a netCDF variable.";

/// Index, in the output's dataset, of an axis of the input.
unsigned axis_of_output(const OutputSpec& spec, std::size_t axis) {
  return static_cast<unsigned>(axis + spec.axes_before_input());
}

bool has_no_variable(hid_t scale) {
  return attribute_text(scale, "NAME").starts_with(no_variable);
}

/// Makes a dataset with the values of a scale at the output's points. For a dimension without a
/// variable, the dataset is created but not written.
Handle scale_values(hid_t scale, hid_t group, const std::string& name, const AxisSampling& sampling,
                    Index inputs, const std::string& what) {
  if (!has_no_variable(scale)) return carry_axis_values(scale, group, name, sampling, inputs, what);
  const Handle stored = owned(H5Dget_type(scale), H5Tclose, what);
  const Handle type = owned(H5Tcopy(stored), H5Tclose, what);
  return make_values(group, name, type, {sampling.count}, what);
}

/// Creates the scales of one output. Each scale is created once.
class ScaleCarrier {
 public:
  ScaleCarrier(hid_t group, hid_t dataset, const OutputSpec& spec, Skipped& skipped)
      : group_(group), dataset_(dataset), spec_(spec), skipped_(skipped) {}

  /// Attaches to an axis of the output a copy of the scale of the input's axis.
  void carry(Scale from, std::size_t axis);
  std::vector<CarriedScale> take() { return std::move(made_); }

 private:
  Handle make(hid_t scale, hid_t group, const std::string& leaf, std::size_t axis,
              const std::string& name, const std::string& what);
  Handle place_of(const std::string& path, const std::string& what) const;
  unsigned own_axis(std::size_t axis) const { return axis_of_output(spec_, axis); }

  hid_t group_, dataset_;
  const OutputSpec& spec_;
  Skipped& skipped_;
  std::vector<CarriedScale> made_;
};

/// Returns the reason why a scale cannot be used if its length is wrong; otherwise an empty text.
/// In netCDF, a length is wrong if a variable has fewer records than the unlimited dimension.
std::string why_no_scale(hid_t scale, Index points) {
  const std::vector<Index> extents = dataset_extents(scale);
  if (extents.size() != 1 || extents[0] == points) return "";
  return fmt::format(", which has {} values for the {} points of the axis", extents[0], points);
}

void ScaleCarrier::carry(Scale from, std::size_t axis) {
  const std::string &path = from.path, name = path.substr(path.rfind('/') + 1);
  const hid_t scale = from.dataset;
  const std::string what = fmt::format("cannot carry over the dimension scale {}", one_line(path));
  const Index points = spec_.input.described().dims[axis];
  H5O_info_t info{};
  if (name.empty() || !succeeded(H5Oget_info2(scale, &info, H5O_INFO_BASIC), scale, what) ||
      !is_scale_of(scale, points)) {
    skipped_.push_back(path.empty() ? fmt::format("a dimension scale of axis {}", axis)
                                    : fmt::format("dimension scale {}{}", one_line(path),
                                                  why_no_scale(scale, points)));
    return;
  }
  for (const CarriedScale& made : made_)  // several axes may share a scale
    if (made.address == info.addr && is_same(made.sampling, spec_.sampling[axis])) {
      checked(H5DSattach_scale(dataset_, made.to, own_axis(axis)), what);
      return;
    }
  const Handle place = place_of(path, what);
  const hid_t group = place ? hid_t{place} : group_;
  const std::string own_name = free_name(group, name, axis);
  try {
    Handle target = make(scale, group, name, axis, own_name, what);
    if (!target) {
      skipped_.push_back(fmt::format(
          "dimension scale {}, which is not even and cannot be continued", one_line(path)));
      return;
    }
    checked(H5DSattach_scale(dataset_, target, own_axis(axis)), what);
    made_.push_back(
        {info.addr, axis, spec_.sampling[axis], std::move(from.dataset), std::move(target)});
  } catch (const Unreadable&) {
    H5Ldelete(group, own_name.c_str(), H5P_DEFAULT);
    skipped_.push_back("dimension scale " + one_line(path));
  }
}

/// Returns the group of the output at the path of the input's group; an invalid handle if that is
/// the dataset's group.
Handle ScaleCarrier::place_of(const std::string& path, const std::string& what) const {
  if (!spec_.copies_rest) return {};
  std::vector<std::string> names = split_path(path);
  names.pop_back();
  const Handle file = owned(H5Iget_file_id(group_), H5Fclose, what);
  return std::move(groups_along(file, names, what).back());
}

Handle ScaleCarrier::make(hid_t scale, hid_t group, const std::string& leaf, std::size_t axis,
                          const std::string& name, const std::string& what) {
  const AxisSampling& sampling = spec_.sampling[axis];
  Handle target;
  if (!has_gaps_inside(spec_, axis))
    target = scale_values(scale, group, name, sampling, spec_.input.described().dims[axis], what);
  if (!target) {
    const auto find = [&](const DatasetPath& path) {
      for (Scale& other : scales_of(path.dataset, static_cast<int>(axis)))
        if (other.path.substr(other.path.rfind('/') + 1) == leaf) return std::move(other.dataset);
      return Handle();
    };
    target = carry_joined_values(scale, spec_, axis, find, group, name, what);
  }
  if (!target) return {};  // the coordinates cannot be determined
  std::set<std::string> except;
  if (is_resampled(spec_, axis))
    leave_out(scale, {"actual_range"}, "which describes other points", except, skipped_);
  copy_attributes(scale, target, except, skipped_);
  adjust_scale(target, axis, spec_, skipped_);
  become_scale(target, scale, sampling.count, what);
  return target;
}

}  // namespace

void become_scale(hid_t target, hid_t scale, Index count, const std::string& what) {
  const std::string title = has_no_variable(scale) ? fmt::format("{}{:10}", no_variable, count)
                                                   : attribute_text(scale, "NAME");
  checked(H5DSset_scale(target, title.empty() ? nullptr : title.c_str()), what);
}

// netCDF gives an unlimited dimension without a variable the extent 0
bool is_scale_of(hid_t scale, Index points) {
  return is_copyable(scale) && (has_length(scale, points) || has_no_variable(scale));
}

Handle copy_scale(hid_t scale, hid_t group, const std::string& name, const AxisSampling& sampling,
                  Skipped& skipped, const std::string& what) {
  Handle target = scale_values(scale, group, name, sampling, sampling.extent, what);
  copy_attributes(scale, target, {}, skipped);
  become_scale(target, scale, sampling.count, what);
  return target;
}

std::vector<CarriedScale> carry_scales(const DatasetPath& input, hid_t group, hid_t dataset,
                                       const OutputSpec& spec, Skipped& skipped) {
  ScaleCarrier carrier(group, dataset, spec, skipped);
  for (std::size_t axis = 0; axis < spec.sampling.size(); ++axis) {
    for (Scale& scale : scales_of(input.dataset, static_cast<int>(axis)))
      if (!is_mixed(spec.sampling[axis]))
        carrier.carry(std::move(scale), axis);
      else
        skipped.push_back(
            fmt::format("dimension scale {}, whose points are mixed", one_line(scale.path)));
    if (const std::string label = label_of(input.dataset, static_cast<int>(axis)); !label.empty())
      checked(H5DSset_label(dataset, axis_of_output(spec, axis), label.c_str()),
              "cannot carry over the label of an axis");
  }
  return carrier.take();
}

void finish_scales(std::vector<CarriedScale> scales, hid_t group, Skipped& skipped) {
  for (const CarriedScale& scale : scales) drop_absent_variables(scale.to, group, skipped);
  // HDF5 writes short coordinates only when the scale is closed
  for (CarriedScale& scale : scales)
    checked(scale.to.close(), "cannot carry over a dimension scale");
}

}  // namespace stencil::storage
