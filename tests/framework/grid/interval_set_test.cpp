#include "framework/grid/interval_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace stencil {
namespace {

using Intervals = std::vector<Interval>;

TEST(IntervalSet, TellsWhatIsNew) {
  IntervalSet set;
  EXPECT_EQ(set.add({10, 20}), (Intervals{{10, 20}}));
  EXPECT_EQ(set.add({30, 40}), (Intervals{{30, 40}}));
  EXPECT_EQ(set.add({12, 18}), Intervals{});
  EXPECT_EQ(set.add({5, 35}), (Intervals{{5, 10}, {20, 30}}));
  EXPECT_EQ(set.missing_in({0, 50}), (Intervals{{0, 5}, {40, 50}}));
  EXPECT_EQ(set.add({7, 7}), Intervals{});
}

TEST(IntervalSet, CountsEveryIndexOnce) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    IntervalSet set;
    std::set<Index> all;
    for (int n = 0; n < 20; ++n) {
      const Index first = std::uniform_int_distribution<Index>(0, 60)(random);
      const Index last = std::uniform_int_distribution<Index>(first, 64)(random);
      std::set<Index> added;
      for (const Interval& part : set.add({first, last}))
        for (Index i = part.first; i < part.last; ++i) EXPECT_TRUE(added.insert(i).second);
      for (Index i = first; i < last; ++i) EXPECT_EQ(added.count(i), 1 - all.count(i)) << i;
      for (Index i = first; i < last; ++i) all.insert(i);
    }
  }
}

}  // namespace
}  // namespace stencil
