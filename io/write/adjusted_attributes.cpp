#include "io/write/adjusted_attributes.hpp"

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/write/axis_attributes.hpp"

namespace stencil::storage {
namespace {

/// Whether the rate stood in a dataset beside the input's, such as /header/dt or /time, that the
/// output does not have.
bool is_beside_alone(const std::string& source, const DatasetPath& input, hid_t group) {
  const std::string parent = object_name(input.groups.back()),
                    start = "dataset " + (parent == "/" ? parent : parent + "/");
  if (!source.starts_with(start)) return source.starts_with("dataset ");
  return !has_link(group,
                   source.substr(start.size(), source.find('/', start.size()) - start.size()));
}

/// Writes the output's rate as attribute OutputDataRate if the input gives its rate in a form that
/// the output does not have: a separate dataset, or the pulse rate of the instrument, which
/// resampling does not change.
void write_rate(hid_t group, const DatasetPath& input, const OutputSpec& spec, std::size_t time) {
  if (time >= spec.input.sampling_source.size()) return;
  const std::string& source = spec.input.sampling_source[time];
  const bool is_lost =
      is_beside_alone(source, input, group) ||
      (source.find("PulseRate") != std::string::npos && spec.sampling[time].stride != 1);
  if (is_lost)
    write_attribute(
        group, "OutputDataRate",
        spec.input.sampling_rate[time] / static_cast<double>(spec.sampling[time].stride));
}

/// The time axis of a two-dimensional dataset whose other axis has the group's number of loci.
std::optional<std::size_t> axis_beside_loci(const DatasetPath& input, const OutputSpec& spec) {
  const std::vector<Index>& dims = spec.input.described().dims;
  if (dims.size() != 2 || dims[0] == dims[1]) return std::nullopt;
  for (const Handle& group : input.groups)
    if (const auto loci = attribute_number(group, "NumberOfLoci"))
      for (const std::size_t axis : {0u, 1u})
        if (*loci == static_cast<double>(dims[axis])) return 1 - axis;
  return std::nullopt;
}

/// Whether the rate of an axis came from coordinates of this axis, or from a header whose format
/// defines the time axis.
bool has_times(const OutputSpec& spec, std::size_t axis) {
  if (axis >= spec.input.sampling_source.size()) return false;
  const std::string& source = spec.input.sampling_source[axis];
  return source.starts_with("dimension scale ") || source.starts_with("dataset ");
}

std::vector<std::size_t> resampled_axes(const OutputSpec& spec) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < spec.sampling.size(); ++axis)
    if (is_resampled(spec, axis)) axes.push_back(axis);
  return axes;
}

/// The time axis, if the file defines it.
std::optional<std::size_t> defined_time_axis(const DatasetPath& input, const OutputSpec& spec) {
  const std::size_t rank = spec.sampling.size();
  if (rank == 1) return 0;
  if (const auto named = named_time_axis(input.dataset, static_cast<int>(rank)))
    return static_cast<std::size_t>(*named);
  for (std::size_t axis = 0; axis < rank; ++axis)
    if (has_times(spec, axis)) return axis;
  return axis_beside_loci(input, spec);
}

DescribedAxes described_axes(const DatasetPath& input, const OutputSpec& spec) {
  const std::vector<std::size_t> changed = resampled_axes(spec);
  const auto beside = [&](std::optional<std::size_t> time) {
    if (!time) return changed;
    std::vector<std::size_t> others;
    for (std::size_t axis = 0; axis < spec.sampling.size(); ++axis)
      if (axis != *time) others.push_back(axis);
    return others;
  };
  const auto time = time_axis_of(input, spec);
  DescribedAxes axes;
  axes.time = time ? std::vector{*time} : changed;
  axes.across = beside(time);
  axes.x = spec.sampling.size() == 1 ? axes.time : beside(defined_time_axis(input, spec));
  axes.any = changed;
  axes.inputs = points_of(spec.input.described().dims);
  axes.outputs = points_of(spec.form.dims());
  return axes;
}

}  // namespace

bool is_resampled(const OutputSpec& spec, std::size_t axis) {
  const AxisSampling& s = spec.sampling[axis];
  return s.first != 0 || s.stride != 1 || s.count != spec.input.described().dims[axis];
}

std::optional<std::size_t> time_axis_of(const DatasetPath& input, const OutputSpec& spec) {
  if (const auto told = defined_time_axis(input, spec)) return told;
  const std::vector<std::size_t> changed = resampled_axes(spec);
  if (changed.empty()) return 0;  // nothing to adjust
  return changed.size() == 1 ? std::optional(changed[0]) : std::nullopt;
}

void adjust_groups(const std::vector<Handle>& groups, const DatasetPath& input,
                   const OutputSpec& spec, Skipped& skipped) {
  const DescribedAxes axes = described_axes(input, spec);
  for (const Handle& group : groups) mend_axis_attributes(group, spec, axes, skipped);
  if (const auto time = time_axis_of(input, spec)) write_rate(groups.back(), input, spec, *time);
}

void adjust_dataset(hid_t dataset, const DatasetPath& input, const OutputSpec& spec,
                    Skipped& skipped) {
  mend_axis_attributes(dataset, spec, described_axes(input, spec), skipped);
}

void adjust_scale(hid_t scale, std::size_t axis, const OutputSpec& spec, Skipped& skipped) {
  const std::vector<std::size_t> own{axis};
  mend_axis_attributes(
      scale, spec,
      {own, own, own, own, spec.input.described().dims[axis], spec.sampling[axis].count}, skipped);
}

}  // namespace stencil::storage
