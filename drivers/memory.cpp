#include <fstream>
#include <string>

#include "drivers/plan.hpp"

namespace stencil {
namespace {

/// First number of a file of one line; nothing where there is none (`max`) or no such file.
std::optional<Index> number_in(const std::string& file) {
  std::ifstream in(file);
  Index value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

Index available_on_node() {
  std::ifstream meminfo("/proc/meminfo");
  Index available = 0;
  for (std::string key, unit; meminfo >> key;) {
    if (key == "MemAvailable:" && meminfo >> available) break;
    std::getline(meminfo, unit);
  }
  available *= 1024;
  // a container or a batch job may be given less than the node has
  const auto limit = number_in("/sys/fs/cgroup/memory.max");
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  if (limit && used) available = std::min(available, *limit - *used);
  return available;
}

}  // namespace

Index memory_available(Index configured, int ranks_on_node) {
  return configured > 0 ? configured : available_on_node() / ranks_on_node;
}

}  // namespace stencil
