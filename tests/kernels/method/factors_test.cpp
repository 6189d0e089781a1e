#include "kernels/method/factors.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace stencil {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
using Reals = std::vector<double>;

const Taps sobel{3, 3, {1, 0, -1, 2, 0, -2, 1, 0, -1}};

Taps diagonal(const Reals& values) {
  const auto n = Index(values.size());
  Taps taps{n, n, Reals(std::size_t(n * n))};
  for (Index k = 0; k < n; ++k) taps.values[std::size_t(k * n + k)] = values[std::size_t(k)];
  return taps;
}

TEST(Factors, OfIntegersAreTheColumnAndTheRowDividedByItsDivisor) {
  const Factors factors = sum_of_crosses(sobel, eps);
  EXPECT_EQ(factors.terms, 1);
  EXPECT_EQ(factors.column, (Reals{1, 2, 1}));
  EXPECT_EQ(factors.row, (Reals{1, 0, -1})) << "2 0 -2 without the 2 in common";
  EXPECT_EQ(reconstruction_error(factors, sobel), 0);
  EXPECT_TRUE(same_zeros(factors, sobel));
  EXPECT_EQ(mass(factors, sobel), 1);
}

TEST(Factors, EachTermIsTheCrossOfWhatThoseBeforeLeave) {
  const Factors factors = sum_of_crosses(diagonal({2, 3}), eps);
  EXPECT_EQ(factors.terms, 2);
  EXPECT_EQ(factors.row, (Reals{0, 1, 1, 0})) << "the largest tap first";
  EXPECT_EQ(factors.column, (Reals{0, 3, 2, 0}));
  EXPECT_TRUE(give_back(factors, diagonal({2, 3}), eps));
}

TEST(Factors, MoreTermsThanThereMayBeDoNotGiveTheMaskBack) {
  const Taps four = diagonal({8, 4, 2, 1});
  const Factors factors = sum_of_crosses(four, eps);
  EXPECT_EQ(factors.terms, 3);
  EXPECT_EQ(reconstruction_error(factors, four), 1.0 / 8) << "the tap that is left, of the largest";
  EXPECT_FALSE(give_back(factors, four, eps));
  EXPECT_TRUE(give_back(factors, four, 1.0 / 16)) << "a very coarse type";
}

TEST(Factors, MassIsLargeWhereTermsCancel) {
  // the products 101 and 100 nearly cancel to a tap of 1
  const Factors factors{{101, 100, -100, -99}, {1, 1, 1, 1}, 2};
  const Taps ones{2, 2, {1, 1, 1, 1}};
  EXPECT_EQ(reconstruction_error(factors, ones), 0);
  EXPECT_EQ(mass(factors, ones), (201 * 2 + 199 * 2) / 4.0);
}

TEST(Factors, ZerosOfTheMaskThatTheFactorsDoNotHaveAreFound) {
  EXPECT_FALSE(same_zeros({{1, 1}, {1, 1}, 1}, {2, 2, {1, 1, 1, 0}}));
  EXPECT_FALSE(same_zeros({{1, 0}, {1, 1}, 1}, {2, 2, {1, 1, 1, 1}}));
}

TEST(Factors, RankIsToldWithTheFirstSingularValues) {
  EXPECT_EQ(rank_words(diagonal({4, 2, 1}), eps, 256),
            "rank 3, singular values 1, 5.0e-01, 2.5e-01 of the first");
  EXPECT_EQ(rank_words(diagonal({10, 5, 2, 1, 0}), eps, 5),
            "rank 4, singular values 1, 5.0e-01, 2.0e-01, 1.0e-01, ... of the first");
  EXPECT_EQ(rank_words({300, 400, {}}, eps, 256), "300 x 400 taps, too many to find its rank");
}

TEST(Factors, OfThreeAxesAreTheLinesThroughTheLargestTap) {
  // planes 1 2 times rows 3 1 times columns 4 8
  const Taps taps{2, 2, {12, 24, 4, 8, 24, 48, 8, 16}, 2};
  const Factors lines = product_of_lines(taps);
  EXPECT_EQ(lines.plane, (Reals{4, 8}));
  EXPECT_EQ(lines.column, (Reals{3, 1}));
  EXPECT_EQ(lines.row, (Reals{1, 2})) << "without the 4 in common";
  EXPECT_EQ(reconstruction_error(lines, taps), 0);
  EXPECT_TRUE(give_back(lines, taps, eps));
  EXPECT_TRUE(same_zeros(lines, taps));
  Taps other = taps;
  other.values[0] = 0;
  EXPECT_EQ(reconstruction_error(lines, other), 12.0 / 48);
  EXPECT_FALSE(give_back(lines, other, eps));
  EXPECT_FALSE(same_zeros(lines, other));
  EXPECT_EQ(rank_words(taps, eps, 256).substr(0, 28), "ranks 1 1 1 along its axes, ");
  EXPECT_EQ(rank_words(other, eps, 256).substr(0, 28), "ranks 2 2 2 along its axes, ");
  EXPECT_EQ(rank_words(other, eps, 1), "2 x 2 x 2 taps, too many to find its rank");
}

}  // namespace
}  // namespace stencil
