// Facts about points: extremes, changes, NaN and infinities, and sums of squares that are the same
// for any division of the points.
#include "kernels/cpu/point_facts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace stencil {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
struct Points {
  Point extent{2, 5, 9001};
  Index pitch = 9010;
  std::vector<T> values = std::vector<T>(static_cast<std::size_t>(2 * 5 * 9010), T(1e30));

  FieldView<const T> view() const { return {values.data(), extent, 5 * pitch, pitch}; }
  T& at(Index b, Index y, Index x) {
    return values[static_cast<std::size_t>((b * 5 + y) * pitch + x)];
  }
  void fill(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-3, 2);
    for (Index b = 0; b < 2; ++b)
      for (Index y = 0; y < 5; ++y)
        for (Index x = 0; x < 9001; ++x) at(b, y, x) = T(any(random));
  }
};

template <class T>
struct PointFactsOf : ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(PointFactsOf, Types, );

TYPED_TEST(PointFactsOf, ExtremesAndTheLargestChange) {
  Points<TypeParam> now, before;
  now.fill(1);
  before = now;
  now.at(1, 4, 9000) = 7;
  now.at(0, 0, 5000) = -8;
  before.at(0, 2, 17) = now.at(0, 2, 17) + TypeParam(20.5);
  const PointFacts facts = facts_of(now.view(), before.view());
  EXPECT_EQ(facts.greatest, 7);
  EXPECT_EQ(facts.least, -8);
  EXPECT_EQ(facts.change, double(before.at(0, 2, 17) - now.at(0, 2, 17)));
  EXPECT_EQ(facts.nonfinite(), 0);
  EXPECT_EQ(facts_of(now.view(), {}).change, 0);
}

TYPED_TEST(PointFactsOf, NanAndInfinityAreCountedAndChangeInfinitelyWhenTheyAppear) {
  Points<TypeParam> now, before;
  now.fill(2);
  now.at(0, 1, 3) = TypeParam(nan);
  now.at(1, 1, 8999) = TypeParam(inf);
  now.at(1, 3, 8) = TypeParam(-inf);
  before = now;
  before.at(0, 0, 0) += 1;
  PointFacts facts = facts_of(now.view(), before.view());
  EXPECT_EQ(facts.nans, 1);
  EXPECT_EQ(facts.infinities, 2);
  EXPECT_EQ(facts.change, double(before.at(0, 0, 0) - now.at(0, 0, 0))) << "NaN stays NaN";
  EXPECT_LT(facts.greatest, 2.1);
  EXPECT_GT(facts.least, -3.1);
  for (const double other : {1.0, -inf, inf}) {
    before = now;
    before.at(0, 1, 3) = TypeParam(other);
    EXPECT_EQ(facts_of(now.view(), before.view()).change, inf) << other << " became NaN";
    EXPECT_EQ(facts_of(before.view(), now.view()).change, inf) << other << " was NaN";
  }
}

TYPED_TEST(PointFactsOf, OfNoPointsAreNone) {
  const PointFacts facts = facts_of<TypeParam>({nullptr, {0, 0, 0}, 0, 0}, {});
  EXPECT_GT(facts.least, facts.greatest);
  EXPECT_EQ(facts.nonfinite(), 0);
}

TYPED_TEST(PointFactsOf, OfPartsAddUpToTheWholeToTheBit) {
  Points<TypeParam> now, before;
  now.fill(3);
  before.fill(4);
  const PointFacts whole = facts_of(now.view(), before.view());
  const double scale = whole.change;
  const SquareSum squares = squares_of_change(now.view(), before.view(), scale);
  double plain = 0;
  for (Index b = 0; b < 2; ++b)
    for (Index y = 0; y < 5; ++y)
      for (Index x = 0; x < 9001; ++x)
        plain += std::pow(double(now.at(b, y, x) - before.at(b, y, x)) / scale, 2);
  EXPECT_NEAR(squares.value() / plain, 1, 1e-12);
  for (const Index cut : {1, 4095, 4096, 8999}) {
    PointFacts parts;
    SquareSum sum;
    for (const auto& [first, last] : {std::pair<Index, Index>{cut, 9001}, {0, cut}}) {
      const Box box{{0, 0, first}, {2, 5, last}};
      parts += facts_of(now.view().window(box), before.view().window(box));
      sum += squares_of_change(now.view().window(box), before.view().window(box), scale);
    }
    EXPECT_EQ(parts.least, whole.least);
    EXPECT_EQ(parts.greatest, whole.greatest);
    EXPECT_EQ(parts.change, whole.change);
    EXPECT_EQ(sum.value(), squares.value()) << "cut at " << cut;
  }
}

}  // namespace
}  // namespace stencil
