#include "drivers/plan/memory_available.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace stencil {
namespace {

/// First number of a file; nothing where there is none (`max`) or no such file.
std::optional<Index> number_in(const std::string& file) {
  std::ifstream in(file);
  Index value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

/// Value behind a word in a file of words and values; 0 where it is not.
Index value_of(const std::string& word, const std::string& file) {
  std::ifstream in(file);
  Index value = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first;
    if (words >> first >> value && first == word) return value;
  }
  return 0;
}

/// How the two versions of Linux's control groups name the same things.
struct CgroupWords {
  const char* line;  ///< how its line in /proc/self/cgroup goes on after the number
  const char* root;
  const char *limit, *used, *inactive, *active;
};
constexpr CgroupWords cgroup_versions[] = {
    {":", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file", "active_file"},
    {"memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file", "total_active_file"}};

/// Folder of the control group that this process is in, below the root.
std::filesystem::path own_cgroup(const CgroupWords& words) {
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::string rest = line.substr(line.find(':') + 1);
    if (rest.starts_with(words.line))
      return std::filesystem::path(rest.substr(std::string(words.line).size())).relative_path();
  }
  return {};
}

/// What the limits of the process's control group and of those above it leave: a container or a
/// batch job may be given less than the node has. Pages that only cache files are given up when
/// needed.
Index left_by_cgroups(Index available, const CgroupWords& words) {
  for (auto group = own_cgroup(words);; group = group.parent_path()) {
    const std::string folder = (std::filesystem::path(words.root) / group).string() + "/";
    const auto limit = number_in(folder + words.limit);
    const auto used = number_in(folder + words.used);
    if (limit && used) {
      const Index cache = value_of(words.inactive, folder + "memory.stat") +
                          value_of(words.active, folder + "memory.stat");
      available = std::min(available, std::max<Index>(0, *limit - *used + cache));
    }
    if (group.empty()) return available;
  }
}

/// What `ulimit -v` leaves.
Index left_by_address_space(Index available) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return available;
  const Index mapped = 1024 * value_of("VmSize:", "/proc/self/status");
  return std::min(available, std::max<Index>(0, static_cast<Index>(limit.rlim_cur) - mapped));
}

}  // namespace

Index memory_available(Index configured, int ranks_on_node) {
  if (configured > 0) return configured;
  Index available = 1024 * value_of("MemAvailable:", "/proc/meminfo");
  for (const CgroupWords& words : cgroup_versions) available = left_by_cgroups(available, words);
  return left_by_address_space(available / ranks_on_node);
}

}  // namespace stencil
