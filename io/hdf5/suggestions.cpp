#include "io/hdf5/suggestions.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "framework/grid/nearest.hpp"
#include "io/hdf5/file_walk.hpp"
#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t most_datasets = 10000;
constexpr std::size_t longest_compared = 512;  // the time is proportional to the product of the
                                               // lengths

std::string last_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// Edit distance of two names. Names longer than longest_compared are treated as entirely
/// different.
std::size_t distance(const std::string& a, const std::string& b) {
  const std::size_t longer = std::max(a.size(), b.size());
  return longer > longest_compared ? longer : edit_distance(a, b);
}

struct Children {
  std::vector<std::string> names;
  std::size_t most;
};

herr_t collect_child(hid_t, const char* name, const H5L_info_t*, void* data) {
  auto& children = *static_cast<Children*>(data);
  if (children.names.size() == children.most) {
    children.names.emplace_back("...");
    return 1;
  }
  children.names.emplace_back(name);
  return 0;
}

}  // namespace

std::vector<std::string> nearest_datasets(hid_t file, const std::string& file_name,
                                          const std::string& path) {
  std::vector<std::string> paths;
  const bool is_whole = walk_file(file, [&](const MetObject& met) {
    if (met.type == H5O_TYPE_DATASET) paths.push_back(met.path());
    return paths.size() < most_datasets;
  });
  if (paths.empty() && !is_whole)
    throw StorageError(fmt::format(
        "{} cannot be searched for {}: its groups are damaged, copy it again from its source",
        qualified_name(file_name, ""), one_line(path)));
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : paths) {
    // a path with the right name in another group has the same distance as two edits of the whole
    // path
    const std::size_t whole = distance(candidate, path);
    const std::size_t leaf = 2 + distance(last_name(candidate), last_name(path));
    ranked.emplace_back(std::min(whole, leaf), candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > 3) ranked.resize(3);
  std::vector<std::string> nearest;
  for (const auto& [distance, candidate] : ranked) nearest.push_back(candidate);
  return nearest;
}

std::optional<std::vector<std::string>> link_names(hid_t group, std::size_t most) {
  Children children{{}, most};
  hsize_t position = 0;
  if (!succeeded(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &position, collect_child, &children),
                 group, "cannot list its links"))
    return std::nullopt;
  return std::move(children.names);
}

std::vector<std::string> child_names(hid_t group, std::size_t most) {
  auto names = link_names(group, most);
  if (!names) throw_lookup(group, "cannot list its links");
  return std::move(*names);
}

}  // namespace stencil::storage
