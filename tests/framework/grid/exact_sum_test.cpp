#include "framework/grid/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace stencil {
namespace {

using Limits = std::numeric_limits<double>;
using List = std::vector<double>;

double sum_of(const List& values) {
  ExactSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

TEST(ExactSum, OfFewValuesIsKnown) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({1e100, 1, -1e100}), 1);
  EXPECT_EQ(sum_of({1e100, -1, -1e100}), -1);
  EXPECT_EQ(sum_of({0x1p1023, 0x1p-1074, -0x1p1023}), 0x1p-1074);
  EXPECT_EQ(sum_of({0.1, 0.2, 0.3}), 0.6);  // the sum from left to right is 0.6000000000000001
  EXPECT_FALSE(std::signbit(sum_of({-0.0})));
  EXPECT_EQ(sum_of({Limits::max(), Limits::max(), -Limits::max()}), Limits::max());
  EXPECT_EQ(sum_of({-Limits::max(), -Limits::max()}), -Limits::infinity());
  for (const double value : {Limits::max(), Limits::min(), Limits::denorm_min(), 1.0 / 3, 0x1p-1030,
                             0x1.fffffffffffffp-1023})
    for (const double sign : {1.0, -1.0}) EXPECT_EQ(sum_of({sign * value}), sign * value);
}

TEST(ExactSum, HalfwayCasesRoundToTheEvenOne) {
  EXPECT_EQ(sum_of({1, 0x1p-53}), 1);
  EXPECT_EQ(sum_of({1, 0x1p-53, 0x1p-1074}), 1 + 0x1p-52);
  EXPECT_EQ(sum_of({1, 0x1p-52, 0x1p-53}), 1 + 0x1p-51);
  EXPECT_EQ(sum_of({-1, -0x1p-53, -0x1p-200}), -1 - 0x1p-52);
  EXPECT_EQ(sum_of({Limits::max(), 0x1p970}), Limits::infinity());
  EXPECT_EQ(sum_of({Limits::max(), 0x1p969}), Limits::max());
}

TEST(ExactSum, InfiniteAndMissingValues) {
  EXPECT_EQ(sum_of({1, Limits::infinity()}), Limits::infinity());
  EXPECT_EQ(sum_of({-Limits::infinity(), 1e308}), -Limits::infinity());
  EXPECT_TRUE(std::isnan(sum_of({Limits::infinity(), -Limits::infinity()})));
  EXPECT_TRUE(std::isnan(sum_of({1, Limits::quiet_NaN()})));
}

/// Integers of all sizes, whose sum fits exactly into 128 bits, are added in several parts and
/// orders.
TEST(ExactSum, DoesNotDependOnOrderOrParts) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    List values;
    __extension__ __int128 exact = 0;
    for (int k = 0; k < 100; ++k) {
      const auto integer = static_cast<std::int64_t>(random()) >> (11 + random() % 50);
      exact += integer;
      values.push_back(static_cast<double>(integer));
    }
    const auto expected = static_cast<double>(exact);
    const double scale = std::ldexp(1.0, static_cast<int>(random() % 1800) - 1000);
    std::shuffle(values.begin(), values.end(), random);
    ExactSum first, second;
    for (std::size_t k = 0; k < values.size(); ++k)
      (k < 37 ? first : second).add(values[k] * scale);
    std::array<Index, ExactSum::words> words = first.normalized();
    for (std::size_t k = 0; k < words.size(); ++k) words[k] += second.normalized()[k];
    ExactSum of_words;
    of_words.set(words);
    first.add(second);
    EXPECT_EQ(first.value(), expected * scale);
    EXPECT_EQ(of_words.value(), expected * scale);
  }
}

TEST(ExactSum, OfSquaresKeepsWhatRoundingLoses) {
  ExactSum sum;
  const double value = 1 + 0x1p-40;
  sum.add_square(value);
  sum.add(-1);
  sum.add(-0x1p-39);
  EXPECT_EQ(sum.value(), 0x1p-80);
  ExactSum large;
  large.add_square(1e200);
  EXPECT_EQ(large.value(), Limits::infinity());
}

}  // namespace
}  // namespace stencil
