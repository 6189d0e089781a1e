// Checks of the points between the steps: the results of the checks, and the steps at which they
// end a run. Both do not depend on the decomposition.
#include "drivers/job/watch/point_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "framework/grid/error.hpp"
#include "tests/support/backend.hpp"

namespace stencil {
namespace {

constexpr Point shape{1, 36, 90};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Stage stage_of(double centre, Index steps) {
  Stage stage;
  stage.name = "heat";
  stage.mask = Mask::line({0.25, centre, 0.25});
  stage.boundary.rule.fill(BoundaryRule::reflect);
  stage.steps = steps;
  return stage;
}

struct Case {
  Session session{MPI_COMM_WORLD, {.backend = testing::backend_under_test()}};
  Pipeline<float> pipeline;
  Plan plan;
  std::vector<Look> looks{};

  Case(const std::vector<Stage>& stages, Index every) : pipeline(session, stages, shape), plan() {
    plan.chain = pipeline.chain();
    plan.output_form = NormalForm({36, 90}, {0, 1});
    plan.watching.every = every;
  }
  Field<float> input(double odd = 0) {
    Field<float> input = pipeline.make_input();
    session.fill(input, [&](Index, Index y, Index x) {
      return y == 7 && x == 80 && odd != 0 ? odd : double((y * 17 + x * 5) % 23) - 11;
    });
    return input;
  }
  PointWatch<float> watch(const Field<float>& at) {
    return {session, plan, at, [&](const Look& look) { looks.push_back(look); }};
  }
  std::vector<float> run(PointWatch<float>& watch, Field<float> from) {
    const Field<float> result =
        advance_watched<float>(pipeline, pipeline.start(std::move(from)), {watch});
    return session.gather(result, shape);
  }
  /// The points after `steps` steps, on rank 0.
  std::vector<float> after(Index steps) {
    State<float> state = pipeline.start(input());
    pipeline.advance(state, steps);
    return session.gather(state.field, shape);
  }
};

TEST(PointWatch, FindsExtremesAndTheChangeOfTheLastStep) {
  Case one({stage_of(0.5, 5), stage_of(0.5, 30)}, 10);
  Field<float> input = one.input();
  PointWatch<float> watch = one.watch(input);
  const std::vector<float> result = one.run(watch, std::move(input));
  EXPECT_EQ(result, one.after(35));
  ASSERT_EQ(one.looks.size(), 4U);
  EXPECT_FALSE(one.looks.back().change) << "the points before the last step are gone";
  for (std::size_t i = 0; i < 3; ++i) {
    const Look& look = one.looks[i];
    EXPECT_EQ(look.steps, Index(i + 1) * 10);
    const std::vector<float> now = one.after(look.steps), before = one.after(look.steps - 1);
    ASSERT_TRUE(look.change.has_value());
    if (one.session.rank() > 0) continue;
    float change = 0;
    for (std::size_t k = 0; k < now.size(); ++k)
      change = std::max(change, std::abs(now[k] - before[k]));
    EXPECT_EQ(*look.change, double(change));
    EXPECT_EQ(look.facts.least, double(*std::min_element(now.begin(), now.end())));
    EXPECT_EQ(look.facts.greatest, double(*std::max_element(now.begin(), now.end())));
  }
}

TEST(PointWatch, EndsTheLastStageBelowAChange) {
  for (const bool is_rms : {false, true}) {
    Case one({stage_of(0.5, 6), stage_of(0.5, 500)}, 7);
    one.plan.watching.until = ChangeLimit{0.02, is_rms};
    Field<float> input = one.input();
    PointWatch<float> watch = one.watch(input);
    const std::vector<float> result = one.run(watch, std::move(input));
    ASSERT_TRUE(watch.ended_at().has_value());
    const Index end = *watch.ended_at();
    EXPECT_EQ(result, one.after(end));
    EXPECT_EQ(end % 7, 0);
    ASSERT_EQ(watch.notes().size(), 1U);
    EXPECT_NE(watch.notes()[0].find("until_change_below = 0.02"), std::string::npos);
    const auto change_of = [&](const Look& look) { return is_rms ? *look.rms : *look.change; };
    EXPECT_LT(change_of(one.looks.back()), 0.02);
    EXPECT_GE(change_of(one.looks[one.looks.size() - 2]), 0.02);
    if (is_rms) {
      const std::vector<float> now = one.after(end), before = one.after(end - 1);
      double sum = 0;
      for (std::size_t k = 0; k < now.size(); ++k) sum += std::pow(double(now[k] - before[k]), 2);
      if (one.session.rank() > 0) continue;
      EXPECT_NEAR(*one.looks.back().rms / std::sqrt(sum / double(now.size())), 1, 1e-12);
    }
  }
}

TEST(PointWatch, TellsThatTheLimitWasNotReached) {
  Case one({stage_of(0.5, 30)}, 10);
  one.plan.watching.until = ChangeLimit{1e-12, false};
  Field<float> input = one.input();
  PointWatch<float> watch = one.watch(input);
  one.run(watch, std::move(input));
  EXPECT_FALSE(watch.ended_at());
  ASSERT_EQ(watch.notes().size(), 1U);
  EXPECT_NE(watch.notes()[0].find("all 30 steps"), std::string::npos) << watch.notes()[0];
}

TEST(PointWatch, StopsAtNanAndInfinityThatTheInputHasNot) {
  Case one({stage_of(-3, 400)}, 50);
  Field<float> input = one.input();
  PointWatch<float> watch = one.watch(input);
  try {
    one.run(watch, std::move(input));
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::words);
    const std::string words = error.what();
    EXPECT_NE(words.find("after step 100 of 400"), std::string::npos) << words;
    EXPECT_NE(words.find("after step 50"), std::string::npos) << words;
  }
}

TEST(PointWatch, NotesThemOnceIfAsked) {
  Case one({stage_of(-3, 400)}, 50);
  one.plan.watching.nonfinite = Nonfinite::note;
  Field<float> input = one.input();
  PointWatch<float> watch = one.watch(input);
  one.run(watch, std::move(input));
  EXPECT_EQ(watch.notes().size(), 1U);
  EXPECT_EQ(one.looks.size(), 8U);
}

TEST(PointWatch, LetsNanOfTheInputSpread) {
  Case one({stage_of(0.5, 40)}, 10);
  Field<float> input = one.input(nan);
  PointWatch<float> watch = one.watch(input);
  one.run(watch, std::move(input));
  EXPECT_TRUE(watch.notes().empty());
  EXPECT_EQ(one.looks.back().facts.nans, 40 + 1 + 9) << "to the end of its row";
}

/// With `extent = full`, some outputs are computed from mirror images of points, beyond the edges
/// of the array. The next stage spreads NaN from these outputs, too.
TEST(PointWatch, LetsNanOfTheInputSpreadFromItsImages) {
  for (const BoundaryRule rule : {BoundaryRule::wrap, BoundaryRule::reflect}) {
    Stage full = stage_of(0.5, 1), last = stage_of(0.5, 1);
    full.mask = Mask::line(std::vector<double>(71, 1));
    full.extent = Extent::full;
    full.boundary.rule.fill(rule);
    Case one({stage_of(0.5, 2), full, last}, 4);
    Field<float> input = one.input(nan);
    PointWatch<float> watch = one.watch(input);
    advance_watched<float>(one.pipeline, one.pipeline.start(std::move(input)), {watch});
    EXPECT_TRUE(watch.notes().empty());
    // After two steps, the points 78 ... 82 are NaN; then, in the range -35 ... 124, the points
    // within 35 points of these or of their images -12 ... -8 (wrap) or 97 ... 101 (reflect); then
    // one more point on each side.
    const Index expected =
        rule == BoundaryRule::wrap ? (118 - 42 + 1) + (28 + 35 + 1) : 124 - 42 + 1;
    EXPECT_EQ(one.looks.back().facts.nans, expected);
  }
}

TEST(PointWatch, StopsAtMoreNanThanThoseOfTheInputSpreadTo) {
  // between the first two checks the numbers overflow, and infinities of both signs become NaN
  Case one({stage_of(0.5, 5), stage_of(-300, 400)}, 40);
  Field<float> input = one.input(nan);
  PointWatch<float> watch = one.watch(input);
  try {
    one.run(watch, std::move(input));
    FAIL() << "went on";
  } catch (const Error& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find("after step 40 of 405 3240 points are NaN and 0 infinite, more than 1 NaN "
                         "of the input can spread to; not so after step 0"),
              std::string::npos)
        << words;
  }
}

TEST(PointWatch, StopsAtInfinityBesideNanOfTheInput) {
  Case one({stage_of(-30, 400)}, 1);
  Field<float> input = one.input(nan);
  PointWatch<float> watch = one.watch(input);
  EXPECT_THROW(one.run(watch, std::move(input)), Error);
}

}  // namespace
}  // namespace stencil
