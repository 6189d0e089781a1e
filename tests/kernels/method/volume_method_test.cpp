#include "kernels/method/volume_method.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "framework/grid/error.hpp"
#include "kernels/families/families_round.hpp"
#include "kernels/method/method.hpp"

namespace stencil {
namespace {

using List = std::vector<double>;
constexpr double eps64 = 0x1p-52, eps32 = 0x1p-23;

/// The taps of a product, without its factors.
Mask without_factors(const List& plane, const List& column, const List& row) {
  return Mask::volume(sum_of_products({{plane, column, row}}).taps);
}

List noise(Index count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> one(-1, 1);
  List list(static_cast<std::size_t>(count));
  for (double& value : list) value = one(random);
  return list;
}

std::string why(const Mask& mask, MethodRequest request, double eps) {
  try {
    return choose_method(mask, request, eps).reason;
  } catch (const ShapeError& error) {
    return error.what();
  }
}

#define EXPECT_SAYS(text, words) EXPECT_NE((text).find(words), std::string::npos) << (text)

TEST(VolumeMethod, ProductsOfThreeLinesAreFoundInTheTaps) {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const double eps : {eps32, eps64}) {
      const Mask mask = without_factors(noise(5, seed), noise(6, seed + 100), noise(7, seed + 200));
      const MethodChoice choice = choose_method(mask, MethodRequest::automatic, eps);
      ASSERT_EQ(choice.method, Method::separable) << choice.reason;
      EXPECT_LE(choice.error, 4 * eps64);
      const Factors& lines = *choice.mask.factors;
      double off = 0, largest = 0;
      for (Index z = 0; z < 5; ++z)
        for (Index y = 0; y < 6; ++y)
          for (Index x = 0; x < 7; ++x) {
            const double tap = mask.taps.values[static_cast<std::size_t>((z * 6 + y) * 7 + x)];
            off = std::max(off, std::abs(lines.plane[z] * lines.column[y] * lines.row[x] - tap));
            largest = std::max(largest, std::abs(tap));
          }
      EXPECT_LE(off, 4 * eps64 * largest);
      require_sound(choice.mask);
    }
  EXPECT_SAYS(
      why(without_factors(List(5, 1), List(5, 1), List(5, 1)), MethodRequest::automatic, eps64),
      "a product of three lines within 0e+00 of the mask, 15 instead of 125 taps a point");
}

TEST(VolumeMethod, ProductsOfIntegersHaveIntegerFactors) {
  const Mask mask = without_factors({1, 4, 6, 4, 1}, {-2, 0, 2, 4}, {1, 3, 3, 1});
  const MethodChoice choice = choose_method(mask, MethodRequest::separable, eps64);
  EXPECT_EQ(choice.error, 0);
  for (const List& list :
       {choice.mask.factors->plane, choice.mask.factors->column, choice.mask.factors->row})
    for (const double value : list) EXPECT_EQ(value, std::trunc(value));
}

TEST(VolumeMethod, NearlyAProductIsOneInAWiderTypeOnly) {
  Mask mask = without_factors(noise(5, 1), noise(5, 2), noise(5, 3));
  mask.taps.values[60] += 1e-8;
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps32).method, Method::separable);
  EXPECT_GT(choose_method(mask, MethodRequest::automatic, eps32).error, 1e-9);
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps64).method, Method::direct);
  EXPECT_SAYS(why(mask, MethodRequest::automatic, eps64),
              "125 taps a point over three axes: ranks 2 2 2 along its axes, ");
  EXPECT_SAYS(why(mask, MethodRequest::separable, eps64),
              "it is not the product of one list of taps for each axis: use method = auto");
}

TEST(VolumeMethod, ZerosThatAProductWouldFillAreKept) {
  Mask mask = without_factors(List(5, 1e-12), List(5, 1), List(5, 1));
  mask.taps.values[0] = 0;  // the product has the largest tap here
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps64).method, Method::direct);
  Mask faint = without_factors({1e-20, 1, 1, 1, 1}, List(5, 1), {1, 1, 1, 1, 1e-20});
  faint.taps.values[4] = 0;  // the product has a tap of 1e-40 here
  EXPECT_SAYS(why(faint, MethodRequest::separable, eps64),
              "would lay taps on the points that the zeros leave out");
  EXPECT_EQ(choose_method(faint, MethodRequest::automatic, eps64).method, Method::direct);
  const Mask hollow = without_factors({1, 0, 2, 0, 3}, {1, 1, 0, 1, 1}, {2, 0, 1, 1, 1});
  EXPECT_EQ(choose_method(hollow, MethodRequest::separable, eps64).method, Method::separable)
      << "the zeros of its factors are those of the mask";
}

TEST(VolumeMethod, MasksThatNoFactorsSumAreDirect) {
  const auto direct = [](const Mask& mask) {
    return choose_method(mask, MethodRequest::automatic, eps64).method == Method::direct;
  };
  EXPECT_TRUE(direct(without_factors(List(3, 1), List(3, 1), List(3, 1)))) << "9 against 27 taps";
  EXPECT_TRUE(direct(Mask::volume({5, 5, List(125), 5}))) << "zeros";
  EXPECT_TRUE(direct(without_factors(List(5, 1), {1}, List(50, 1)))) << "one row";
  EXPECT_TRUE(direct(Mask::volume({20, 20, noise(20 * 20 * 20, 7), 20})));
  EXPECT_SAYS(
      why(Mask::volume({20, 20, noise(20 * 20 * 20, 7), 20}), MethodRequest::automatic, eps64),
      "20 x 20 x 20 taps, too many to find its rank");
}

TEST(VolumeMethod, LargeMasksAreSummedByTransforms) {
  const auto chosen = [](Index side, MethodRequest request, MethodSite site = {}) {
    const Mask mask = Mask::volume({side, side, noise(side * side * side, 9), side});
    site.axis_outputs = 256;
    site.world = {{256, 256}, 256, 4, 0};
    return choose_method(mask, request, eps32, site);
  };
  const MethodChoice large = chosen(21, MethodRequest::automatic);
  EXPECT_EQ(large.method, Method::fft);
  EXPECT_EQ(large.tiles.depth, 21);
  EXPECT_EQ(large.costs.size(), 2u);
  EXPECT_LT(large.costs[1].taps, large.costs[0].taps);
  EXPECT_EQ(chosen(3, MethodRequest::automatic).method, Method::direct);
  EXPECT_EQ(chosen(3, MethodRequest::fft).method, Method::fft);
  EXPECT_EQ(chosen(21, MethodRequest::automatic, {.renormalizes = true}).method, Method::direct);
  EXPECT_THROW(chosen(21, MethodRequest::fft, {.renormalizes = true}), ShapeError);
  EXPECT_THROW(
      choose_method(without_factors(List(5, 1), {1}, List(50, 1)), MethodRequest::fft, eps32),
      ShapeError);
  EXPECT_EQ(choose_method(without_factors(List(41, 1), List(41, 1), List(41, 1)),
                          MethodRequest::automatic, eps32)
                .method,
            Method::separable);
}

TEST(VolumeMethod, MasksOfFactorsAreSummedByThemWhereThatSavesMuch) {
  const auto product = [](Index side, Index terms) {
    const List list(std::size_t(side), 0.5);
    return sum_of_products(std::vector(std::size_t(terms), std::array{list, list, list}));
  };
  const auto chosen = [](const Mask& mask, MethodRequest request = MethodRequest::automatic,
                         bool renormalizes = false) {
    return choose_method(mask, request, eps64, {.renormalizes = renormalizes}).method;
  };
  EXPECT_EQ(chosen(product(3, 1)), Method::direct);
  EXPECT_EQ(chosen(product(5, 1)), Method::separable);
  EXPECT_EQ(chosen(product(5, 1), MethodRequest::direct), Method::direct);
  EXPECT_EQ(chosen(product(3, 1), MethodRequest::separable), Method::separable);
  EXPECT_EQ(chosen(product(5, 3)), Method::direct);
  EXPECT_EQ(chosen(product(7, 3)), Method::separable);
  EXPECT_EQ(chosen(product(7, 1), MethodRequest::automatic, true), Method::separable);
  EXPECT_EQ(chosen(product(7, 3), MethodRequest::automatic, true), Method::direct);
  EXPECT_THROW(chosen(product(7, 3), MethodRequest::separable, true), ShapeError);
  Mask hole = product(7, 2);
  hole.taps.values[5] = 0;
  hole.multiply_zeros = false;
  EXPECT_EQ(chosen(hole), Method::direct);
}

}  // namespace
}  // namespace stencil
