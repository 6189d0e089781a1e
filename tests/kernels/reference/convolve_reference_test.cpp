#include <gtest/gtest.h>

#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::Grid;
using List = std::vector<double>;

const List numbers{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4};

Grid<double> four_by_five() {
  Grid<double> grid({1, 4, 5}, std::nan(""));
  return grid.set([](Index, Index y, Index x) { return numbers[y * 5 + x]; });
}

List reference(const Stencil<double>& stencil, const Grid<double>& source, const Point& extent) {
  Grid<double> target(extent, -1);
  convolve_reference<double>(stencil, source.read(), target.view());
  EXPECT_TRUE(target.guards_untouched());
  return target.points_of();
}

// scipy.signal.correlate2d(numbers, mask, mode='valid') of SciPy 1.10.1.
TEST(Reference, EqualsScipy) {
  const Mask mask = Mask::grid({1, -2, 0, 3, .5, 4}, 3, 2);
  const auto stencil = make_stencil<double>(mask, Method::direct, {1, 1}, {});
  EXPECT_EQ(reference(stencil, four_by_five(), {1, 2, 4}),
            (List{41.5, 51.0, 49.5, 39.5, 38.5, 30.0, 50.5, 46.0}));
}

TEST(Reference, StridesPickEveryNth) {
  const Mask mask = Mask::grid({1, 10}, 2, 1);
  const auto stencil = make_stencil<double>(mask, Method::direct, {2, 3}, {});
  EXPECT_EQ(reference(stencil, four_by_five(), {1, 2, 2}), (List{93, 51, 35, 87}));
}

TEST(Reference, SeparableIsTheOuterProduct) {
  const Mask mask = Mask::outer({1, 2}, {1, 0, -1});
  const auto stencil = make_stencil<double>(mask, Method::separable, {1, 1}, {});
  // The sums along the first two rows of the mask are -1 0 -1 and 3 -3 3.
  EXPECT_EQ(reference(stencil, four_by_five(), {1, 1, 3}), (List{5, -6, 5}));
}

TEST(Reference, SumsOfSeparableMasksAddTheirOuterProducts) {
  Mask mask = Mask::grid({2, 1, 0, 1, -1, -3}, 2, 3);
  mask.factors = Factors{{1, 2, 1, -1}, {1, 0, -1, 1, 1, 1}, 2};
  const auto stencil = make_stencil<double>(mask, Method::direct, {1, 1}, {});
  mask.multiply_zeros = true;
  const auto sum = make_stencil<double>(mask, Method::separable, {1, 1}, {});
  EXPECT_EQ(reference(sum, four_by_five(), {1, 3, 3}),
            reference(stencil, four_by_five(), {1, 3, 3}));
}

TEST(Reference, RenormalizesOverValidPoints) {
  Grid<double> source({1, 1, 5}, 0);
  const double nan = std::nan("");
  source.set([&](Index, Index, Index x) { return List{1, nan, 3, nan, nan}[x]; });
  const Mask mask = Mask::line({1, 2, 1});
  const auto with = [&](double share) {
    return reference(make_stencil<double>(mask, Method::direct, {1, 1}, share), source, {1, 1, 3});
  };
  // the outputs are (1 + 3) 4/2, 3 * 2 * 4/2, and missing, because 3 alone has a quarter of the
  // weight
  const List half = with(0.5);
  EXPECT_EQ(half[0], 8);
  EXPECT_EQ(half[1], 12);
  EXPECT_TRUE(std::isnan(half[2]));
  EXPECT_EQ(with(0.25)[2], 12);
  EXPECT_TRUE(std::isnan(with(0.51)[0]));
}

TEST(Reference, ZeroTapsMeetNanOnlyWhenTheyMultiply) {
  Grid<double> source({1, 1, 3}, 0);
  source.set([](Index, Index, Index x) { return x == 1 ? std::nan("") : 1.0; });
  Mask mask = Mask::line({2, 0, 3});
  auto stencil = make_stencil<double>(mask, Method::direct, {1, 1}, {});
  EXPECT_TRUE(std::isnan(reference(stencil, source, {1, 1, 1})[0]));
  stencil.multiply_zeros = false;
  EXPECT_EQ(reference(stencil, source, {1, 1, 1})[0], 5);
}

}  // namespace
}  // namespace stencil
