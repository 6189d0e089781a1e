#include "io/suggestions.hpp"

#include <algorithm>

#include "framework/grid/nearest.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t most_datasets = 10000;

std::string last_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

herr_t collect_dataset(hid_t, const char* name, const H5O_info_t* info, void* list) {
  auto& paths = *static_cast<std::vector<std::string>*>(list);
  if (info->type == H5O_TYPE_DATASET) paths.emplace_back("/").append(name);
  return paths.size() < most_datasets ? 0 : 1;
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

std::vector<std::string> nearest_datasets(hid_t file, const std::string& path) {
  std::vector<std::string> paths;
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, collect_dataset, &paths, H5O_INFO_BASIC);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : paths) {
    // a right name in a wrong folder is as near as a small slip in the whole path
    const std::size_t whole = edit_distance(candidate, path);
    const std::size_t leaf = 2 + edit_distance(last_name(candidate), last_name(path));
    ranked.emplace_back(std::min(whole, leaf), candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > 3) ranked.resize(3);
  std::vector<std::string> nearest;
  for (const auto& [distance, candidate] : ranked) nearest.push_back(candidate);
  return nearest;
}

std::vector<std::string> child_names(hid_t group, std::size_t most) {
  Children children{{}, most};
  hsize_t position = 0;
  H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &position, collect_child, &children);
  return children.names;
}

}  // namespace stencil::storage
