#include "io/write/carry/stacked_axis.hpp"

#include <fmt/core.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/suggestions.hpp"
#include "io/metadata/calendar.hpp"
#include "io/metadata/leap_seconds.hpp"
#include "io/read/coordinate_numbers.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/file_check.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/read/times.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/named_variables.hpp"
#include "io/write/carry/time_conversion.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t most_links = 10'000;
constexpr const char* what = "cannot carry over the coordinates of stacked datasets";

bool is_single(hid_t dataset) {
  return is_stored_here(dataset) && single_number(dataset) &&
         !has_attribute(dataset, "scale_factor") && !has_attribute(dataset, "add_offset");
}

/// Returns the name of the dataset next to the first dataset whose single number is the coordinate
/// along the new axis.
std::optional<std::string> coordinate_beside(const DatasetPath& input) {
  std::vector<std::string> named = names_in(input.dataset, {"coordinates"}), others;
  named.insert(named.end(), {"time", "t"});
  const auto links = link_names(input.groups.back(), most_links);
  for (const std::string& name : links.value_or(std::vector<std::string>())) {
    const Handle dataset = member(input.groups.back(), name, H5I_DATASET);
    if (!dataset || !is_single(dataset)) continue;
    if (attribute_text(dataset, "CLASS") != "DIMENSION_SCALE" &&
        std::find(named.begin(), named.end(), name) == named.end())
      continue;
    if (time_unit_of(attribute_text(dataset, "units"), attribute_text(dataset, "calendar")))
      return name;
    others.push_back(name);
  }
  return others.size() == 1 ? std::optional(others.front()) : std::nullopt;
}

template <class T>
T number_of(hid_t dataset) {
  T number{};
  checked(H5Dread(dataset, std::is_integral_v<T> ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, H5S_ALL,
                  H5S_ALL, H5P_DEFAULT, &number),
          what);
  return number;
}

/// Returns the numbers for all output points along the new axis. If a dataset has no number,
/// returns std::nullopt and sets `lacking` to its name.
template <class T>
std::optional<std::vector<T>> numbers_of(hid_t first, const std::string& name,
                                         const StackedAxis& axis, std::string& lacking) {
  std::vector<T> numbers;
  for (Index o = 0; o < axis.sampling.count; ++o) {
    const auto at = static_cast<std::size_t>(axis.sampling.first + o * axis.sampling.stride);
    const DatasetFacts& input = axis.dataset(at);
    lacking = qualified_name(input.file, input.dataset);
    const Handle file = open_for_reading(input.file);
    const DatasetPath path = open_dataset(file, input.file, input.dataset);
    const Handle own = member(path.groups.back(), name, H5I_DATASET);
    const auto conversion =
        own && is_single(own) ? time_conversion(own, first) : std::optional<TimeConversion>();
    const auto number = conversion ? converted(number_of<T>(own), *conversion) : std::optional<T>();
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

template <class T>
void make_scale(hid_t first, const std::string& name, hid_t group, hid_t dataset,
                const OutputSpec& spec, Skipped& skipped) {
  std::string lacking;
  const auto numbers = numbers_of<T>(first, name, *spec.stacked, lacking);
  if (!numbers) {
    skipped.push_back(
        fmt::format("the coordinate {} of the new axis, which {} does not have in "
                    "that unit",
                    one_line(name), lacking));
    return;
  }
  const Handle stored = owned(H5Dget_type(first), H5Tclose, what);
  const Handle type = owned(H5Tcopy(stored), H5Tclose, what);
  std::string own_name = name;
  while (has_link(group, own_name)) own_name += "_of_files";
  const Handle target = make_values(group, own_name, type, {std::ssize(*numbers)}, what);
  checked(H5Dwrite(target, std::is_integral_v<T> ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, H5S_ALL,
                   H5S_ALL, H5P_DEFAULT, numbers->data()),
          what);
  copy_attributes(first, target, {"bounds"}, skipped);
  checked(H5DSset_scale(target, own_name.c_str()), what);
  checked(H5DSattach_scale(dataset, target, static_cast<unsigned>(spec.leading_axes())), what);
}

/// Returns the time of the first point of a dataset in nanoseconds since 1970 (UTC), if an
/// attribute contains it.
std::optional<Index> first_time_of(const DatasetFacts& input) {
  const Handle file = open_for_reading(input.file);
  const auto times = find_times(open_dataset(file, input.file, input.dataset), input);
  constexpr Nanoseconds most = std::numeric_limits<Index>::max();
  if (!times || !times->source.starts_with("attribute ")) return std::nullopt;
  const bool is_gps = times->calendar == name_of(Calendar::gps);
  const Nanoseconds first = is_gps ? utc_of_gps(times->first).utc : times->first;
  if ((!is_gps && times->calendar != name_of(Calendar::standard)) || first > most || first < -most)
    return std::nullopt;
  return static_cast<Index>(first);
}

/// Creates a scale from the times of the first points of the datasets (PartStartTime of ProdML,
/// Xstart of GWOSC), if all datasets have such a time and the times are not all equal.
void make_scale_of_first_times(hid_t group, hid_t dataset, const OutputSpec& spec,
                               Skipped& skipped) {
  std::vector<Index> times;
  const AxisSampling& sampling = spec.stacked->sampling;
  for (Index o = 0; o < sampling.count; ++o) {
    const DatasetFacts& input =
        spec.stacked->dataset(static_cast<std::size_t>(sampling.first + o * sampling.stride));
    const auto time = first_time_of(input);
    if (!time && o > 0)
      skipped.push_back(fmt::format("the first times along the new axis, as {} has none",
                                    qualified_name(input.file, input.dataset)));
    if (!time) return;
    times.push_back(*time);
  }
  if (std::all_of(times.begin(), times.end(), [&](Index time) { return time == times[0]; })) return;
  const std::string name = has_link(group, "time") ? "time_of_files" : "time";
  const Handle target = make_values(group, name, H5T_STD_I64LE, {std::ssize(times)}, what);
  checked(H5Dwrite(target, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data()), what);
  write_attribute(target, "units", "nanoseconds since 1970-01-01");
  write_attribute(target, "calendar", "standard");
  write_attribute(target, "standard_name", "time");
  checked(H5DSset_scale(target, name.c_str()), what);
  checked(H5DSattach_scale(dataset, target, static_cast<unsigned>(spec.leading_axes())), what);
}

}  // namespace

void make_stacked_scale(const DatasetPath& input, hid_t group, hid_t dataset,
                        const OutputSpec& spec, Skipped& skipped) {
  const AxisSampling& sampling = spec.stacked->sampling;
  const auto name = coordinate_beside(input);
  const bool is_on_datasets =
      !is_mixed(sampling) && is_inside(sampling, static_cast<Index>(spec.stacked->count()));
  if (!name && is_on_datasets) make_scale_of_first_times(group, dataset, spec, skipped);
  if (!name) return;
  const Handle first = member(input.groups.back(), *name, H5I_DATASET);
  if (!is_on_datasets) {
    skipped.push_back(
        fmt::format("the coordinate {} of the new axis, whose points are mixed or "
                    "lie beyond its edges",
                    one_line(*name)));
    return;
  }
  if (holds_integers(first))
    make_scale<Index>(first, *name, group, dataset, spec, skipped);
  else
    make_scale<double>(first, *name, group, dataset, spec, skipped);
}

}  // namespace stencil::storage
