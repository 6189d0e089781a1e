#include "framework/grid/axis_sources.hpp"

#include <gtest/gtest.h>

#include <map>

namespace stencil {
namespace {

/// All indices that have a source, with their sources.
std::map<Index, Index> listed(const AxisSources& sources) {
  std::map<Index, Index> found;
  for (Index i = sources.inside.first; i < sources.inside.last; ++i) found[i] = i;
  for (const GhostRun& run : sources.ghosts)
    for (Index i = 0; i < run.count; ++i) found[run.ghost + i] = run.source + i * run.step;
  return found;
}

TEST(AxisSources, TheExampleOfTheComment) {
  const AxisSources sources = axis_sources({-2, 3}, BoundaryRule::reflect, 6);
  EXPECT_EQ(sources.inside, (Interval{0, 3}));
  EXPECT_EQ(sources.ghosts, (std::vector<GhostRun>{{-2, 1, 2, -1}}));
  EXPECT_TRUE(sources.constant.empty());
}

TEST(AxisSources, EveryIndexOfEveryIntervalHasTheSourceOfItsRule) {
  for (const auto rule : {BoundaryRule::reflect, BoundaryRule::mirror, BoundaryRule::nearest,
                          BoundaryRule::wrap, BoundaryRule::constant})
    for (const Index extent : {1, 2, 5})
      for (Index first = -9; first < 9; ++first)
        for (Index last = first; last < 14; ++last) {
          const AxisSources sources = axis_sources({first, last}, rule, extent);
          const std::map<Index, Index> found = listed(sources);
          for (Index i = first; i < last; ++i) {
            const bool is_constant =
                std::any_of(sources.constant.begin(), sources.constant.end(),
                            [&](const Interval& ghosts) { return ghosts.contains(i); });
            const std::optional<Index> source = source_index(rule, i, extent);
            ASSERT_EQ(is_constant, !source) << i;
            ASSERT_EQ(found.count(i), source ? 1u : 0u) << i;
            if (source) {
              ASSERT_EQ(found.at(i), *source) << i;
            }
          }
          Index runs = 0;
          for (const GhostRun& run : sources.ghosts) {
            runs += run.count;
            ASSERT_LE(0, run.sources().first);
            ASSERT_LE(run.sources().last, extent);
          }
          ASSERT_EQ(Index(found.size()), sources.inside.extent() + runs);
        }
}

}  // namespace
}  // namespace stencil
