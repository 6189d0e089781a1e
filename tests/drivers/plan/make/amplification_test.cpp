// The amplification of a step, compared with symbols that are known in closed form.
#include "drivers/plan/make/amplification.hpp"

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

/// Explicit heat equation with k = dt / dx^2: the symbol of the shortest waves is 1 - 8 k.
Mask heat(double k) {
  return Mask::grid({0, k, 0, k, 1 - 4 * k, k, 0, k, 0}, 3, 3);
}

/// Leapfrog scheme of the wave equation along x, with two channels (u now, u before), r = c dt /
/// dx.
BoundStage wave(double r) {
  const double q = r * r;
  BoundStage stage = stage_of(Mask::grid({q, 2 - 2 * q, q}, 1, 3));
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
  EXPECT_NEAR(*amplification(stage_of(Mask::line({a, b, c}))), largest, 1e-9);
  EXPECT_NEAR(*amplification(stage_of(Mask::line({a, b, c}, y_axis))), largest, 1e-9);
}

TEST(Amplification, OfAWaveEquationByChannels) {
  for (const double r : {0.5, 0.9, 1.0}) EXPECT_NEAR(*amplification(wave(r)), 1, 1e-6) << r;
  for (const double r : {1.05, 1.5}) {
    const double half = 1 - 2 * r * r;  // the shortest wave has z^2 - 2 half z + 1 = 0
    EXPECT_NEAR(*amplification(wave(r)), -half + std::sqrt(half * half - 1), 1e-6) << r;
  }
}

TEST(Amplification, OfGroupsIsThatOfTheWorst) {
  BoundStage stage = stage_of(Mask::line({1}));
  stage.channels = make_channel_mask({2, 1, 1, 3}, {0.25, 0.5, 0.25, -1, 3, -1}, 2);
  EXPECT_NEAR(*amplification(stage), 5, 1e-9);
}

TEST(Amplification, OfLongMasks) {
  // a * (mean of n points) - b at the centre: |a D(k) - b| with the Dirichlet kernel D, D(0) = 1.
  // It is largest at the first minimum of D, where tan(n k / 2) = n tan(k / 2).
  for (const Index n : {131, 1001, 4001}) {
    const double a = 0.5, b = 1.25;
    std::vector<double> taps(n, a / double(n));
    taps[n / 2] -= b;
    double least = 0;
    for (int i = 0; i <= 100000; ++i) {
      const double k = (2 + 2 * double(i) / 100000) * M_PI / double(n);
      least = std::min(least, std::sin(double(n) * k / 2) / (double(n) * std::sin(k / 2)));
    }
    EXPECT_NEAR(*amplification(stage_of(Mask::line(taps))), b - a * least, 1e-8) << n;
    EXPECT_NEAR(*amplification(stage_of(Mask::line(taps, y_axis))), b - a * least, 1e-8) << n;
  }
}

TEST(Amplification, OfFactorsIsTheProductOfTheirs) {
  BoundStage stage = stage_of(Mask::line({1}));
  stage.choice.mask.taps.values.clear();
  stage.choice.mask.factors = Factors{{-1, 3, -1}, {1, 1}};
  EXPECT_NEAR(*amplification(stage), 10, 1e-9);
  stage.choice.mask.factors = Factors{{-1, 3, -1}, {0.05, 0.05}};
  EXPECT_NEAR(*amplification(stage), 0.5, 1e-9) << "a small one makes up for a large one";
}

TEST(Amplification, OfVeryLargeMasksIsNotTriedUnlessTheyCannotAmplifyAndTheNoteSaysSo) {
  std::vector<double> taps(20001, 1.0 / 20001);
  EXPECT_EQ(amplification(stage_of(Mask::line(taps))), 1.0);
  EXPECT_EQ(amplification_note(stage_of(Mask::line(taps))), "");
  taps[500] = -1;
  const BoundStage stage = stage_of(Mask::line(taps));
  EXPECT_EQ(amplification(stage), std::nullopt);
  EXPECT_EQ(amplification_note(stage),
            "[stencil.heat] is not checked for amplification: its mask is too large to try all "
            "waves");
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
