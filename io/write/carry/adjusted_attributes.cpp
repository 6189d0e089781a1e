#include "io/write/carry/adjusted_attributes.hpp"

#include <algorithm>
#include <cmath>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/suggestions.hpp"
#include "io/metadata/common_names.hpp"
#include "io/metadata/file_conventions.hpp"
#include "io/metadata/stated_numbers.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/write/carry/axis_attributes.hpp"
#include "io/write/carry/skipped.hpp"

namespace stencil::storage {
namespace {

/// Returns whether the rate comes from a dataset next to the input's dataset, such as /header/dt or
/// /time, and the output does not contain that dataset.
bool is_beside_alone(const std::string& source, const DatasetPath& input, hid_t group) {
  const std::string parent = object_name(input.groups.back()),
                    start = "dataset " + (parent == "/" ? parent : parent + "/");
  if (!source.starts_with(start)) return source.starts_with("dataset ");
  return !has_link(group,
                   source.substr(start.size(), source.find('/', start.size()) - start.size()));
}

/// Writes the output's rate as attribute OutputDataRate if the output would otherwise not contain
/// it. This is the case if the input gives the rate in a separate dataset, or only as the pulse
/// rate of the instrument, which resampling does not change.
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

std::vector<std::size_t> resampled_axes(const OutputSpec& spec) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < spec.sampling.size(); ++axis)
    if (is_resampled(spec, axis)) axes.push_back(axis);
  return axes;
}

/// Returns whether the name of an attribute means the time spacing in seconds or the rate in Hz,
/// and its value agrees with `rate`.
bool says_rate(const std::string& name, double number, double rate) {
  constexpr double rounding = 1e-6;
  const auto quantity = quantity_named(name);
  if (!quantity || !quantity->is_certain || quantity->axis != "time") return false;
  const double said = quantity->meaning == Meaning::rate      ? number
                      : quantity->meaning == Meaning::spacing ? 1 / number
                                                              : 0;
  return std::abs(said - rate) <= rounding * rate;
}

bool has_attribute_of_rate(hid_t object, double rate) {
  const std::vector<std::string> names = attribute_names(object);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::vector<double> numbers = stated_numbers(object, name);
    return numbers.size() == 1 && says_rate(name, numbers[0], rate);
  });
}

/// Like has_attribute_of_rate(), for the datasets with one number in a group.
bool has_dataset_of_rate(hid_t group, double rate) {
  constexpr std::size_t most_names = 1000;
  const auto names = link_names(group, most_names).value_or(std::vector<std::string>{});
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto quantity = quantity_named(name);
    if (!quantity || !quantity->is_certain) return false;
    const Handle dataset = member(group, name, H5I_DATASET);
    const auto number = dataset ? single_number(dataset) : std::nullopt;
    return number && says_rate(name, *number, rate);
  });
}

/// Returns the axis to which the run applied the sampling rate, if the file gives the rate without
/// naming an axis.
std::optional<std::size_t> axis_of_used_rate(const DatasetPath& input, const OutputSpec& spec) {
  std::optional<std::size_t> axis;
  for (std::size_t i = 0; i < spec.used_rate.size(); ++i) {
    if (!(spec.used_rate[i] > 0)) continue;
    if (axis) return std::nullopt;
    axis = i;
  }
  if (!axis) return std::nullopt;
  const double used = spec.used_rate[*axis];
  const auto& found = spec.input.sampling_rate;
  const bool is_found =
      std::find(found.begin(), found.end(), used) != found.end() ||
      has_attribute_of_rate(input.dataset, used) ||
      std::any_of(input.groups.begin(), input.groups.end(), [&](const Handle& group) {
        return has_attribute_of_rate(group, used) || has_dataset_of_rate(group, used);
      });
  return is_found ? axis : std::nullopt;
}

}  // namespace

bool is_resampled(const OutputSpec& spec, std::size_t axis) {
  const AxisSampling& s = spec.sampling[axis];
  return s.first != 0 || s.stride != 1 || s.count != spec.input.described().dims[axis];
}

FileConventions conventions_of(const DatasetPath& input, const OutputSpec& spec) {
  FileConventions file(input, spec.input.described().dims);
  const auto& sources = spec.input.time_source;
  for (std::size_t axis = 0; axis < sources.size(); ++axis)
    if (!sources[axis].empty()) file.axes().set_time(axis);
  if (const auto used = axis_of_used_rate(input, spec)) file.axes().set_time(*used);
  return file;
}

std::optional<std::size_t> time_axis_of(const DatasetPath& input, const OutputSpec& spec) {
  const FileConventions file = conventions_of(input, spec);
  if (const auto named = file.axes().time()) return named;
  if (const auto possible = file.axes().possible("time"); possible.size() == 1) return possible[0];
  const std::vector<std::size_t> changed = resampled_axes(spec);
  if (changed.empty()) return 0;  // nothing to adjust
  return changed.size() == 1 ? std::optional(changed[0]) : std::nullopt;
}

void adjust_groups(const std::vector<Handle>& groups, const DatasetPath& input,
                   const OutputSpec& spec, Skipped& skipped) {
  const FileConventions file = conventions_of(input, spec);
  for (const Handle& group : groups) mend_axis_attributes(group, {&file, ""}, spec, skipped);
  if (const auto time = time_axis_of(input, spec)) write_rate(groups.back(), input, spec, *time);
}

void adjust_dataset(hid_t dataset, const DatasetPath& input, const OutputSpec& spec,
                    Skipped& skipped) {
  const FileConventions file = conventions_of(input, spec);
  mend_axis_attributes(dataset, {&file, ""}, spec, skipped);
}

void adjust_scale(hid_t scale, std::size_t axis, const OutputSpec& spec, Skipped& skipped) {
  const std::string path = object_name(scale);
  mend_axis_attributes(scale, {nullptr, path.substr(path.rfind('/') + 1), axis}, spec, skipped);
}

}  // namespace stencil::storage
