#include "io/output_attributes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "io/attributes.hpp"
#include "io/hdf5_error.hpp"
#include "io/native_type.hpp"
#include "io/sampling_rate.hpp"

namespace stencil::storage {
namespace {

/// Bookkeeping of HDF5's dimension scales and of netCDF, and ranges of values that have changed.
const std::set<std::string> never_copied{
    "CLASS",         "NAME",          "DIMENSION_LIST",      "REFERENCE_LIST", "DIMENSION_LABELS",
    "_NCProperties", "_Netcdf4Dimid", "_Netcdf4Coordinates", "_nc3_strict",    "bounds"};

const std::set<std::string> of_old_values{"_FillValue",  "missing_value", "actual_range",
                                          "valid_range", "valid_min",     "valid_max",
                                          "complete"};

bool has_references(hid_t type) {
  return H5Tdetect_class(type, H5T_REFERENCE) > 0;
}

void copy_attribute(hid_t from, hid_t to, const std::string& name) {
  const std::string what = fmt::format("cannot carry over the attribute {}", one_line(name));
  const Handle source = owned(H5Aopen(from, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Handle stored = owned(H5Aget_type(source), H5Tclose, what);
  if (has_references(stored)) return;
  const Handle type = owned(H5Tcopy(stored), H5Tclose, what);  // a named type stays in its file
  const Handle space = owned(H5Aget_space(source), H5Sclose, what);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const Handle target =
      owned(H5Acreate2(to, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  if (count < 1) return;
  std::vector<char> values(static_cast<std::size_t>(count) * H5Tget_size(type));
  checked(H5Aread(source, type, values.data()), what);
  const herr_t written = H5Awrite(target, type, values.data());
  if (H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values.data());
  checked(written, what);
}

/// Writes an integer where the number is one and the attribute held one, else a floating number.
void replace_number(hid_t object, const std::string& name, double value) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  const bool was_integer = H5Tget_class(type) == H5T_INTEGER;
  if (was_integer && value == std::trunc(value) && std::abs(value) < 9e15)
    write_attribute(object, name, static_cast<Index>(value));
  else
    write_attribute(object, name, value);
}

/// Attributes of acquisition systems that tell spacings along time and along the cable.
void adjust_group(hid_t group, const OutputSpec& spec, std::size_t time) {
  const auto scale = [&](const char* name, double factor) {
    if (const auto value = attribute_number(group, name))
      replace_number(group, name, *value * factor);
  };
  const auto stride = [&](std::size_t axis) {
    return static_cast<double>(spec.sampling[axis].stride);
  };
  for (const char* name : {"OutputDataRate", "SamplingFrequency", "SamplingRate",
                           "sampling_frequency", "sampling_rate", "sample_rate"})
    if (stride(time) > 1) scale(name, 1 / stride(time));
  if (spec.sampling.size() != 2) return;
  const std::size_t along = 1 - time;
  if (stride(along) > 1) scale("SpatialSamplingInterval", stride(along));
  if (attribute_number(group, "NumberOfLoci") == static_cast<double>(spec.input.dims[along]))
    replace_number(group, "NumberOfLoci", static_cast<double>(spec.form.dims()[along]));
  const auto locus = attribute_number(group, "StartLocusIndex");
  if (locus && stride(along) == 1 && spec.sampling[along].first != 0)
    replace_number(group, "StartLocusIndex",
                   *locus + static_cast<double>(spec.sampling[along].first));
}

void adjust_spacing(hid_t dataset, const OutputSpec& spec) {
  if (spec.sampling.size() != 1 || !is_resampled(spec, 0)) return;
  const AxisSampling& s = spec.sampling[0];
  const auto spacing = attribute_number(dataset, "Xspacing");
  if (!spacing) return;
  if (const auto start = attribute_number(dataset, "Xstart"); start && s.first != 0)
    replace_number(dataset, "Xstart", *start + static_cast<double>(s.first) * *spacing);
  if (s.stride != 1) replace_number(dataset, "Xspacing", *spacing * static_cast<double>(s.stride));
  if (attribute_number(dataset, "Npoints"))
    replace_number(dataset, "Npoints", static_cast<double>(s.count));
}

/// The missing value in the type of the output, as CF wants it.
void write_missing(hid_t dataset, const std::string& name, double value, ElementType type) {
  visit_element(type, [&](auto example) {
    using Element = decltype(example);
    if constexpr (!std::is_floating_point_v<Element>) {
      const double low = static_cast<double>(std::numeric_limits<Element>::min());
      if (!(value >= low && value < std::ldexp(1.0, std::numeric_limits<Element>::digits) &&
            value == std::trunc(value)))
        return;
    }
    const auto element = static_cast<Element>(value);
    const hsize_t one = 1;
    const Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose);
    const std::string what = "cannot write the attribute " + name;
    const Handle attribute =
        owned(H5Acreate2(dataset, name.c_str(), native_type(type), space, H5P_DEFAULT, H5P_DEFAULT),
              H5Aclose, what);
    checked(H5Awrite(attribute, native_type(type), &element), what);
  });
}

void carry_missing(const DatasetPath& input, hid_t dataset, const OutputSpec& spec) {
  if (spec.missing_value) return;  // the output has its own
  for (const char* name : {"_FillValue", "missing_value"})
    if (const auto value = attribute_number(input.dataset, name))
      write_missing(dataset, name, *value, spec.type);
}

/// The rate of an input that tells it where the output cannot carry it (a dataset beside it, or the
/// pulse rate, which stays true of the instrument) is told in the one place that can be carried.
void tell_rate(hid_t group, const OutputSpec& spec, std::size_t time) {
  if (time >= spec.input.sampling_source.size()) return;
  const std::string& source = spec.input.sampling_source[time];
  const bool is_lost =
      source.starts_with("dataset ") ||
      (source.find("PulseRate") != std::string::npos && spec.sampling[time].stride != 1);
  if (is_lost)
    write_attribute(
        group, "OutputDataRate",
        spec.input.sampling_rate[time] / static_cast<double>(spec.sampling[time].stride));
}

}  // namespace

bool is_resampled(const OutputSpec& spec, std::size_t axis) {
  const AxisSampling& s = spec.sampling[axis];
  return s.first != 0 || s.stride != 1 || s.count != spec.input.dims[axis];
}

void copy_attributes(hid_t from, hid_t to, const std::set<std::string>& except) {
  for (const std::string& name : attribute_names(from))
    if (!never_copied.contains(name) && !except.contains(name) && H5Aexists(to, name.c_str()) <= 0)
      copy_attribute(from, to, name);
}

void carry_group_attributes(const DatasetPath& input, const std::vector<Handle>& groups,
                            const OutputSpec& spec) {
  for (std::size_t up = 0; up < input.groups.size(); ++up) {
    const std::size_t from = input.groups.size() - 1 - up;
    const std::size_t to = up < groups.size() ? groups.size() - 1 - up : 0;
    // the root keeps what is said of the whole file, also where the output lies deeper
    copy_attributes(input.groups[from], groups[from == 0 ? 0 : to], {});
  }
  const auto time =
      static_cast<std::size_t>(time_axis(input.dataset, static_cast<int>(spec.sampling.size())));
  for (const Handle& group : groups) adjust_group(group, spec, time);
  tell_rate(groups.back(), spec, time);
}

void carry_dataset_attributes(const DatasetPath& input, hid_t dataset, const OutputSpec& spec) {
  std::set<std::string> except = of_old_values;
  for (const auto& [name, text] : spec.provenance) except.insert(name);
  copy_attributes(input.dataset, dataset, except);
  adjust_spacing(dataset, spec);
  carry_missing(input, dataset, spec);
}

void write_own_attributes(hid_t dataset, const OutputSpec& spec) {
  if (spec.missing_value) write_missing(dataset, "_FillValue", *spec.missing_value, spec.type);
  for (const auto& [name, text] : spec.provenance) write_attribute(dataset, name, text);
}

}  // namespace stencil::storage
