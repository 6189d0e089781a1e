#include "kernels/families/families_round.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/grid/error.hpp"
#include "kernels/families/families.hpp"

namespace stencil {
namespace {

using List = std::vector<double>;

double sum_of(const List& taps) {
  return std::accumulate(taps.begin(), taps.end(), 0.0);
}

TEST(Rings, DiskHasThePointsWithinTheRadius) {
  const Taps disk = ring_taps({0, 0}, {2, 2});
  EXPECT_EQ(disk.height, 5);
  EXPECT_EQ(disk.width, 5);
  const double tap = 1.0 / 13;
  EXPECT_EQ(disk.values, (List{0,   0,   tap, 0,   0,   0,   tap, tap, tap, 0,   tap, tap, tap,
                               tap, tap, 0,   tap, tap, tap, 0,   0,   0,   tap, 0,   0}));
  EXPECT_EQ(ring_taps({0, 0}, {0.5, 0.5}).values, List{1});
  EXPECT_NEAR(sum_of(ring_taps({0, 0}, {17.3, 17.3}).values), 1, 1e-13);
}

TEST(Rings, EllipsesAndHoles) {
  const Taps ellipse = ring_taps({0, 0}, {1, 3});
  EXPECT_EQ(ellipse.height, 3);
  EXPECT_EQ(ellipse.width, 7);
  const Taps ring = ring_taps({1, 1}, {2, 2});  // points at the inner radius belong to the hole
  EXPECT_EQ(ring.at(2, 2), 0);
  EXPECT_EQ(ring.at(2, 1), 0);
  EXPECT_EQ(ring.at(1, 1), 1.0 / 8);
  EXPECT_EQ(ring.at(2, 0), 1.0 / 8);
  for (Index y = 0; y < 3; ++y)
    for (Index x = 0; x < 7; ++x) {
      const double dy = double(y - 1), dx = double(x - 3) / 3;
      EXPECT_EQ(ellipse.at(y, x) > 0, dy * dy + dx * dx <= 1) << y << " " << x;
    }
}

TEST(Rings, BallsAndShells) {
  const Taps ball = ring_taps({0, 0, 0}, {1, 2, 2});
  EXPECT_EQ(ball.depth, 3);
  EXPECT_EQ(ball.height, 5);
  EXPECT_EQ(std::count(ball.values.begin(), ball.values.end(), 1.0 / 15), 15);
  const auto middle = ball.values.begin() + 25;
  EXPECT_EQ((List{middle, middle + 25}.at(12)), 1.0 / 15);
  const Taps shell = ring_taps({1, 1, 1}, {2, 2, 2});
  EXPECT_EQ(std::count_if(shell.values.begin(), shell.values.end(), [](double t) { return t > 0; }),
            33 - 7);
  EXPECT_NEAR(sum_of(shell.values), 1, 1e-13);
  EXPECT_THROW(ring_taps({0, 0, 0}, {200, 200, 200}), ShapeError) << "too many taps";
}

TEST(Rings, AlongOneAxis) {
  EXPECT_EQ(ring_taps(0, 1.9), (List{1.0 / 3, 1.0 / 3, 1.0 / 3}));
  EXPECT_EQ(ring_taps(1, 3), (List{0.25, 0.25, 0, 0, 0, 0.25, 0.25}));
  EXPECT_EQ(ring_taps(0.5, 1), (List{0.5, 0, 0.5}));
}

TEST(Rings, RefuseWhatHasNoPointOrTooMany) {
  EXPECT_THROW(ring_taps({2, 2}, {2, 2}), ShapeError);
  EXPECT_THROW(ring_taps(2.1, 2.9), ShapeError);
  EXPECT_THROW(ring_taps({0, 0}, {-1, 2}), ShapeError);
  EXPECT_THROW(ring_taps({0, 0}, {std::nan(""), 2}), ShapeError);
  EXPECT_THROW(ring_taps({0, 0}, {512, 512}), ShapeError);
  EXPECT_NO_THROW(ring_taps({0, 0}, {511, 511}));
}

TEST(GaussianGrids, LaplacianIsTheSumOfBothSecondDerivatives) {
  const Taps log = laplacian_of_gaussian({1.5, 2}, {6, 8});
  ASSERT_EQ(log.height, 13);
  ASSERT_EQ(log.width, 17);
  const List y0 = gaussian_taps_within(1.5, 0, 6), y2 = gaussian_taps_within(1.5, 2, 6),
             x0 = gaussian_taps_within(2, 0, 8), x2 = gaussian_taps_within(2, 2, 8);
  for (Index y = 0; y < 13; ++y)
    for (Index x = 0; x < 17; ++x) EXPECT_NEAR(log.at(y, x), y2[y] * x0[x] + y0[y] * x2[x], 1e-17);
  EXPECT_THROW(laplacian_of_gaussian({200, 200}, {800, 800}), ShapeError);
}

TEST(GaussianGrids, OverThreeAxes) {
  const List x = gaussian_taps_within(1.5, 0, 3), xx = gaussian_taps_within(1.5, 2, 3);
  const List z = gaussian_taps_within(1, 0, 2), zz = gaussian_taps_within(1, 2, 2);
  const Taps log = laplacian_of_gaussian({1, 1, 1.5}, {2, 2, 3});
  const Taps product = sum_of_products({{z, z, x}}).taps;
  const Taps difference = difference_of_gaussians({1, 1, 1}, 2, 1);
  ASSERT_EQ(log.values.size(), 5u * 5 * 7);
  ASSERT_EQ(product.values.size(), 5u * 5 * 7);
  EXPECT_EQ(difference.values.size(), 125u);
  EXPECT_NEAR(sum_of(difference.values), 0, 1e-14);
  std::size_t at = 0;
  for (std::size_t k = 0; k < 5; ++k)
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t i = 0; i < 7; ++i, ++at) {
        EXPECT_NEAR(log.values[at], zz[k] * z[j] * x[i] + z[k] * zz[j] * x[i] + z[k] * z[j] * xx[i],
                    1e-15);
        EXPECT_EQ(product.values[at], z[k] * z[j] * x[i]);
      }
  EXPECT_THROW(laplacian_of_gaussian({40, 40, 40}, {160, 160, 160}), ShapeError);
  EXPECT_THROW(sum_of_products({{List(300), List(300), List(300)}}), ShapeError);
}

TEST(GaussianGrids, SumsOfProductsHaveTheirListsAsFactors) {
  const Mask mask = sum_of_products(
      {{List{1, 2, 1}, List{3}, List{1, 1}}, {List{5}, List{1, 0, 2}, List{2, 3}}}, {1, 0, -1});
  EXPECT_EQ(mask.taps.values, (List{0, 0, 3, 3, 0, 0, 10, 15, 6, 6, 20, 30, 0, 0, 3, 3, 0, 0}));
  EXPECT_EQ(mask.factors->terms, 2);
  EXPECT_EQ(mask.factors->plane, (List{1, 2, 1, 0, 5, 0}));
  EXPECT_EQ(mask.factors->column, (List{0, 3, 0, 1, 0, 2}));
  EXPECT_EQ(mask.factors->row, (List{1, 1, 2, 3}));
  EXPECT_EQ(mask.centre_plane, 2);
  EXPECT_EQ(mask.centre, (std::array<Index, 2>{1, 0}));
  require_sound(mask);
  const Mask turned = flipped(mask);
  EXPECT_EQ(turned.factors->plane, (List{1, 2, 1, 0, 5, 0}));
  EXPECT_EQ(turned.factors->column, (List{0, 3, 0, 2, 0, 1}));
  require_sound(turned);
}

TEST(GaussianGrids, DifferenceIsNarrowLessWide) {
  const Taps dog = difference_of_gaussians({1, 2}, 2, 3);
  ASSERT_EQ(dog.height, 13);
  ASSERT_EQ(dog.width, 25);
  EXPECT_NEAR(sum_of(dog.values), 0, 1e-15);
  const List narrow_y = gaussian_taps(1, 0, 3), narrow_x = gaussian_taps(2, 0, 3),
             wide_y = gaussian_taps(2, 0, 3), wide_x = gaussian_taps(4, 0, 3);
  EXPECT_NEAR(dog.at(6, 12), narrow_y[3] * narrow_x[6] - wide_y[6] * wide_x[12], 1e-17);
  EXPECT_NEAR(dog.at(0, 3), -wide_y[0] * wide_x[3], 1e-17);
  const List line = difference_of_gaussians(1, 2, 3);
  ASSERT_EQ(line.size(), 13u);
  EXPECT_NEAR(line[6], narrow_y[3] - wide_y[6], 1e-17);
  EXPECT_NEAR(line[1], -wide_y[1], 1e-17);
}

}  // namespace
}  // namespace stencil
