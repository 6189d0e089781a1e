// The points beyond the ends of a selection that are read, and the outputs that are then computed.
// tests/scipy/selections.py compares whole runs with slices of results.
#include "drivers/plan/make/margins.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

Stage box(Index taps, BoundaryRule rule = BoundaryRule::reflect) {
  Stage stage;
  stage.mask = Mask::line(std::vector<double>(static_cast<std::size_t>(taps), 1.0));
  stage.boundary.rule.fill(rule);
  stage.method = MethodRequest::direct;
  return stage;
}

/// A line of 1000 points, some of which are selected.
struct Line {
  DatasetFacts facts;
  NormalForm form;
  Chain chain;

  Line(AxisSelection wanted, const std::vector<Stage>& stages)
      : form({wanted.count}, {0}),
        chain(make_chain(stages, {1, 1, wanted.count}, Precision::float32)) {
    facts.dims = {1000};
    facts.wanted = {wanted};
  }
  AxisSelection widened() const { return with_margins(facts, chain, form)[0]; }
};

TEST(Margins, AreWhatTheMasksReach) {
  EXPECT_EQ(Line({100, 1, 50}, {box(9)}).widened(), (AxisSelection{96, 1, 58}));
  Stage steps = box(3);
  steps.steps = 10;
  EXPECT_EQ(Line({100, 1, 50}, {box(9), steps}).widened(), (AxisSelection{86, 1, 78}));
  Stage strided = box(5);
  // 13 outputs; the masks of 9 taps of the last two outputs extend beyond the end
  strided.stride[1] = 4;
  EXPECT_EQ(Line({100, 1, 50}, {strided, box(9)}).widened(), (AxisSelection{82, 1, 85}));
}

TEST(Margins, GoInStepsOfTheSelection) {
  EXPECT_EQ(Line({100, 7, 50}, {box(9)}).widened(), (AxisSelection{72, 7, 58}));
}

TEST(Margins, EndWhereTheDatasetDoes) {
  EXPECT_EQ(Line({2, 1, 996}, {box(9)}).widened(), (AxisSelection{0, 1, 1000}));
  EXPECT_EQ(Line({10, 7, 142}, {box(9)}).widened(), (AxisSelection{3, 7, 143}));
  // the points beyond the edge mirror points that follow the selection
  EXPECT_EQ(Line({0, 1, 1}, {box(4, BoundaryRule::mirror)}).widened(), (AxisSelection{0, 1, 4}));
}

TEST(Margins, AreTheWholeAxisWhereItGoesOnAtTheFarEnd) {
  EXPECT_EQ(Line({100, 1, 50}, {box(9, BoundaryRule::wrap)}).widened(), (AxisSelection{96, 1, 58}));
  EXPECT_EQ(Line({3, 1, 50}, {box(9, BoundaryRule::wrap)}).widened(), (AxisSelection{0, 1, 1000}));
}

TEST(Margins, OutputsLieOnTheStridesOfTheSelection) {
  Stage strided = box(5);
  strided.stride[1] = 4;
  const Line line({100, 1, 50}, {strided, strided, box(9)});
  const auto crops = crops_of(line.chain, {0, 0, 27});
  // the stage has 27 inputs, and 6 outputs before the selection
  EXPECT_EQ(crops[0][x_axis].shift, 3);
  EXPECT_EQ(crops[1][x_axis].shift, 2);
  EXPECT_EQ(crops[2][x_axis].shift, 1);
  EXPECT_EQ(crops[2][x_axis].count, line.chain.stages[2].sampling[x_axis].count);
  EXPECT_EQ(crops[0][x_axis].count, 0);
}

}  // namespace
}  // namespace stencil
