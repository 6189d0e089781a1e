#include "kernels/method.hpp"

#include <gtest/gtest.h>

#include <random>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

using List = std::vector<double>;
constexpr double eps64 = 0x1p-52, eps32 = 0x1p-23;

Mask outer_taps(const List& column, const List& row) {
  Mask mask = make_mask_outer({column, row}, {0, 0});
  mask.factors.reset();
  mask.multiply_zeros = false;
  return mask;
}

List product(const Factors& factors) {
  return make_mask_outer(factors, {0, 0}).taps.values;
}

TEST(Method, IntegerOuterProductsKeepIntegerFactors) {
  const std::vector<std::pair<List, List>> cases{{{1, 3, 1}, {1, 3, 1}},
                                                 {{1, 4, 6, 4, 1}, {1, 4, 6, 4, 1}},
                                                 {{2, 7, 5}, {3, 0, -5, 9}},
                                                 {{-3, 6, 9, 12}, {2, 4, 2, 8}},
                                                 {{1, 2, 1, 3}, {0, -1, 0, 1, 0, 7}}};
  for (const auto& [column, row] : cases) {
    const Mask mask = outer_taps(column, row);
    const MethodChoice choice = choose_method(mask, MethodRequest::separable, eps64);
    ASSERT_EQ(choice.method, Method::separable);
    EXPECT_EQ(choice.error, 0);
    EXPECT_EQ(product(*choice.mask.factors), mask.taps.values);
    for (const double tap : choice.mask.factors->column) EXPECT_EQ(tap, std::round(tap));
    for (const double tap : choice.mask.factors->row) EXPECT_EQ(tap, std::round(tap));
    EXPECT_FALSE(choice.mask.multiply_zeros);
  }
}

TEST(Method, RandomOuterProductsAreFound) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 200; ++n) {
    List column(3 + n % 9), row(3 + n % 7);
    for (double& tap : column) tap = normal(random);
    for (double& tap : row) tap = normal(random);
    if (n % 3 == 0) row[n % row.size()] = 0;
    if (n % 5 == 0) column[n % column.size()] = 0;
    const MethodChoice choice =
        choose_method(outer_taps(column, row), MethodRequest::separable, eps64);
    EXPECT_EQ(choice.method, Method::separable);
    EXPECT_LE(choice.error, 4 * eps64);
    for (std::size_t k = 0; k < row.size(); ++k)
      EXPECT_EQ(choice.mask.factors->row[k] == 0, row[k] == 0);
    for (std::size_t k = 0; k < column.size(); ++k)
      EXPECT_EQ(choice.mask.factors->column[k] == 0, column[k] == 0);
  }
}

TEST(Method, SeparableOnlyWhereItSavesTaps) {
  const List two{1, 2}, three{1, 2, 3}, four{1, 2, 3, 4};
  const auto method = [](const Mask& mask) {
    return choose_method(mask, MethodRequest::automatic, eps64).method;
  };
  EXPECT_EQ(method(outer_taps(two, two)), Method::direct);       // 4 against 4
  EXPECT_EQ(method(outer_taps(two, three)), Method::separable);  // 5 against 6
  EXPECT_EQ(method(outer_taps(three, three)), Method::separable);
  EXPECT_EQ(method(outer_taps({1, 0, 1}, {1, 0, 1})), Method::direct);  // 6 against 4
  EXPECT_EQ(method(make_mask_outer({{1, 0, 1}, {1, 0, 1}}, {0, 0})), Method::separable);
  EXPECT_EQ(method(outer_taps({1}, four)), Method::direct);
  EXPECT_EQ(method(outer_taps(four, {1})), Method::direct);
  EXPECT_EQ(method(make_mask_1d({1, 2, 3, 4, 5, 6}, 0, true)), Method::direct);
}

TEST(Method, FivePointAndRankTwoStayDirect) {
  const Mask five = make_mask_2d({3, 3, {0, 1, 0, 1, -4, 1, 0, 1, 0}}, {0, 0});
  EXPECT_EQ(choose_method(five, MethodRequest::automatic, eps32).method, Method::direct);
  const Mask two = make_mask_2d({3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}}, {0, 0});
  const MethodChoice choice = choose_method(two, MethodRequest::automatic, eps32);
  EXPECT_EQ(choice.method, Method::direct);
  // Singular values 16.848 and 1.0684.
  EXPECT_NE(choice.reason.find("6.3e-02"), std::string::npos) << choice.reason;
}

TEST(Method, SeparableAskedOfRankTwoSaysHowFarItIs) {
  const Mask mask = make_mask_2d({3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}}, {0, 0});
  try {
    choose_method(mask, MethodRequest::separable, eps64);
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_NE(std::string(error.what()).find("6.3e-02"), std::string::npos) << error.what();
  }
}

TEST(Method, NearlyRankOneDependsOnThePrecision) {
  Mask mask = outer_taps({1, 2, 3, 2, 1}, {1, 5, 7, 5, 1});
  mask.taps.values[3] *= 1 + 1e-7;  // 5e-7 of the 21 at the pivot: 2.4e-8
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps32).method, Method::separable);
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps64).method, Method::direct);
  EXPECT_THROW(choose_method(mask, MethodRequest::separable, eps64), ShapeError);
  mask.taps.values[3] *= 1 + 1e-5;
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps32).method, Method::direct);
}

// A zero that the factors would turn into a tiny tap would let NaN reach further.
TEST(Method, ZerosThatTheFactorsDoNotHaveForbidSeparable) {
  Mask mask = outer_taps({1, 1e-9, 1, 1}, {1, 1e-9, 1, 1});
  mask.taps.values[5] = 0;  // the product would be 1e-18
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps64).method, Method::direct);
  mask.multiply_zeros = true;
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps64).method, Method::separable);
}

TEST(Method, KnownFactorsAreUsedAsTheyAre) {
  const Mask mask = make_mask_outer({{0.1, 0.7, 0.2}, {0.3, 0.3, 0.4}}, {1, -1});
  const MethodChoice choice = choose_method(mask, MethodRequest::automatic, eps64);
  EXPECT_EQ(choice.method, Method::separable);
  EXPECT_EQ(choice.mask.factors->column, (List{0.1, 0.7, 0.2}));
  EXPECT_EQ(choice.mask.factors->row, (List{0.3, 0.3, 0.4}));
  EXPECT_EQ(choice.mask.centre, mask.centre);
  EXPECT_TRUE(choice.mask.multiply_zeros);
  EXPECT_EQ(choose_method(mask, MethodRequest::direct, eps64).method, Method::direct);
}

TEST(Method, MasksOfZerosAreDirect) {
  for (const bool multiply : {false, true}) {
    Mask mask = make_mask_2d({5, 5, List(25, 0.0)}, {0, 0});
    mask.multiply_zeros = multiply;
    EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps64).method, Method::direct);
    EXPECT_EQ(choose_method(mask, MethodRequest::separable, eps64).method, Method::direct);
  }
}

Mask long_mask(Index taps) {
  return make_mask_1d(List(taps, 1.0), 0, false);
}

TEST(Method, FftWhereTheTapsCostMoreThanTheTransforms) {
  const auto method = [](Index taps, const MethodSite& site) {
    return choose_method(long_mask(taps), MethodRequest::automatic, eps32, site).method;
  };
  const MethodSite line{.axis_outputs = 1 << 26};
  EXPECT_EQ(method(65, line), Method::direct);
  EXPECT_EQ(method(100, line), Method::direct);
  EXPECT_EQ(method(150, line), Method::fft);
  EXPECT_EQ(method(4097, line), Method::fft);
  EXPECT_EQ(method(4097, {}), Method::direct);  // nothing known of the axis
  EXPECT_EQ(method(4097, {.axis_outputs = 1 << 26, .renormalizes = true}), Method::direct);
  // a stride leaves direct sums out, not transforms
  EXPECT_EQ(method(150, {.axis_outputs = 1 << 26, .stride = 2}), Method::direct);
  EXPECT_EQ(method(1025, {.axis_outputs = 1 << 26, .stride = 2}), Method::fft);
  // few outputs, but many lines of them
  EXPECT_EQ(method(1025, {.axis_outputs = 500}), Method::direct);
  EXPECT_EQ(method(1025, {.axis_outputs = 500, .lines = 1000}), Method::fft);
}

TEST(Method, FftAsAskedForAndOnlyWhereItCanBe) {
  const MethodChoice choice =
      choose_method(long_mask(3), MethodRequest::fft, eps32, {.axis_outputs = 10});
  EXPECT_EQ(choice.method, Method::fft);
  EXPECT_EQ(choice.blocks.width, 3);
  EXPECT_GE(choice.blocks.points, least_fft_points);
  EXPECT_EQ(
      choose_method(long_mask(999), MethodRequest::direct, eps32, {.axis_outputs = 1 << 26}).method,
      Method::direct);
  EXPECT_THROW(choose_method(outer_taps({1, 2}, {1, 2}), MethodRequest::fft, eps32), ShapeError);
  EXPECT_THROW(choose_method(long_mask(3), MethodRequest::fft, eps32, {.renormalizes = true}),
               ShapeError);
  EXPECT_THROW(choose_fft_blocks(most_fft_points, 1000, 1), ShapeError);
}

}  // namespace
}  // namespace stencil
