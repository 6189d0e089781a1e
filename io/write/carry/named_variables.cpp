#include "io/write/carry/named_variables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/read/coordinates.hpp"
#include "io/write/carry/skipped.hpp"

namespace stencil::storage {
namespace {

/// An attribute that contains names of variables. In grid_mapping, a word before a colon is the
/// name of a variable (`crs: x y`); in other attributes it is the role of the variable that follows
/// (`area: cell_area`).
struct Naming {
  const char* attribute;
  bool is_list;  ///< each name is valid independently of the others
  bool names_before_colons = false;
};

constexpr Naming namings[]{
    {"coordinates", true},    {"ancillary_variables", true}, {"grid_mapping", false, true},
    {"cell_measures", false}, {"formula_terms", false},      {"climatology", false},
    {"bounds", false}};

/// Returns whether links exist along the whole of an absolute path.
bool is_there(hid_t file, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (checked(H5Lexists(file, part.c_str(), H5P_DEFAULT), "cannot look for " + one_line(part)) ==
        0)
      return false;
    if (end == std::string::npos) return true;
  }
}

/// Returns the path of a group, then the paths of the groups above it; the path of the root is
/// empty.
std::vector<std::string> paths_above(hid_t group) {
  std::vector<std::string> paths;
  std::string path = object_name(group);
  if (path == "/") path.clear();
  for (paths.push_back(path); !path.empty(); paths.push_back(path)) path.erase(path.rfind('/'));
  return paths;
}

bool holds_variable(hid_t group, const std::string& name) {
  if (name.front() == '/') return is_there(group, name);
  for (const std::string& path : paths_above(group))
    if (is_there(group, fmt::format("{}/{}", path, name))) return true;
  return false;
}

/// Returns the names in an attribute.
std::vector<std::string> words_of(hid_t object, const Naming& naming) {
  std::vector<std::string> names;
  std::istringstream words(
      fmt::format("{}", fmt::join(attribute_texts(object, naming.attribute), " ")));
  for (std::string word; words >> word;) {
    if (word.back() == ':') {
      word.pop_back();
      if (!naming.names_before_colons || word.empty()) continue;
    }
    names.push_back(word);
  }
  return names;
}

void drop_absent(hid_t object, hid_t group, const Naming& naming, Skipped& skipped) {
  std::vector<std::string> present, absent;
  for (const std::string& word : words_of(object, naming))
    (holds_variable(group, word) ? present : absent).push_back(one_line(word));
  if (absent.empty()) return;
  skipped.push_back(fmt::format("{} in attribute {} of {}, which the output does not hold",
                                fmt::join(absent, " "), naming.attribute,
                                one_line(object_name(object))));
  if (naming.is_list && !present.empty())
    write_attribute(object, naming.attribute, fmt::format("{}", fmt::join(present, " ")));
  else
    checked(H5Adelete(object, naming.attribute),
            fmt::format("cannot remove the attribute {}", naming.attribute));
}

}  // namespace

std::vector<std::string> names_in(hid_t object, const std::vector<std::string>& attributes) {
  std::vector<std::string> names;
  for (const Naming& naming : namings)
    if (std::find(attributes.begin(), attributes.end(), naming.attribute) != attributes.end())
      for (const std::string& name : words_of(object, naming)) names.push_back(name);
  return names;
}

void drop_absent_variables(hid_t object, hid_t group, Skipped& skipped) {
  for (const Naming& naming : namings) drop_absent(object, group, naming, skipped);
}

}  // namespace stencil::storage
