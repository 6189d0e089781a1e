#include "io/write/carry/left_beside.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "framework/grid/one_line.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/suggestions.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t most_listed = 1000;

/// Returns the name in the output of an object next to the input's dataset. The names of times
/// contain the dataset's name.
std::string own_name(const std::string& name, const std::string& data, const std::string& output) {
  return name == data + "Time" ? output + "Time" : name;
}

/// Returns whether a link leads to the filtered dataset or to a group around it. Such a link is
/// another name of an object that the output contains.
bool is_other_name(hid_t group, const std::string& name, const DatasetPath& input) {
  const auto address = address_behind(group, name);
  const auto is_it = [&](const Handle& own) {
    H5O_info_t info{};
    return H5Oget_info2(own, &info, H5O_INFO_BASIC) >= 0 && info.addr == address;
  };
  return address &&
         (is_it(input.dataset) || std::any_of(input.groups.begin(), input.groups.end(), is_it));
}

/// Names of the objects of a group of the input that the output does not contain.
///
/// @param own  the group of the output's dataset, to which all objects are copied
std::vector<std::string> left_in(const DatasetPath& input, std::size_t depth, hid_t own,
                                 const std::string& output, const Skipped& skipped) {
  const hid_t group = input.groups[depth];
  const std::string& on_the_way = input.names[depth];
  std::vector<std::string> left;
  for (const std::string& name :
       link_names(group, most_listed).value_or(std::vector<std::string>{})) {
    if (name == on_the_way || (name != "..." && is_other_name(group, name, input))) continue;
    const bool is_carried =
        name != output && name != "..." && has_link(own, own_name(name, on_the_way, output));
    const std::string path = object_name(group), start = path == "/" ? path : path + "/";
    if (!is_carried && !is_told(skipped, one_line(start + name))) left.push_back(shortened(name));
  }
  return left;
}

}  // namespace

bool is_told(const Skipped& skipped, const std::string& path) {
  return std::any_of(skipped.begin(), skipped.end(), [&](const std::string& text) {
    const std::size_t at = text.find(path);
    if (at == text.npos || (at > 0 && text[at - 1] != ' ')) return false;
    const std::size_t end = at + path.size();
    return end == text.size() || text[end] == ',' || text[end] == ' ';
  });
}

void tell_left_beside(const DatasetPath& input, const std::vector<Handle>& groups,
                      const OutputSpec& spec, Skipped& skipped) {
  const std::string output = split_path(spec.dataset).back();
  Skipped told;
  for (std::size_t depth = input.groups.size(); depth-- > 0;) {
    const std::vector<std::string> left = left_in(input, depth, groups.back(), output, skipped);
    if (!left.empty())
      told.push_back(fmt::format("in group {}: {}", one_line(object_name(input.groups[depth])),
                                 fmt::join(left, ", ")));
  }
  skipped.insert(skipped.end(), told.begin(), told.end());
}

}  // namespace stencil::storage
