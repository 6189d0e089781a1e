#include "io/write/output_scales.hpp"

#include <fmt/core.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "framework/grid/error.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/scales.hpp"
#include "io/hdf5/transfer.hpp"
#include "io/read/coordinates.hpp"
#include "io/write/adjusted_attributes.hpp"
#include "io/write/named_variables.hpp"

namespace stencil::storage {
namespace {

constexpr Index block = Index{1} << 20;  // coordinates copied at once
constexpr const char* no_variable = "This is a netCDF dimension but not a netCDF variable.";

/// Coordinates that cannot be read from the input; failures of the output are errors of another
/// type.
struct Unreadable : StorageError {
  using StorageError::StorageError;
};

bool is_same(const AxisSampling& a, const AxisSampling& b) {
  return a.first == b.first && a.stride == b.stride && a.count == b.count;
}

/// Along an axis whose outputs each combine several inputs, such as channels, the input's
/// coordinates do not apply.
bool is_mixed(const AxisSampling& s) {
  return s.block_in != s.block_out;
}

bool is_inside(const AxisSampling& s, Index inputs) {
  return s.first >= 0 && s.first + (s.count - 1) * s.stride < inputs;
}

/// Source and target of a copy of coordinates.
struct Copy {
  hid_t from, to;
  AxisSampling sampling;
  std::string where;
};

/// Copies coordinates `first::stride` in their own type.
void copy_subset(const Copy& copy) {
  const Handle type = owned(H5Dget_type(copy.from), H5Tclose, copy.where);
  std::vector<std::byte> values(static_cast<std::size_t>(std::min(block, copy.sampling.count)) *
                                H5Tget_size(type));
  for (Index at = 0; at < copy.sampling.count; at += block) {
    const hsize_t count = static_cast<hsize_t>(std::min(block, copy.sampling.count - at));
    const hsize_t start = static_cast<hsize_t>(copy.sampling.first + at * copy.sampling.stride);
    const hsize_t stride = static_cast<hsize_t>(copy.sampling.stride);
    const Handle source = owned(H5Dget_space(copy.from), H5Sclose, copy.where);
    const Handle row = points_in_a_row(static_cast<Index>(count), copy.where);
    checked(H5Sselect_hyperslab(source, H5S_SELECT_SET, &start, &stride, &count, nullptr),
            copy.where);
    if (!succeeded(H5Dread(copy.from, type, row, source, H5P_DEFAULT, values.data()), copy.from,
                   "cannot read coordinates"))
      throw Unreadable(copy.where);
    const Handle target = select(copy.to, {{at}, {static_cast<Index>(count)}}, copy.where);
    checked(H5Dwrite(copy.to, type, row, target, H5P_DEFAULT, values.data()), copy.where);
  }
}

/// Writes evenly spaced coordinates, also beyond the edges of the input.
void write_even(const Copy& copy, double step) {
  double first = 0;
  const Handle start = select(copy.from, {{0}, {1}}, copy.where);
  const Handle one = points_in_a_row(1, copy.where);
  if (!succeeded(H5Dread(copy.from, H5T_NATIVE_DOUBLE, one, start, H5P_DEFAULT, &first), copy.from,
                 "cannot read coordinates"))
    throw Unreadable(copy.where);
  std::vector<double> values(static_cast<std::size_t>(std::min(block, copy.sampling.count)));
  for (Index at = 0; at < copy.sampling.count; at += block) {
    const Index count = std::min(block, copy.sampling.count - at);
    for (Index i = 0; i < count; ++i)
      values[static_cast<std::size_t>(i)] =
          first + step * static_cast<double>(copy.sampling.first + (at + i) * copy.sampling.stride);
    const Handle row = points_in_a_row(count, copy.where);
    const Handle target = select(copy.to, {{at}, {count}}, copy.where);
    checked(H5Dwrite(copy.to, H5T_NATIVE_DOUBLE, row, target, H5P_DEFAULT, values.data()),
            copy.where);
  }
}

/// Dimensions of netCDF without a variable contain no coordinates.
bool is_unwritten(hid_t scale) {
  const Handle creation(H5Dget_create_plist(scale), H5Pclose);
  return creation && H5Pget_external_count(creation) == 0 &&
         H5Pget_layout(creation) != H5D_VIRTUAL && H5Dget_storage_size(scale) == 0 &&
         !storage_failed();
}

bool is_copyable(hid_t scale, Index length) {
  const Handle type(H5Dget_type(scale), H5Tclose);
  if (!type || !has_length(scale, length)) return false;
  const H5T_class_t kind = H5Tget_class(type);
  const bool is_plain = kind == H5T_INTEGER || kind == H5T_FLOAT ||
                        (kind == H5T_STRING && H5Tis_variable_str(type) == 0);
  return is_plain && (is_unwritten(scale) || is_stored_here(scale));
}

Handle create_scale(hid_t group, const std::string& name, hid_t type, Index length,
                    const std::string& what) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  H5Pset_layout(creation, H5D_CONTIGUOUS);
  const hsize_t extent = static_cast<hsize_t>(length);
  const Handle space = owned(H5Screate_simple(1, &extent, nullptr), H5Sclose, what);
  return owned(H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
               H5Dclose, what);
}

/// A name that is unused in the group: the scale's own, or else with the axis appended.
std::string free_name(hid_t group, const std::string& name, std::size_t axis) {
  std::string free = name;
  for (std::size_t number = axis; has_link(group, free); ++number)
    free = fmt::format("{}_{}", name, number);
  return free;
}

/// The axis of the output's dataset that an axis of the input has become.
unsigned axis_of_output(const OutputSpec& spec, std::size_t axis) {
  return static_cast<unsigned>(axis + (spec.snapshots ? 1 : 0));
}

/// Makes the scales of one output, each once.
class ScaleCarrier {
 public:
  ScaleCarrier(hid_t group, hid_t dataset, const OutputSpec& spec, Skipped& skipped)
      : group_(group), dataset_(dataset), spec_(spec), skipped_(skipped) {}

  /// Gives an axis of the output the scale of an input's axis.
  void carry(const Scale& from, std::size_t axis);
  /// To be called after the last scale: removes references to variables that do not exist, and
  /// writes delayed coordinates.
  void finish();

 private:
  struct Made {
    haddr_t address;  ///< address of the input's scale
    AxisSampling sampling;
    Handle scale;
  };

  Handle make(hid_t scale, std::size_t axis, const std::string& name, const std::string& what);
  unsigned own_axis(std::size_t axis) const { return axis_of_output(spec_, axis); }

  hid_t group_, dataset_;
  const OutputSpec& spec_;
  Skipped& skipped_;
  std::vector<Made> made_;
};

void ScaleCarrier::carry(const Scale& from, std::size_t axis) {
  const std::string &path = from.path, name = path.substr(path.rfind('/') + 1);
  const hid_t scale = from.dataset;
  const std::string what = fmt::format("cannot carry over the dimension scale {}", one_line(path));
  H5O_info_t info{};
  if (name.empty() || !succeeded(H5Oget_info2(scale, &info, H5O_INFO_BASIC), scale, what) ||
      !is_copyable(scale, spec_.input.described().dims[axis])) {
    skipped_.push_back(path.empty() ? fmt::format("a dimension scale of axis {}", axis)
                                    : "dimension scale " + one_line(path));
    return;
  }
  for (const Made& made : made_)  // one scale may serve several axes
    if (made.address == info.addr && is_same(made.sampling, spec_.sampling[axis])) {
      checked(H5DSattach_scale(dataset_, made.scale, own_axis(axis)), what);
      return;
    }
  const std::string own_name = free_name(group_, name, axis);
  try {
    Handle target = make(scale, axis, own_name, what);
    if (!target) {
      skipped_.push_back(fmt::format(
          "dimension scale {}, which is not even and cannot be continued", one_line(path)));
      return;
    }
    checked(H5DSattach_scale(dataset_, target, own_axis(axis)), what);
    made_.push_back({info.addr, spec_.sampling[axis], std::move(target)});
  } catch (const Unreadable&) {
    H5Ldelete(group_, own_name.c_str(), H5P_DEFAULT);
    skipped_.push_back("dimension scale " + one_line(path));
  }
}

void ScaleCarrier::finish() {
  for (const Made& made : made_) drop_absent_variables(made.scale, group_, skipped_);
  // short coordinates are written only now
  for (Made& made : made_) checked(made.scale.close(), "cannot carry over a dimension scale");
}

Handle ScaleCarrier::make(hid_t scale, std::size_t axis, const std::string& name,
                          const std::string& what) {
  const AxisSampling& sampling = spec_.sampling[axis];
  const Index inputs = spec_.input.described().dims[axis];
  const std::string title = attribute_text(scale, "NAME");
  const bool has_values = !title.starts_with(no_variable);
  const bool inside = is_inside(sampling, inputs);
  const auto step = inside || !has_values ? std::nullopt : even_step(scale, inputs);
  if (has_values && !inside && !step) return {};  // coordinates that cannot be determined
  const Handle stored = owned(H5Dget_type(scale), H5Tclose, what);
  const Handle type = owned(H5Tcopy(stored), H5Tclose, what);
  Handle target = create_scale(group_, name, type, sampling.count, what);
  const Copy copy{scale, target, sampling, what};
  if (step)
    write_even(copy, *step);
  else if (has_values)
    copy_subset(copy);
  copy_attributes(
      scale, target,
      is_resampled(spec_, axis) ? std::set<std::string>{"actual_range"} : std::set<std::string>{},
      skipped_);
  const std::string new_title =
      has_values ? title : fmt::format("{}{:10}", no_variable, sampling.count);
  adjust_scale(target, axis, spec_, skipped_);
  checked(H5DSset_scale(target, new_title.empty() ? nullptr : new_title.c_str()), what);
  return target;
}

/// Times of the points that are in a separate dataset, not in a dimension scale, are not carried
/// over.
void tell_times_beside(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                       Skipped& skipped) {
  for (const std::string& name :
       {input.names.back() + "Time", std::string("time"), std::string("t")}) {
    const hid_t from = input.groups.back();
    if (!has_link(from, name) || has_link(group, name)) continue;
    const std::string what = "cannot look at " + one_line(name);
    H5L_info_t link{};
    checked(H5Lget_info(from, name.c_str(), &link, H5P_DEFAULT), what);
    if (link.type != H5L_TYPE_HARD) continue;
    const Handle times(H5Oopen(from, name.c_str(), H5P_DEFAULT), H5Oclose);
    if (!times) throw_lookup(from, what);
    if (H5Iget_type(times) != H5I_DATASET) continue;
    const std::vector<Index>& dims = spec.input.described().dims;
    if (std::any_of(dims.begin(), dims.end(), [&](Index n) { return has_length(times, n); }))
      skipped.push_back(fmt::format("dataset {} beside it, with the times of its points",
                                    one_line(object_name(times))));
  }
}

}  // namespace

void carry_scales(const DatasetPath& input, hid_t group, hid_t dataset, const OutputSpec& spec,
                  Skipped& skipped) {
  ScaleCarrier carrier(group, dataset, spec, skipped);
  for (std::size_t axis = 0; axis < spec.sampling.size(); ++axis) {
    for (const Scale& scale : scales_of(input.dataset, static_cast<int>(axis)))
      if (!is_mixed(spec.sampling[axis]))
        carrier.carry(scale, axis);
      else
        skipped.push_back(
            fmt::format("dimension scale {}, whose points are mixed", one_line(scale.path)));
    if (const std::string label = label_of(input.dataset, static_cast<int>(axis)); !label.empty())
      checked(H5DSset_label(dataset, axis_of_output(spec, axis), label.c_str()),
              "cannot carry over the label of an axis");
  }
  carrier.finish();
  tell_times_beside(input, group, spec, skipped);
}

}  // namespace stencil::storage
