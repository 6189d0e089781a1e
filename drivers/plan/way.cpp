#include "drivers/plan/way.hpp"

#include <algorithm>

namespace stencil {
namespace {

struct MemoryPerRank {
  const Problem& problem;

  Index operator()(const AtOnce&) const { return problem.memory_at_once; }
  Index operator()(const Windows& windows) const { return windows.bytes; }
  Index operator()(const Passes& passes) const {
    Index most = 0;
    for (const Pass& pass : passes) most = std::max(most, pass.windows.bytes);
    return most;
  }
};

}  // namespace

Index memory_per_rank(const Problem& problem, const RunWay& way) {
  return std::visit(MemoryPerRank{problem}, way);
}

}  // namespace stencil
