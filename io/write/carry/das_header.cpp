#include "io/write/carry/das_header.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>

#include "io/hdf5/hdf5_error.hpp"
#include "io/read/coordinate_numbers.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/write/carry/adjusted_attributes.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/copied_objects.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/carry/skipped.hpp"

namespace stencil::storage {
namespace {

constexpr const char* beside_the_header[] = {"acqSpec",     "cableSpec",     "demodSpec",
                                             "fileVersion", "fileGenerator", "fileGeneratorSvnRev"};
constexpr const char* what = "cannot carry over the header";

std::vector<Index> extents_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = space ? H5Sget_simple_extent_ndims(space) : 0;
  std::vector<hsize_t> dims(static_cast<std::size_t>(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

/// Copies one header to the output.
class HeaderCarrier {
 public:
  HeaderCarrier(hid_t from, const DatasetPath& input, const OutputSpec& spec, Skipped& skipped)
      : from_(from), spec_(spec), skipped_(skipped) {
    time_ = time_axis_of(input, spec).value_or(0);
    for (std::size_t axis = 0; axis < spec.sampling.size(); ++axis)
      if (is_resampled(spec, axis)) resampled_.push_back(axis);
  }

  /// Returns whether an object of the header, given by its path, is valid for the output or will be
  /// adjusted.
  bool takes(const std::string& path, hid_t object) {
    if (H5Iget_type(object) != H5I_DATASET) return true;
    if (path == "header/channels" && axis_of_channels(object)) return false;  // copied by adjust()
    const std::vector<Index> extents = extents_of(object);
    const bool is_of_points = std::any_of(resampled_.begin(), resampled_.end(), [&](auto axis) {
      return inputs(axis) > 1 &&
             std::find(extents.begin(), extents.end(), inputs(axis)) != extents.end();
    });
    const bool lists_samples =
        path == "header/missingSamples" && !resampled_.empty() && extents != std::vector<Index>{0};
    if (is_of_points || lists_samples) leave_out(object);
    return !is_of_points && !lists_samples;
  }

  /// Adjusts the copy. @param to  the output's header with all copied objects
  void adjust(hid_t to) {
    to_ = to;
    carry_channels();
    for (const std::size_t axis : resampled_) axis == time_ ? adjust_time() : adjust_range(axis);
    if (!resampled_.empty()) set_all("dimensionSizes", spec_.form_dims());
    adjust_scale();
    if (spec_.is_derivative)
      for (const char* name : {"unit", "name"}) empty_text(name);
  }

 private:
  Index inputs(std::size_t axis) const { return spec_.input.described().dims[axis]; }
  std::string range_of(std::size_t axis) const {
    return fmt::format("dimensionRanges/dimension{}", axis);
  }

  void leave_out(hid_t object) {
    skipped_.push_back(
        fmt::format("dataset {}, which describes other points", one_line(object_name(object))));
  }

  /// Returns the axis whose points are described by a list of channels.
  std::optional<std::size_t> axis_of_channels(hid_t channels) const {
    for (std::size_t axis = 0; axis < spec_.sampling.size(); ++axis)
      if (axis != time_ && has_length(channels, inputs(axis)) && is_copyable(channels)) return axis;
    return std::nullopt;
  }

  void carry_channels() {
    const Handle channels = member(from_, "channels", H5I_DATASET);
    const auto axis = channels ? axis_of_channels(channels) : std::nullopt;
    if (!axis) return;
    try {
      const Handle target =
          carry_axis_values(channels, to_, "channels", spec_.sampling[*axis], inputs(*axis), what);
      if (!target) return leave_out(channels);
      copy_attributes(channels, target, {}, skipped_);
    } catch (const Unreadable&) {
      H5Ldelete(to_, "channels", H5P_DEFAULT);
      leave_out(channels);
    }
  }

  /// Returns the dataset at a path in the output's header; an invalid handle if there is no such
  /// dataset.
  Handle own(const std::string& path) const {
    Handle group = owned(H5Gopen2(to_, ".", H5P_DEFAULT), H5Gclose, what);
    const std::vector<std::string> names = split_path(path);
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
      group = member(group, names[i], H5I_GROUP);
      if (!group) return {};
    }
    return member(group, names.back(), H5I_DATASET);
  }

  std::optional<double> number(const std::string& path) const {
    const Handle dataset = own(path);
    return dataset ? single_number(dataset) : std::nullopt;
  }

  /// Changes a number in the output's header.
  void set(const std::string& path, double value) {
    const Handle dataset = own(path);
    if (!dataset || !single_number(dataset)) return;
    checked(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), what);
  }

  void set_all(const std::string& path, const std::vector<Index>& values) {
    const Handle dataset = own(path);
    if (!dataset || !has_length(dataset, std::ssize(values)) || !is_number(dataset)) return;
    checked(H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            what);
  }

  static bool is_number(hid_t dataset) {
    const Handle type(H5Dget_type(dataset), H5Tclose);
    const H5T_class_t kind = H5Tget_class(type);
    return kind == H5T_INTEGER || kind == H5T_FLOAT;
  }

  void set_range(std::size_t axis, double min, double max) {
    set(range_of(axis) + "/min", min);
    set(range_of(axis) + "/max", max);
    set(range_of(axis) + "/size", static_cast<double>(spec_.sampling[axis].count));
  }

  /// Adjusts dataScale, a factor by which readers multiply the numbers. A factor cannot represent
  /// an offset.
  void adjust_scale() {
    const auto& packing = spec_.packing;
    const auto old = number("dataScale");
    if (!old || !packing || packing->as_computed) return;
    if (packing->offset == 0) return set("dataScale", *old * packing->scale);
    checked(H5Ldelete(to_, "dataScale", H5P_DEFAULT), what);
    skipped_.push_back(fmt::format("dataset {}/dataScale, which has no OFFSET of output.scale",
                                   one_line(object_name(from_))));
  }

  /// Adjusts times, which are counted from the first point of the output in steps of the output.
  void adjust_time() {
    const AxisSampling& s = spec_.sampling[time_];
    const auto step = number("dt"), start = number("time");
    const double before = number(range_of(time_) + "/min").value_or(0);
    if (step && start) set("time", *start + (before + static_cast<double>(s.first)) * *step);
    for (const std::string& path : {std::string("dt"), range_of(time_) + "/unitScale"})
      if (const auto old = number(path)) set(path, *old * static_cast<double>(s.stride));
    set_range(time_, 0, static_cast<double>(s.count - 1));
  }

  /// Adjusts the range of an axis of channels, which consists of channel numbers.
  void adjust_range(std::size_t axis) {
    const Handle channels = own("channels");
    const auto ends = channels ? ends_of(channels, spec_.sampling[axis].count) : std::nullopt;
    if (ends) return set_range(axis, ends->first.to_double(), ends->second.to_double());
    const std::string range = range_of(axis);
    if (own(range + "/min")) {
      checked(H5Ldelete(to_, range.c_str(), H5P_DEFAULT), what);
      skipped_.push_back(fmt::format("group {}/{}, which describes other points",
                                     one_line(object_name(from_)), range));
    }
  }

  /// Empties a text that readers require to exist.
  void empty_text(const char* name) {
    const Handle text = own(name);
    const Handle type(text ? H5Dget_type(text) : H5I_INVALID_HID, H5Tclose);
    if (!type || H5Tget_class(type) != H5T_STRING || !extents_of(text).empty()) return;
    const std::vector<char> empty(H5Tget_size(type),
                                  H5Tget_strpad(type) == H5T_STR_SPACEPAD ? ' ' : '\0');
    checked(H5Dwrite(text, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, empty.data()), what);
    skipped_.push_back(
        fmt::format("dataset {}/{}, which describes the quantity before it was differentiated",
                    one_line(object_name(from_)), name));
  }

  hid_t from_, to_ = H5I_INVALID_HID;
  const OutputSpec& spec_;
  Skipped& skipped_;
  std::size_t time_ = 0;
  std::vector<std::size_t> resampled_;
};

}  // namespace

void carry_das_header(const DatasetPath& input, const std::vector<Handle>& groups,
                      const OutputSpec& spec, Skipped& skipped) {
  const hid_t beside = input.groups.back(), group = groups.back();
  const Handle header = member(beside, "header", H5I_GROUP);
  if (!header || !member(header, "dt", H5I_DATASET)) return;
  const bool is_mixed_up = std::any_of(spec.sampling.begin(), spec.sampling.end(), is_mixed);
  if (spec.axes_before_input() > 0 || is_mixed_up || has_link(group, "header")) {
    skipped.push_back(
        fmt::format("group {}, which describes other axes", one_line(object_name(header))));
    return;
  }
  const auto all = [](const std::string&, hid_t) { return true; };
  for (const char* name : beside_the_header)
    if (!has_link(group, name)) copy_object(beside, name, group, all, skipped);
  HeaderCarrier carrier(header, input, spec, skipped);
  copy_object(
      beside, "header", group,
      [&](const std::string& path, hid_t object) { return carrier.takes(path, object); }, skipped);
  carrier.adjust(owned(H5Gopen2(group, "header", H5P_DEFAULT), H5Gclose, what));
}

}  // namespace stencil::storage
