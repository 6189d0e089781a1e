#include "drivers/plan/make/stage_axes.hpp"

#include <gtest/gtest.h>

#include "drivers/plan/make/make_problem.hpp"
#include "framework/grid/error.hpp"
#include "tests/drivers/config/config_words.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

using testing::named_facts;
using testing::with_axes;
using Axes = std::vector<int>;

Axes resolved(std::vector<AxisWord> axes) {
  Config config = with_axes("1 2; 3 4", std::move(axes));
  resolve_axes(config, named_facts());
  return given_axes(config.stages[0]);
}

std::string refusal(std::vector<AxisWord> axes) {
  try {
    resolved(std::move(axes));
  } catch (const WordsError& error) {
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST(StageAxes, NumbersAndNames) {
  EXPECT_EQ(resolved({0, 2}), (Axes{0, 2}));
  EXPECT_EQ(resolved({-1, -3}), (Axes{3, 1}));
  EXPECT_EQ(resolved({"lon", "lat"}), (Axes{2, 1}));
  EXPECT_TRUE(holds(refusal({4, 0}), "has 4 axes, write -4 to 3"));
  EXPECT_TRUE(holds(refusal({"lon", 2}), "axis 2 is given twice"));
  EXPECT_TRUE(holds(refusal({"height"}), "time (0), Lat (1), lon (2)")) << refusal({"height"});
}

TEST(StageAxes, AreNumbersInTheCanonicalText) {
  Config config = with_axes("1 2; 3 4", {"lon", -3});
  resolve_axes(config, named_facts());
  EXPECT_TRUE(holds(config.canonical, "stencil.axes=2 1\n")) << config.canonical;
}

TEST(StageAxes, OfTheWords) {
  const StageConfig stage = test::parse_stage("mask = gaussian\nsigma = 1 2\naxes = lat -1\n");
  EXPECT_EQ(stage.axes, (std::vector<AxisWord>{"lat", -1}));
  EXPECT_EQ(stage.rank, 2);
  EXPECT_EQ(test::parse_stage("mask = box\nsize = 3\naxes = 0\n").rank, 1);
  for (const char* lines :
       {"mask = 1 2 1\naxes = 0 1\n", "mask = 1 2; 3 4\naxes = 0\n",
        "mask = box\nsize = 3\nrank = 1\naxes = 0 1\n", "mask = 1 2 1\naxes = 0\naxis = 0\n",
        "mask = savgol\nsize = 5\npolyorder = 2\naxes = 0 1\n", "mask = 1 2 1\naxes = 0 1 2\n",
        "mask = 1 2; 3 4\naxes = 0 1 2\n", "mask = 1 2 | 3 4\naxes = 0 1\n",
        "mask = lowpass\ntaps = 5\ncutoff = 1\naxes = 0 1 2\n", "mask = 1 | 2\naxis = 0\n",
        "mask = box\nsize = 3\naxes = 0 1 2 3\n"})
    EXPECT_THROW(test::parse_stage(lines), WordsError) << lines;
}

TEST(StageAxes, TheFirstIsThatOfTheRows) {
  Config config = with_axes("1 2 3; 4 5 6", {2, 1});
  config.stages[0].stride = {2, 5};
  config.stages[0].boundary = {BoundaryRule::wrap, BoundaryRule::nearest};
  const Problem problem = make_problem(config, named_facts(), {}, 1);
  EXPECT_EQ(problem.input_form.shape(), (Point{12, 50, 60}));
  const BoundStage& stage = problem.chain.stages[0];
  EXPECT_EQ(stage.choice.mask.taps.height, 3);
  EXPECT_EQ(stage.choice.mask.taps.values, (std::vector<double>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(problem.output_form.dims(), (std::vector<Index>{4, 10, 30, 3}));
  EXPECT_EQ(stage.boundary.rule[y_axis], BoundaryRule::nearest);
  EXPECT_EQ(stage.boundary.rule[x_axis], BoundaryRule::wrap);
}

TEST(StageAxes, AMaskOfThreeHasItsAxesInAnyOrder) {
  Config config = with_axes("1 2; 3 4; 5 6 | 7 8; 9 10; 11 12", {2, 0, 1});
  config.stages[0].stride = {2, 3, 5};
  config.stages[0].origin = {0, -1, 0};
  config.stages[0].boundary = {BoundaryRule::wrap, BoundaryRule::nearest, BoundaryRule::mirror};
  const Problem problem = make_problem(config, named_facts(), {}, 1);
  EXPECT_EQ(problem.input_form.shape(), (Point{4, 50, 60}));
  EXPECT_EQ(problem.input_form.volumes(), 3);
  const BoundStage& stage = problem.chain.stages.at(0);
  const Mask& mask = stage.choice.mask;
  EXPECT_EQ((Point{mask.taps.depth, mask.taps.height, mask.taps.width}), (Point{3, 2, 2}));
  EXPECT_EQ(mask.taps.values, (std::vector<double>{1, 7, 2, 8, 3, 9, 4, 10, 5, 11, 6, 12}));
  EXPECT_EQ(mask.centre_plane, 0);
  EXPECT_EQ(mask.centre, (std::array<Index, 2>{1, 1}));
  EXPECT_EQ(problem.output_form.dims(), (std::vector<Index>{2, 10, 30, 3}));
  EXPECT_EQ(stage.boundary.rule,
            (std::array{BoundaryRule::nearest, BoundaryRule::mirror, BoundaryRule::wrap}));
  EXPECT_THROW(make_problem(with_axes("1 2 | 3 4", {}), testing::facts_of({20, 30}), {}, 1),
               WordsError);
}

TEST(StageAxes, MasksOfTwoAxesInOneRunHaveTheSameAxes) {
  Config config = with_axes("1 2; 3 4", {0, 1});
  config.stages.push_back(config.stages[0]);
  config.stages[1].name = "stencil.other";
  config.stages[1].axes = {1, 0};
  EXPECT_NO_THROW(make_problem(config, named_facts(), {}, 1));
  config.stages[1].axes = {1, 2};
  EXPECT_THROW(make_problem(config, named_facts(), {}, 1), WordsError);
}

TEST(StageAxes, AReorderedMaskHasItsFactorsInTheSameOrder) {
  Mask mask = Mask::volume({1, 2, {1, 2, 3, 4}, 2});
  mask.factors = Factors{{7}, {8, 9}, 1, {5, 6}};
  const Mask turned = reordered(mask, {2, 0, 1});
  EXPECT_EQ((Point{turned.taps.depth, turned.taps.height, turned.taps.width}), (Point{2, 2, 1}));
  EXPECT_EQ(turned.taps.values, (std::vector<double>{1, 3, 2, 4}));
  EXPECT_EQ(turned.factors->plane, (std::vector<double>{8, 9}));
  EXPECT_EQ(turned.factors->column, (std::vector<double>{5, 6}));
  EXPECT_EQ(turned.factors->row, (std::vector<double>{7}));
  require_sound(turned);
}

TEST(StageAxes, ATransposedMaskIsTheSameMaskOfTheOtherAxes) {
  const Mask mask = Mask::grid({1, 2, 3, 4, 5, 6}, 2, 3, {0, 1});
  const Mask turned = transposed(mask);
  EXPECT_EQ(turned.taps.height, 3);
  EXPECT_EQ(turned.taps.values, (std::vector<double>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(turned.centre, (std::array<Index, 2>{2, 1}));
  const Mask outer = transposed(Mask::outer({1, 2}, {3, 4, 5}));
  EXPECT_EQ(outer.factors->column, (std::vector<double>{3, 4, 5}));
  EXPECT_EQ(outer.factors->row, (std::vector<double>{1, 2}));
  require_sound(outer);
}

}  // namespace
}  // namespace stencil
