// How much a step amplifies, compared with symbols that are known in closed form.
#include "drivers/plan/amplification.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stencil {
namespace {

BoundStage stage_of(const Mask& mask, Index steps = 100) {
  BoundStage stage;
  stage.name = "stencil.heat";
  stage.choice.mask = mask;
  stage.steps = steps;
  return stage;
}

/// Explicit heat equation with k = dt / dx^2: 1 - 8 k for the shortest waves.
Mask heat(double k) {
  return make_mask_2d({3, 3, {0, k, 0, k, 1 - 4 * k, k, 0, k, 0}}, {0, 0});
}

/// Leapfrog of the wave equation along x as two channels (u now, u before), r = c dt / dx.
BoundStage wave(double r) {
  const double q = r * r;
  BoundStage stage = stage_of(make_mask_2d({1, 3, {q, 2 - 2 * q, q}}, {0, 0}));
  stage.channels =
      make_channel_mask({2, 2, 1, 3}, {q, 2 - 2 * q, q, 0, -1, 0, 0, 1, 0, 0, 0, 0}, 1);
  return stage;
}

TEST(Amplification, OfTheHeatEquation) {
  for (const double k : {0.05, 0.2, 0.25}) EXPECT_EQ(amplification(stage_of(heat(k))), 1.0) << k;
  for (const double k : {0.26, 0.3, 1.0})
    EXPECT_NEAR(*amplification(stage_of(heat(k))), 8 * k - 1, 1e-9) << k;
}

TEST(Amplification, OfMasksWhoseMaximumLiesBetweenTheFrequencies) {
  // |a + b e^(i t) + c e^(2 i t)| with its largest value at cos t = -b (a + c) / (4 a c)
  const double a = 0.9, b = 0.7, c = -0.8;
  const double cosine = -b * (a + c) / (4 * a * c);
  const double largest = std::sqrt(std::pow(a - c, 2) + b * b + 2 * b * (a + c) * cosine +
                                   4 * a * c * cosine * cosine);
  EXPECT_NEAR(*amplification(stage_of(make_mask_1d({a, b, c}, 0, false))), largest, 1e-9);
  EXPECT_NEAR(*amplification(stage_of(make_mask_1d({a, b, c}, 0, true))), largest, 1e-9);
}

TEST(Amplification, OfAWaveEquationByChannels) {
  for (const double r : {0.5, 0.9, 1.0}) EXPECT_NEAR(*amplification(wave(r)), 1, 1e-6) << r;
  for (const double r : {1.05, 1.5}) {
    const double half = 1 - 2 * r * r;  // of the shortest wave: z^2 - 2 half z + 1 = 0
    EXPECT_NEAR(*amplification(wave(r)), -half + std::sqrt(half * half - 1), 1e-6) << r;
  }
}

TEST(Amplification, OfGroupsIsThatOfTheWorst) {
  BoundStage stage = stage_of(make_mask_1d({1}, 0, false));
  stage.channels = make_channel_mask({2, 1, 1, 3}, {0.25, 0.5, 0.25, -1, 3, -1}, 2);
  EXPECT_NEAR(*amplification(stage), 5, 1e-9);
}

TEST(Amplification, OfVeryLargeMasksIsNotTriedUnlessTheyCannotAmplify) {
  std::vector<double> taps(1001, 1.0 / 1001);
  EXPECT_EQ(amplification(stage_of(make_mask_1d(taps, 0, false))), 1.0);
  taps[500] = -1;
  EXPECT_EQ(amplification(stage_of(make_mask_1d(taps, 0, false))), std::nullopt);
}

TEST(Amplification, NotesOnlyWhatGrows) {
  EXPECT_EQ(amplification_note(stage_of(heat(0.25))), "");
  EXPECT_EQ(amplification_note(stage_of(heat(0.3), 1)), "") << "a single step is a filter";
  EXPECT_EQ(amplification_note(wave(1.0)), "");
  EXPECT_EQ(
      amplification_note(stage_of(heat(0.3), 10)),
      "[stencil.heat] amplifies: some waves become 1.4 times as large in a step, 28.9 times in 10 "
      "steps; a smaller time step is what helps, if this is not meant");
  EXPECT_NE(amplification_note(stage_of(heat(1), 100000)).find("10^84510 times"),
            std::string::npos);
}

}  // namespace
}  // namespace stencil
