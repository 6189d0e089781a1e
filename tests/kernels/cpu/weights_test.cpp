#include "kernels/cpu/weights.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

using cpu::make_weights;
using cpu::Weights;

Stencil<float> direct(const std::vector<double>& taps, std::optional<double> min_valid) {
  return make_stencil<float>(Mask::line(taps), Method::direct, {1, 1}, min_valid);
}

TEST(Weights, AreWantedOnlyWhereMissingPointsAreLeftOut) {
  EXPECT_FALSE(make_weights(direct({1, 2, 1}, std::nullopt)).wanted);
  EXPECT_TRUE(make_weights(direct({1, 2, 1}, 0.0)).wanted);
}

TEST(Weights, ThresholdIsTheShareOfTheAbsoluteTaps) {
  const Weights<float> plain = make_weights(direct({1, 2, 1}, 0.5));
  EXPECT_EQ(plain.total, 4);
  EXPECT_EQ(plain.threshold, 2);
  EXPECT_FALSE(plain.mixed);
  EXPECT_TRUE(plain.keep_whole());
  const Weights<float> mixed = make_weights(direct({-1, 4, -1}, 0.5));
  EXPECT_EQ(mixed.total, 2);
  EXPECT_EQ(mixed.threshold, 3);
  EXPECT_TRUE(mixed.mixed);
}

TEST(Weights, OfFactorsAreTheSumOfTheirProduct) {
  const Mask mask = Mask::outer({1, 2, 1}, {3, 1});
  const auto weights =
      make_weights(make_stencil<float>(mask, Method::separable, {1, 1}, std::optional(0.25)));
  EXPECT_EQ(weights.total, 16);
  EXPECT_EQ(weights.threshold, 4);
}

}  // namespace
}  // namespace stencil
