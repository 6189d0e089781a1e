#include "io/write/carry/followed_axes.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/scales.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/write/carry/adjusted_attributes.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/joined_values.hpp"
#include "io/write/carry/named_variables.hpp"
#include "io/write/carry/nexus_axes.hpp"

namespace stencil::storage {
haddr_t address_of_object(hid_t object) {
  H5O_info_t info{};
  checked(H5Oget_info2(object, &info, H5O_INFO_BASIC), "cannot examine an object of the input");
  return info.addr;
}

bool Fate::is_whole() const {
  return std::none_of(dims.begin(), dims.end(), [](const Followed& dim) { return !!dim.axis; });
}

FollowedAxes::FollowedAxes(const DatasetPath& input, const OutputSpec& spec)
    : input_(input), spec_(spec) {
  add_scales();
  for (const NexusAxis& named : nexus_axes(input))
    if (const Handle dataset = found(named.name)) add_axes(dataset, named.axes);
  add_named(names_in(input.dataset, {"coordinates", "ancillary_variables", "cell_measures",
                                     "grid_mapping", "formula_terms"}));
  add_rows();
}

void FollowedAxes::add_scales() {
  for (std::size_t axis = 0; axis < spec_.sampling.size(); ++axis)
    for (const Scale& scale : scales_of(input_.dataset, static_cast<int>(axis))) {
      if (!scale.dataset) continue;
      scales_[address_of_object(scale.dataset)].push_back(axis);
      add_axes(scale.dataset, {axis});
      for (const char* name : {"bounds", "climatology"})
        if (const Handle cells = found(attribute_text(scale.dataset, name)))
          add_axes(cells, {axis});
      add_named(names_in(scale.dataset, {"formula_terms"}));
    }
}

/// Adds the datasets that the conventions of the file describe as lists with a value for each
/// point.
void FollowedAxes::add_rows() {
  const FileConventions file = conventions_of(input_, spec_);
  for (const Convention* row : file.rows()) {
    about_ = std::max(about_, row->about);
    for (const Field& field : row->fields) {
      const Place place(field.where);
      if (field.meaning != Meaning::values || !place.attribute.empty()) continue;
      const Handle list = file.object_at(place.path).object;
      if (list && H5Iget_type(list) == H5I_DATASET) add_list(list, file.axes_of(field, 0));
    }
  }
}

/// Returns whether a dataset describes other data, according to the convention of the file.
bool FollowedAxes::is_apart(hid_t dataset) const {
  if (about_ == Convention::About::dataset) return true;
  if (about_ == Convention::About::file) return false;
  const std::size_t up = about_ == Convention::About::around && input_.groups.size() > 1 ? 2 : 1;
  const std::string path = object_name(dataset),
                    group = object_name(input_.groups[input_.groups.size() - up]);
  return !path.starts_with(group == "/" ? group : group + "/");
}

/// Returns whether a dataset has the axes of the filtered dataset, according to the convention of
/// the file.
bool FollowedAxes::is_alike(hid_t dataset) const {
  return about_ == Convention::About::around && !is_apart(dataset) &&
         dataset_extents(dataset) == spec_.input.described().dims;
}

/// Adds a list. The list follows an axis if exactly one dimension of the list is as long as one of
/// the possible axes.
void FollowedAxes::add_list(hid_t list, const std::vector<std::size_t>& possible) {
  constexpr std::size_t none = H5S_MAX_RANK;
  const std::vector<Index> extents = dataset_extents(list);
  std::vector<std::size_t> axes(extents.size(), none);
  int found = 0;
  for (std::size_t dimension = 0; dimension < extents.size(); ++dimension)
    for (const std::size_t axis : possible)
      if (inputs(axis) == extents[dimension]) {
        axes[dimension] = axis;
        ++found;
      }
  if (found == 1) add_axes(list, axes);
}

void FollowedAxes::add_axes(hid_t dataset, const std::vector<std::size_t>& axes) {
  known_.insert({address_of_object(dataset), axes});
}

void FollowedAxes::add_named(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (const Handle variable = found(name)) {
      if (!named_.insert({address_of_object(variable), true}).second) continue;
      if (const std::string bounds = attribute_text(variable, "bounds"); !bounds.empty())
        add_named({bounds});
    }
}

/// Finds a variable by its name in the group of the dataset or in a group above it.
Handle FollowedAxes::found(const std::string& name) const {
  if (name.empty() || name.find('/') != name.npos) return {};
  for (std::size_t depth = input_.groups.size(); depth-- > 0;)
    if (Handle variable = member(input_.groups[depth], name, H5I_DATASET)) return variable;
  return {};
}

std::optional<std::size_t> FollowedAxes::by_length(Index extent, bool is_named,
                                                   std::string& why_not) const {
  std::vector<std::size_t> axes, resampled;
  for (std::size_t axis = 0; axis < spec_.sampling.size(); ++axis) {
    if (inputs(axis) != extent) continue;
    axes.push_back(axis);
    if (is_resampled(spec_, axis)) resampled.push_back(axis);
  }
  if (resampled.empty() || (extent == 1 && !is_named)) return std::nullopt;
  if (is_named && axes.size() == 1) return axes.front();
  why_not = is_named
                ? "which may describe several axes"
                : fmt::format("which has the former length of axis {}, and may describe its points",
                              resampled.front());
  return std::nullopt;
}

std::optional<std::size_t> FollowedAxes::axis_of(hid_t dataset, std::size_t dimension, Index extent,
                                                 std::string& why_not) const {
  const haddr_t address = address_of_object(dataset);
  if (const auto known = known_.find(address);
      known != known_.end() && dimension < known->second.size()) {
    const std::size_t axis = known->second[dimension];
    if (axis < spec_.sampling.size() && inputs(axis) == extent) return axis;
  }
  for (const Scale& scale : scales_of(dataset, static_cast<int>(dimension))) {
    if (!scale.dataset) continue;
    const auto shared = scales_.find(address_of_object(scale.dataset));
    if (shared == scales_.end()) return std::nullopt;  // a dimension that no axis has
    const std::vector<std::size_t>& axes = shared->second;
    if (std::any_of(axes.begin(), axes.end(), [&](std::size_t axis) {
          return !is_same(spec_.sampling[axis], spec_.sampling[axes.front()]);
        }))
      why_not = "whose dimension is that of several axes";
    return axes.front();
  }
  if (!named_.contains(address) && is_apart(dataset)) return std::nullopt;
  if (is_alike(dataset)) return dimension;
  return by_length(extent, named_.contains(address), why_not);
}

Followed FollowedAxes::along(std::optional<std::size_t> axis, Index extent, std::size_t rank,
                             std::string& why_not) const {
  if (!axis || !is_resampled(spec_, *axis))
    return {extent, {.extent = extent, .count = extent}, std::nullopt};
  const AxisSampling& sampling = spec_.sampling[*axis];
  if (is_mixed(sampling)) why_not = "whose points are mixed";
  if (has_gaps_inside(spec_, *axis)) why_not = "whose points have gaps between them";
  if (rank > 1 && !is_inside(sampling, extent))
    why_not = "whose points beyond the edges are not known";
  return {extent, sampling, axis};
}

Fate FollowedAxes::fate_of(hid_t dataset) const {
  Fate fate;
  const std::vector<Index> extents = dataset_extents(dataset);
  for (std::size_t dimension = 0; dimension < extents.size(); ++dimension) {
    const Index extent = extents[dimension];
    const auto axis = axis_of(dataset, dimension, extent, fate.why_not);
    fate.dims.push_back(along(axis, extent, extents.size(), fate.why_not));
    if (!fate.why_not.empty()) break;
  }
  return fate;
}

}  // namespace stencil::storage
