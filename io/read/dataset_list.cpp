#include "io/read/dataset_list.hpp"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <span>

#include "framework/grid/error.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/suggestions.hpp"
#include "io/read/file_list.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t most_names = 100'000;  // limit for one group, and for the result

/// Escapes a pattern for fnmatch(), so that brackets and backslashes are ordinary characters.
std::string escaped(const std::string& pattern) {
  std::string result;
  for (const char letter : pattern) {
    if (letter == '[' || letter == ']' || letter == '\\') result += '\\';
    result += letter;
  }
  return result;
}

/// Collects the datasets that match a pattern.
class Search {
 public:
  explicit Search(const std::string& where) : where_(where) {}

  /// Searches a group. @param steps  patterns of the names below this group
  void run(hid_t group, const std::string& path, std::span<const std::string> steps) {
    const std::string pattern = escaped(steps.front());
    for (const std::string& name : names_of(group, steps.front())) {
      if (::fnmatch(pattern.c_str(), name.c_str(), 0) != 0) continue;
      const Handle object = child_of(group, name.c_str());
      if (!object) continue;
      const H5I_type_t kind = H5Iget_type(object);
      const std::string here = fmt::format("{}/{}", path, name);
      if (steps.size() > 1 && kind == H5I_GROUP)
        run(object, here, steps.subspan(1));
      else if (steps.size() == 1 && kind == H5I_DATASET)
        add(here);
    }
  }

  std::vector<std::string> found;

 private:
  std::vector<std::string> names_of(hid_t group, const std::string& step) const {
    if (!is_dataset_pattern(step)) return {step};
    std::vector<std::string> names = child_names(group, most_names);
    if (names.size() > most_names) throw_too_many();
    return names;
  }

  void add(std::string path) {
    if (found.size() == most_names) throw_too_many();
    found.push_back(std::move(path));
  }

  [[noreturn]] void throw_too_many() const {
    throw StorageError(
        fmt::format("{}: a pattern is looked for among {} names at most: name one dataset", where_,
                    most_names));
  }

  std::string where_;
};

/// Returns whether a dataset of exactly this name exists.
bool is_there(hid_t file, const std::vector<std::string>& steps) {
  Handle object = owned(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, "cannot open the root");
  for (const std::string& step : steps) {
    if (H5Iget_type(object) != H5I_GROUP) return false;
    object = child_of(object, step.c_str());
    if (!object) return false;
  }
  return H5Iget_type(object) == H5I_DATASET;
}

}  // namespace

bool is_dataset_pattern(const std::string& text) {
  return text.find_first_of("*?") != text.npos;
}

std::vector<std::string> datasets_named(hid_t file, const std::string& file_name,
                                        const std::string& text) {
  const std::vector<std::string> steps = split_path(text);
  if (!is_dataset_pattern(text) || steps.empty() || is_there(file, steps)) return {text};
  const std::string where = qualified_name(file_name, text);
  const Handle root =
      owned(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, where + ": cannot open the root");
  Search search(where);
  search.run(root, "", steps);
  if (search.found.empty())
    throw WordsError(
        fmt::format("no dataset of {} matches {}: `*` matches any part of one name between slashes",
                    one_line(file_name), one_line(text)));
  std::sort(search.found.begin(), search.found.end(), is_before);
  return search.found;
}

}  // namespace stencil::storage
