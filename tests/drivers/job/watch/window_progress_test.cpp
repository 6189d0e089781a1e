// The windows that a run must still compute, and the windows that are done.
#include "drivers/job/watch/window_progress.hpp"

#include <gtest/gtest.h>

#include "framework/grid/interval_set.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

Windows windows(Index outputs, Index unit, Index group = 1) {
  Windows result;
  result.outputs = outputs;
  result.unit = unit;
  result.group = group;
  return result;
}

/// The windows of all ranks, in the order of the outputs.
std::vector<Interval> all_of(const Windows& of, Index count, const std::vector<Interval>& done,
                             int ranks) {
  std::vector<Interval> all;
  for (int rank = 0; rank < ranks; ++rank)
    for (const Interval& window : windows_of(of, count, done, rank, ranks)) {
      EXPECT_LE(window.extent(), of.outputs);
      EXPECT_FALSE(window.empty());
      all.push_back(window);
    }
  return all;
}

TEST(WindowProgress, WhatIsLeftIsDoneOnce) {
  for (const int ranks : {1, 2, 3, 7})
    for (const Index count : {1, 10, 97})
      for (const Windows& of : {windows(5, 0), windows(8, 4), windows(2, 6), windows(6, 0, 3)})
        for (const std::vector<Interval>& done :
             {std::vector<Interval>{}, {{0, 12}}, {{12, 24}, {60, 97}}, {{0, count}}}) {
          IntervalSet set;
          for (const Interval& part : done) set.add(intersect(part, {0, count}));
          for (const Interval& window : all_of(of, count, done, ranks)) {
            const auto parts = set.add(window);
            ASSERT_EQ(parts.size(), 1U) << "a window that is done, or meets another one";
            EXPECT_EQ(parts.front().extent(), window.extent());
          }
          EXPECT_TRUE(set.missing_in({0, count}).empty());
        }
}

TEST(WindowProgress, BordersOfRanksAreThoseOfUnits) {
  const Windows of = windows(100, 10);
  for (int rank = 0; rank < 3; ++rank)
    for (const Interval& window : windows_of(of, 95, {{20, 30}}, rank, 3)) {
      EXPECT_EQ(window.first % 10, 0);
      EXPECT_TRUE(window.last % 10 == 0 || window.last == 95);
    }
}

TEST(WindowProgress, AWindowIsKeptWhereItsUnitsAreDone) {
  const auto kept = [](const std::vector<Interval>& done, Index unit) {
    std::vector<DoneWindow> all;
    for (const Interval& outputs : done) all.push_back({outputs, {}});
    std::vector<Index> firsts;
    for (const DoneWindow& window : whole_units(all, unit, 23))
      firsts.push_back(window.outputs.first);
    return firsts;
  };
  using Firsts = std::vector<Index>;
  EXPECT_EQ(kept({{0, 10}, {10, 20}}, 5), (Firsts{0, 10}));
  EXPECT_EQ(kept({{0, 2}, {2, 4}, {6, 8}}, 4), (Firsts{0, 2}));
  EXPECT_EQ(kept({{20, 23}}, 5), (Firsts{20})) << "the last unit is shorter";
  // each window except the first extends into the next unit, and the last unit is incomplete
  EXPECT_EQ(kept({{0, 3}, {3, 6}, {6, 9}, {9, 12}}, 5), Firsts{});
  EXPECT_EQ(kept({}, 5), Firsts{});
}

TEST(WindowProgress, ABlockBeginsWithAnOutput) {
  const auto plan_of = [](const NormalForm& form, const std::vector<Index>& chunk, int axis) {
    Problem problem;
    problem.output.form = form;
    problem.output.chunk = chunk;
    Windows in = windows(4, 4);
    in.axis = axis;
    return Plan(problem, in);
  };
  const Plan plan = plan_of(NormalForm({3, 40, 50}, {1, 2}), {1, 10, 25}, batch_axis);
  EXPECT_EQ(first_output(plan, 0), 0);
  EXPECT_EQ(first_output(plan, 7), 0);
  EXPECT_EQ(first_output(plan, 8), 1);
  const Plan rows = plan_of(NormalForm({40, 50}, {0, 1}), {10, 25}, y_axis);
  EXPECT_EQ(first_output(rows, 1), 0);
  EXPECT_EQ(first_output(rows, 5), 20);
}

}  // namespace
}  // namespace stencil
