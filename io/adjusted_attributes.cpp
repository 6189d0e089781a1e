#include "io/adjusted_attributes.hpp"

#include <cmath>

#include "io/attributes.hpp"
#include "io/sampling_rate.hpp"

namespace stencil::storage {
namespace {

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

double stride(const OutputSpec& spec, std::size_t axis) {
  return static_cast<double>(spec.sampling[axis].stride);
}

void multiply(hid_t object, const char* name, double factor) {
  if (factor == 1) return;
  if (const auto value = attribute_number(object, name))
    replace_number(object, name, *value * factor);
}

void adjust_rates(hid_t object, const OutputSpec& spec, std::size_t time) {
  for (const char* name : rate_names) multiply(object, name, 1 / stride(spec, time));
}

/// Attributes of acquisition systems that tell spacings along the cable.
void adjust_loci(hid_t group, const OutputSpec& spec, std::size_t along) {
  multiply(group, "SpatialSamplingInterval", stride(spec, along));
  if (attribute_number(group, "NumberOfLoci") == static_cast<double>(spec.input.dims[along]))
    replace_number(group, "NumberOfLoci", static_cast<double>(spec.form.dims()[along]));
  const auto locus = attribute_number(group, "StartLocusIndex");
  if (locus && stride(spec, along) == 1 && spec.sampling[along].first != 0)
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

/// The axis beside the one that has as many points as a group tells loci.
std::optional<std::size_t> axis_beside_loci(const DatasetPath& input, const OutputSpec& spec) {
  const std::vector<Index>& dims = spec.input.dims;
  if (dims.size() != 2 || dims[0] == dims[1]) return std::nullopt;
  for (const Handle& group : input.groups)
    if (const auto loci = attribute_number(group, "NumberOfLoci"))
      for (const std::size_t axis : {0u, 1u})
        if (*loci == static_cast<double>(dims[axis])) return 1 - axis;
  return std::nullopt;
}

/// Whether the rate of an axis came from coordinates of just this axis, or from a header whose
/// format tells which axis is time.
bool has_times(const OutputSpec& spec, std::size_t axis) {
  if (axis >= spec.input.sampling_source.size()) return false;
  const std::string& source = spec.input.sampling_source[axis];
  return source.starts_with("dimension scale ") || source.starts_with("dataset ");
}

}  // namespace

bool is_resampled(const OutputSpec& spec, std::size_t axis) {
  const AxisSampling& s = spec.sampling[axis];
  return s.first != 0 || s.stride != 1 || s.count != spec.input.dims[axis];
}

std::optional<std::size_t> time_axis_of(const DatasetPath& input, const OutputSpec& spec) {
  const std::size_t rank = spec.sampling.size();
  if (rank == 1) return 0;
  if (const auto named = named_time_axis(input.dataset, static_cast<int>(rank)))
    return static_cast<std::size_t>(*named);
  for (std::size_t axis = 0; axis < rank; ++axis)
    if (has_times(spec, axis)) return axis;
  if (const auto axis = axis_beside_loci(input, spec)) return axis;
  std::vector<std::size_t> changed;
  for (std::size_t axis = 0; axis < rank; ++axis)
    if (is_resampled(spec, axis)) changed.push_back(axis);
  if (changed.empty()) return 0;  // nothing to adjust
  return changed.size() == 1 ? std::optional(changed[0]) : std::nullopt;
}

void adjust_groups(const std::vector<Handle>& groups, const DatasetPath& input,
                   const OutputSpec& spec) {
  const auto time = time_axis_of(input, spec);
  if (!time) return;
  for (const Handle& group : groups) {
    adjust_rates(group, spec, *time);
    if (spec.sampling.size() == 2) adjust_loci(group, spec, 1 - *time);
  }
  tell_rate(groups.back(), spec, *time);
}

void adjust_dataset(hid_t dataset, const DatasetPath& input, const OutputSpec& spec) {
  if (const auto time = time_axis_of(input, spec)) adjust_rates(dataset, spec, *time);
  adjust_spacing(dataset, spec);
}

}  // namespace stencil::storage
