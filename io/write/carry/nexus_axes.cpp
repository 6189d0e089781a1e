#include "io/write/carry/nexus_axes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/write/carry/skipped.hpp"

namespace stencil::storage {
namespace {

constexpr std::string_view indices = "_indices";
constexpr const char* no_axis = ".";

bool has_name(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns whether the dataset is one of the signals of its group.
bool is_signal(const DatasetPath& input) {
  const hid_t group = input.groups.back();
  if (attribute_text(group, "NX_class") != "NXdata") return false;
  const std::string &name = input.names.back(), signal = attribute_text(group, "signal");
  return signal == name || has_name(attribute_texts(group, "auxiliary_signals"), name) ||
         (signal.empty() && has_attribute(input.dataset, "signal"));
}

/// Returns the names in a list of texts, or in a single text in which the names are separated by
/// `:` or `,` and may be in brackets.
std::vector<std::string> listed(const std::vector<std::string>& texts) {
  if (texts.size() != 1) return texts;
  std::vector<std::string> names(1);
  for (const char c : texts[0])
    if (c == ':' || c == ',')
      names.emplace_back();
    else if (c != '[' && c != ']' && c != ' ')
      names.back() += c;
  return names;
}

std::vector<std::string> axes_in(const DatasetPath& input) {
  const hid_t group = input.groups.back();
  return listed(
      attribute_texts(has_attribute(group, "axes") ? hid_t{group} : hid_t{input.dataset}, "axes"));
}

/// Returns the axis numbers in an attribute; std::nullopt if the attribute does not exist.
std::optional<std::vector<std::size_t>> indices_in(hid_t group, const std::string& attribute) {
  const auto numbers = attribute_numbers(group, attribute);
  if (!numbers) return std::nullopt;
  std::vector<std::size_t> axes;
  for (const double number : *numbers)
    if (number >= 0 && number < H5S_MAX_RANK) axes.push_back(static_cast<std::size_t>(number));
  return axes;
}

void write_texts(hid_t object, const char* name, const std::vector<std::string>& texts) {
  const std::string what = fmt::format("cannot write the attribute {}", name);
  if (has_attribute(object, name)) checked(H5Adelete(object, name), what);
  const hsize_t count = texts.size();
  const Handle space = owned(H5Screate_simple(1, &count, nullptr), H5Sclose, what),
               type = owned(H5Tcopy(H5T_C_S1), H5Tclose, what);
  checked(H5Tset_size(type, H5T_VARIABLE), what);
  checked(H5Tset_cset(type, H5T_CSET_UTF8), what);
  const Handle attribute =
      owned(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  std::vector<const char*> values;
  for (const std::string& text : texts) values.push_back(text.c_str());
  checked(H5Awrite(attribute, type, values.data()), what);
}

/// Adds the number of leading axes (snapshots or filters) to all axis numbers.
void shift_indices(hid_t group, std::size_t leading) {
  for (const std::string& name : attribute_names(group)) {
    const auto axes = name.ends_with(indices) ? indices_in(group, name) : std::nullopt;
    if (!axes || axes->empty()) continue;
    const std::string what = "cannot adjust the attribute " + one_line(name);
    std::vector<Index> shifted;
    for (const std::size_t axis : *axes) shifted.push_back(static_cast<Index>(axis + leading));
    const Handle attribute = owned(H5Aopen(group, name.c_str(), H5P_DEFAULT), H5Aclose, what);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    if (H5Sget_simple_extent_npoints(space) == std::ssize(shifted))
      checked(H5Awrite(attribute, H5T_NATIVE_INT64, shifted.data()), what);
  }
}

}  // namespace

std::vector<NexusAxis> nexus_axes(const DatasetPath& input) {
  std::vector<NexusAxis> found;
  if (!is_signal(input)) return found;
  const hid_t group = input.groups.back();
  const std::vector<std::string> names = axes_in(input);
  for (std::size_t axis = 0; axis < names.size(); ++axis)
    if (names[axis] != no_axis && !names[axis].empty() &&
        !has_attribute(group, names[axis] + std::string(indices)))
      found.push_back({names[axis], {axis}});
  for (const std::string& name : attribute_names(group))
    if (name.ends_with(indices))
      if (const auto axes = indices_in(group, name); axes && !axes->empty())
        found.push_back({name.substr(0, name.size() - indices.size()), *axes});
  return found;
}

void adjust_nexus_axes(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                       Skipped& skipped) {
  if (!is_signal(input)) return;
  const std::string own = split_path(spec.dataset).back();
  if (attribute_text(group, "signal") == input.names.back() && own != input.names.back())
    write_attribute(group, "signal", own);
  if (spec.axes_before_input() > 0) shift_indices(group, spec.axes_before_input());
  if (!has_attribute(group, "axes")) return;
  const std::vector<std::string> before = listed(attribute_texts(group, "axes"));
  std::vector<std::string> after(spec.leading_axes(), spec.snapshots ? "time" : "filter");
  if (spec.stacked) after.emplace_back(no_axis);
  for (const std::string& name : before) {
    const bool is_there = name == no_axis || (!name.empty() && has_link(group, name));
    after.push_back(is_there ? name : no_axis);
    if (!is_there)
      skipped.push_back(fmt::format("{} in attribute axes of {}, which the output does not hold",
                                    one_line(name), one_line(object_name(group))));
  }
  if (after != before) write_texts(group, "axes", after);
}

}  // namespace stencil::storage
