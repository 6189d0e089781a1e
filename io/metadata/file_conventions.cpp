#include "io/metadata/file_conventions.hpp"

#include <algorithm>
#include <cstdlib>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/metadata/stated_numbers.hpp"

namespace stencil::storage {
namespace {

constexpr std::ptrdiff_t most_levels = 16;  // more than any convention needs

/// Returns the paths that a pattern matches: `{}` is replaced by the name of the dataset, and `*`
/// by each of the last `most_levels` names on the path to the dataset.
std::vector<std::string> filled_in(const std::string& pattern,
                                   const std::vector<std::string>& names) {
  const auto replaced = [&](const char* mark, const std::string& name) {
    std::string path = pattern;
    return path.replace(path.find(mark), std::string(mark).size(), name);
  };
  if (pattern.find("{}") != pattern.npos) return {replaced("{}", names.back())};
  if (pattern.find('*') == pattern.npos) return {pattern};
  std::vector<std::string> paths;
  for (auto name = names.rbegin(); name != names.rend() && std::ssize(paths) < most_levels; ++name)
    paths.push_back(replaced("*", *name));
  return paths;
}

}  // namespace

std::vector<hid_t> groups_near(const DatasetPath& path) {
  std::vector<hid_t> groups;
  for (auto group = path.groups.rbegin();
       group != path.groups.rend() && std::ssize(groups) < most_levels; ++group)
    groups.push_back(*group);
  if (path.groups.size() > groups.size()) groups.push_back(path.groups.front());
  return groups;
}

Handle object_below(hid_t group, const std::string& path) {
  Handle object;
  for (const std::string& part : split_path(path)) {
    const hid_t parent = object ? hid_t{object} : group;
    if (H5Iget_type(parent) != H5I_GROUP) return {};
    object = child_of(parent, part.c_str());
    if (!object) return {};
  }
  return object;
}

Place::Place(std::string_view where)
    : path(where.substr(0, where.find('@'))),
      attribute(where.find('@') == where.npos ? "" : where.substr(where.find('@') + 1)) {}

FileConventions::FileConventions(const DatasetPath& path, const std::vector<Index>& dims)
    : path_(path), rank_(dims.size()) {
  for (const Convention& row : conventions())
    if (std::all_of(row.needs.begin(), row.needs.end(), [&](auto need) { return is_met(need); }))
      rows_.push_back(&row);
  axes_ = AxisNames::of(path, dims, rows_);
}

FoundObject FileConventions::object_at(const std::string& path) const {
  const std::vector<std::string> exact_paths = filled_in(path, path_.names);
  for (const hid_t group : groups_near(path_))
    for (const std::string& exact : exact_paths)
      if (Handle object = object_below(group, exact)) return {std::move(object), exact};
  return {};
}

/// Checks whether the dataset, or a group around it, has the attribute that `need` describes:
/// `name`, `name=beginning of its text` or `name>number`.
bool FileConventions::is_met_by_attribute(std::string_view need) const {
  const std::size_t end = std::min(need.find_first_of("=>"), need.size());
  const std::string name(need.substr(0, end));
  const std::string wanted(need.substr(std::min(end + 1, need.size())));
  const auto fits = [&](hid_t object) {
    if (!has_attribute(object, name)) return false;
    if (end == need.size()) return true;
    if (need[end] == '=') return attribute_text(object, name).starts_with(wanted);
    const std::vector<double> numbers = stated_numbers(object, name);
    return numbers.size() == 1 && numbers[0] > std::strtod(wanted.c_str(), nullptr);
  };
  const std::vector<hid_t> groups = groups_near(path_);
  return fits(path_.dataset) || std::any_of(groups.begin(), groups.end(), fits);
}

bool FileConventions::is_met(std::string_view need) const {
  if (need == "1 axis") return rank_ == 1;
  if (need == "several axes") return rank_ > 1;
  if (need.starts_with('#')) return path_.names.back() == need.substr(1);
  if (need.starts_with('@')) return is_met_by_attribute(need.substr(1));
  const Place place(need);
  const FoundObject found = object_at(place.path);
  return found.object && (place.attribute.empty() || has_attribute(found.object, place.attribute));
}

std::vector<const Field*> FileConventions::fields_of(const std::string& path,
                                                     const std::string& attribute) const {
  for (const Convention* row : rows_) {
    std::vector<const Field*> fields;
    for (const Field& field : row->fields) {
      const Place place(field.where);
      if (place.attribute != attribute || place.path.empty() != path.empty()) continue;
      const auto exact = filled_in(place.path, path_.names);
      if (std::find(exact.begin(), exact.end(), path) != exact.end()) fields.push_back(&field);
    }
    if (!fields.empty()) return fields;
  }
  return {};
}

std::vector<std::size_t> FileConventions::axes_of(const Field& field, std::size_t component) const {
  const std::size_t rank = axes_.size();
  if (field.axis == "each")
    return component < rank ? std::vector{component} : std::vector<std::size_t>{};
  if (field.axis == "reversed")
    return component < rank ? std::vector{rank - 1 - component} : std::vector<std::size_t>{};
  return axes_.possible(field.axis);
}

}  // namespace stencil::storage
