#include "drivers/plan/split/memory_available.hpp"

#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "kernels/cpu/convolve_cpu.hpp"

namespace stencil {
namespace {

/// Returns the first number in a file; std::nullopt if the file does not exist or does not begin
/// with a number (`max`).
std::optional<Index> number_in(const std::string& file) {
  std::ifstream in(file);
  Index value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

/// Returns the value after a name in a file with one name and value per line; 0 if the name is not
/// found.
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

/// Names of files and fields in the two versions of Linux control groups.
struct CgroupWords {
  const char* line;  ///< text after the number in the line of this version in /proc/self/cgroup
  const char* root;
  const char *limit, *used, *inactive, *active;
};
constexpr CgroupWords cgroup_versions[] = {
    {":", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file", "active_file"},
    {"memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file", "total_active_file"}};

/// Returns the folder of this process's control group, relative to the root.
std::filesystem::path own_cgroup(const CgroupWords& words) {
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::string rest = line.substr(line.find(':') + 1);
    if (rest.starts_with(words.line))
      return std::filesystem::path(rest.substr(std::string(words.line).size())).relative_path();
  }
  return {};
}

/// Returns the bytes left within the limits of the process's control group and its parents. A
/// container or a batch job may have less memory than the node. The result includes pages that only
/// cache files, because the kernel reclaims them when needed.
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

/// Stack size of a thread if its limit is infinite.
constexpr rlim_t default_stack = rlim_t{2} << 20;

/// Returns the bytes left within the limit of `ulimit -v` when all threads have started. The limit
/// also applies to addresses that are never touched.
Index left_by_address_space(Index available) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return available;
  const Index mapped = 1024 * value_of("VmSize:", "/proc/self/status");
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY)
    stack.rlim_cur = default_stack;
  const Index stacks = omp_get_max_threads() * static_cast<Index>(stack.rlim_cur);
  return std::min(available, std::max<Index>(0, static_cast<Index>(limit.rlim_cur) - mapped -
                                                    stacks - scratch_addresses()));
}

}  // namespace

Index memory_available(Index configured, int ranks_on_node) {
  if (configured > 0) return configured;
  Index available = 1024 * value_of("MemAvailable:", "/proc/meminfo");
  for (const CgroupWords& words : cgroup_versions) available = left_by_cgroups(available, words);
  return left_by_address_space(available / ranks_on_node);
}

}  // namespace stencil
