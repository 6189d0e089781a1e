#include "io/write/times_beside.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/scales.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/write/adjusted_attributes.hpp"
#include "io/write/axis_values.hpp"
#include "io/write/joined_values.hpp"
#include "io/write/named_variables.hpp"

namespace stencil::storage {
namespace {

/// The axes that a dataset is as long as. Those with a dimension scale have their coordinates
/// there.
std::vector<std::size_t> axes_as_long_as(hid_t times, const DatasetPath& input,
                                         const OutputSpec& spec) {
  std::vector<std::size_t> axes;
  const std::vector<Index>& dims = spec.input.described().dims;
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    if (has_length(times, dims[axis]) && scales_of(input.dataset, static_cast<int>(axis)).empty())
      axes.push_back(axis);
  return axes;
}

/// @returns why they are not carried over; empty if they are
/// @param find  the times of any file of a join
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

}  // namespace

void carry_times_beside(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                        Skipped& skipped) {
  const std::string data = split_path(spec.dataset).back();
  const std::pair<std::string, std::string> names[] = {
      {input.names.back() + "Time", data + "Time"}, {"time", "time"}, {"t", "t"}};
  for (const auto& names_of_times : names) {
    const std::string &name = names_of_times.first, &own = names_of_times.second;
    const Handle times = member(input.groups.back(), name, H5I_DATASET);
    if (!times) continue;
    const bool is_named_after_data = &names_of_times == &names[0];
    const auto find = [&](const DatasetPath& path) {
      return member(path.groups.back(), is_named_after_data ? path.names.back() + "Time" : name,
                    H5I_DATASET);
    };
    const std::vector<std::size_t> axes = axes_as_long_as(times, input, spec);
    if (axes.empty()) continue;
    const auto told = time_axis_of(input, spec);
    const bool is_sure =
        axes.size() == 1 || (told && std::find(axes.begin(), axes.end(), *told) != axes.end());
    const std::string why = is_sure ? carry(times, find, group, own,
                                            axes.size() == 1 ? axes.front() : *told, spec, skipped)
                                    : "which may tell of several axes";
    if (!why.empty())
      skipped.push_back(fmt::format("dataset {} with the times of its points, {}",
                                    one_line(object_name(times)), why));
  }
}

}  // namespace stencil::storage
