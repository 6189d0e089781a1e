#include "io/write/carry/times_beside.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/scales.hpp"
#include "io/read/coordinate_numbers.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/write/carry/adjusted_attributes.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/joined_values.hpp"
#include "io/write/carry/named_variables.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/carry/skipped.hpp"

namespace stencil::storage {
namespace {

/// Returns the axes that have the same length as a dataset. Axes with a dimension scale are
/// excluded, because the scale contains their coordinates.
std::vector<std::size_t> axes_as_long_as(hid_t times, const DatasetPath& input,
                                         const OutputSpec& spec) {
  std::vector<std::size_t> axes;
  const std::vector<Index>& dims = spec.input.described().dims;
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    if (has_length(times, dims[axis]) && scales_of(input.dataset, static_cast<int>(axis)).empty())
      axes.push_back(axis);
  return axes;
}

/// Copies times to the output.
/// @param find  finds the times in any file of a join
/// @returns the reason if the times are not copied; otherwise an empty text
std::string carry(hid_t times, const CoordinateFinder& find, hid_t group, const std::string& name,
                  std::size_t axis, const OutputSpec& spec, Skipped& skipped) {
  const AxisSampling& sampling = spec.sampling[axis];
  if (is_mixed(sampling)) return "whose points are mixed";
  if (!is_copyable(times)) return "which cannot be read";
  const std::string own = free_name(group, name, axis),
                    what = fmt::format("cannot carry over the times {}", one_line(name));
  try {
    Handle target;
    if (!has_gaps_inside(spec, axis))
      target =
          carry_axis_values(times, group, own, sampling, spec.input.described().dims[axis], what);
    if (!target) target = carry_joined_values(times, spec, axis, find, group, own, what);
    if (!target) return "which are not even and cannot be continued";
    copy_attributes(times, target, {}, skipped);
    adjust_scale(target, axis, spec, skipped);
    drop_absent_variables(target, group, skipped);
    return "";
  } catch (const Unreadable&) {
    H5Ldelete(group, own.c_str(), H5P_DEFAULT);
    return "which cannot be read";
  }
}

/// A list of values next to the dataset that a convention describes.
struct List {
  Handle dataset;
  std::string pattern, name, own_name;  ///< own_name: name in the output
  std::vector<std::size_t> axes;        ///< axes that the list may describe
  bool is_of_time = false;
};

/// Returns the axes of the dataset that a list may describe: the axes that are as long as the list
/// or, if several axes are, those of them that the convention names.
std::vector<std::size_t> axes_of(hid_t list, const Field& field, const FileConventions& file,
                                 const DatasetPath& input, const OutputSpec& spec) {
  const std::vector<std::size_t> axes = axes_as_long_as(list, input, spec);
  if (axes.size() < 2) return axes;
  std::vector<std::size_t> meant;
  const std::vector<std::size_t> possible = file.axes_of(field, 0);
  for (const std::size_t axis : axes)
    if (std::find(possible.begin(), possible.end(), axis) != possible.end()) meant.push_back(axis);
  return meant.empty() ? axes : meant;
}

/// Replaces `{}` by the name of the dataset.
std::string filled(std::string pattern, const std::string& dataset) {
  if (const std::size_t at = pattern.find("{}"); at != pattern.npos)
    pattern.replace(at, 2, dataset);
  return pattern;
}

/// Returns the lists in the group of the dataset, without duplicates.
std::vector<List> lists_beside(const FileConventions& file, const DatasetPath& input,
                               const OutputSpec& spec) {
  std::vector<List> lists;
  for (const Convention* row : file.rows())
    for (const Field& field : row->fields) {
      const std::string pattern(field.where);
      if (field.meaning != Meaning::values || pattern.find_first_of("/@*#") != pattern.npos)
        continue;
      const std::string name = filled(pattern, input.names.back());
      const bool is_known = std::any_of(lists.begin(), lists.end(),
                                        [&](const List& list) { return list.name == name; });
      Handle dataset = is_known ? Handle() : member(input.groups.back(), name, H5I_DATASET);
      if (!dataset || name == input.names.back()) continue;
      std::vector<std::size_t> axes = axes_of(dataset, field, file, input, spec);
      if (!axes.empty())
        lists.push_back({std::move(dataset), pattern, name,
                         filled(pattern, split_path(spec.dataset).back()), std::move(axes),
                         field.axis == "time"});
    }
  return lists;
}

}  // namespace

void carry_times_beside(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                        Skipped& skipped) {
  const FileConventions file = conventions_of(input, spec);
  for (const List& list : lists_beside(file, input, spec)) {
    const auto find = [&](const DatasetPath& path) {
      return member(path.groups.back(), filled(list.pattern, path.names.back()), H5I_DATASET);
    };
    const auto told = list.is_of_time ? time_axis_of(input, spec) : std::nullopt;
    const bool is_one = list.axes.size() == 1;
    const bool is_sure =
        is_one || (told && std::find(list.axes.begin(), list.axes.end(), *told) != list.axes.end());
    const std::string why = is_sure ? carry(list.dataset, find, group, list.own_name,
                                            is_one ? list.axes.front() : *told, spec, skipped)
                                    : "which may describe several axes";
    if (!why.empty())
      skipped.push_back(fmt::format("dataset {} with the {} of its points, {}",
                                    one_line(object_name(list.dataset)),
                                    list.is_of_time ? "times" : "coordinates", why));
  }
}

}  // namespace stencil::storage
