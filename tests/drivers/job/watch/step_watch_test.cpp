// Objects that inspect a run between its steps: the steps at which the objects are called, and the
// points that they receive. The objects do not change the result.
#include "drivers/job/watch/step_watch.hpp"

#include <gtest/gtest.h>

#include "framework/grid/error.hpp"
#include "tests/support/backend.hpp"

namespace stencil {
namespace {

constexpr Point shape{1, 40, 70};

Stage heat(Index steps) {
  Stage stage;
  stage.name = "heat";
  stage.mask = Mask::line({0.25, 0.5, 0.25}, x_axis, 1);
  stage.boundary.rule.fill(BoundaryRule::reflect);
  stage.steps = steps;
  return stage;
}

struct Case {
  Session session{MPI_COMM_WORLD, {.backend = testing::backend_under_test()}};
  Pipeline<float> pipeline{session, {heat(7), heat(1), heat(20)}, shape};

  State<float> start() {
    Field<float> input = pipeline.make_input();
    session.fill(input, [](Index, Index y, Index x) { return double((y * 17 + x * 5) % 23) - 11; });
    return pipeline.start(std::move(input));
  }
  std::vector<float> points_of(const Field<float>& field) const {
    return session.gather(field, shape);
  }
};

/// Inspects the points every few steps, and keeps them.
struct Every : StepWatch<float> {
  Every(const Case& of, Index steps, Index last = 1000) : run(of), each(steps), end(last) {}
  Index next_look(Index done) const override { return done / each * each + each; }
  bool look(State<float>& state) override {
    seen.emplace_back(state.steps_done, run.points_of(state.field));
    return state.steps_done < end;
  }
  const Case& run;
  const Index each, end;
  std::vector<std::pair<Index, std::vector<float>>> seen{};
};

TEST(StepWatch, LooksWhenItWantsAndChangesNothing) {
  Case one;
  const Field<float> whole = one.pipeline.run(one.start().field);
  Every five(one, 5), seven(one, 7);
  std::vector<Index> steps;
  const Field<float> watched = advance_watched<float>(
      one.pipeline, one.start(), {five, seven}, [&](Index points) { steps.push_back(points); });
  EXPECT_EQ(one.points_of(watched), one.points_of(whole));
  EXPECT_EQ(steps, std::vector<Index>(28, points(shape)));
  ASSERT_EQ(five.seen.size(), 5U);
  ASSERT_EQ(seven.seen.size(), 4U);
  EXPECT_EQ(seven.seen.back().first, 28);
  EXPECT_EQ(seven.seen.back().second, one.points_of(whole));
  for (const auto& [done, points] : five.seen) {
    State<float> state = one.start();
    one.pipeline.advance(state, done);
    EXPECT_EQ(points, one.points_of(state.field)) << done << " steps";
  }
}

TEST(StepWatch, EndsTheRunWithTheStateThatItSaw) {
  Case one;
  Every three(one, 3, 9), two(one, 2);
  const Field<float> result = advance_watched<float>(one.pipeline, one.start(), {two, three});
  ASSERT_EQ(three.seen.size(), 3U);
  EXPECT_EQ(three.seen.back().first, 9);
  EXPECT_EQ(one.points_of(result), three.seen.back().second);
  EXPECT_EQ(two.seen.back().first, 8);
}

struct Backwards : StepWatch<float> {
  Index next_look(Index done) const override { return done; }
  bool look(State<float>&) override { return true; }
};

TEST(StepWatch, NobodyLooksBehindTheOneThatEndsTheRun) {
  Case one;
  Every first(one, 3), ends(one, 3, 6), last(one, 3);
  advance_watched<float>(one.pipeline, one.start(), {first, ends, last});
  EXPECT_EQ(first.seen.size(), 2U);
  EXPECT_EQ(last.seen.size(), 1U);
}

TEST(StepWatch, RefusesToLookAtThePast) {
  Case one;
  Backwards backwards;
  EXPECT_THROW(advance_watched<float>(one.pipeline, one.start(), {backwards}), Error);
}

}  // namespace
}  // namespace stencil
