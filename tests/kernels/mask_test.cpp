#include "kernels/mask.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <type_traits>

#include "kernels/method/method.hpp"

#include <limits>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Lists of numbers do not convert to masks, and truth values do not convert to axes.
static_assert(!std::is_aggregate_v<Mask>);
static_assert(!std::is_convertible_v<bool, Axis> && !std::is_convertible_v<int, Axis>);
template <class Along>
concept IsAlong = requires(std::vector<double> taps, Along along) {
  Mask::line(taps, along);
};
static_assert(IsAlong<Axis> && !IsAlong<bool> && !IsAlong<int>);

std::string refusal_of(const std::function<void(Mask&)>& change) {
  Mask mask = Mask::grid({1, 2, 3, 4, 5, 6}, 2, 3);
  change(mask);
  try {
    require_sound(mask);
  } catch (const ShapeError& error) {
    return error.what();
  }
  return "";
}

/// Masks whose members were changed individually, so that they contradict each other.
TEST(Mask, ThatDoesNotFitItselfIsRefused) {
  EXPECT_EQ(refusal_of([](Mask&) {}), "");
  EXPECT_NE(refusal_of([](Mask& m) { m = {}; }).find("without taps"), std::string::npos);
  EXPECT_EQ(refusal_of([](Mask& m) { m.taps.width = 4; }),
            "a mask of 2 rows and 4 columns with 6 taps");
  EXPECT_EQ(refusal_of([](Mask& m) {
              m.centre = {0, 3};
            }),
            "a centre of 0, 3 outside a mask of 2 rows and 3 columns");
  EXPECT_EQ(refusal_of([](Mask& m) { m.rank = 4; }), "a mask of rank 4: use 1, 2 or 3");
  EXPECT_NE(refusal_of([](Mask& m) { m.rank = 1; }).find("along x of 2 rows"), std::string::npos);
  EXPECT_NE(refusal_of([](Mask& m) { m.axis = static_cast<Axis>(7); }).find("axis 7"),
            std::string::npos);
  EXPECT_NE(refusal_of([](Mask& m) {
              m.factors = Factors{{1, 2}, {1, 2}};
            }).find("1 factors of 2 and 2 taps"),
            std::string::npos);
  EXPECT_THROW(Mask::line({1}, static_cast<Axis>(-1)), ShapeError);
}

TEST(Mask, AlongBatchIsStoredAsAColumn) {
  const Mask mask = Mask::line({1, 2, 3}, batch_axis, 1);
  EXPECT_EQ(mask.axis, batch_axis);
  EXPECT_EQ(mask.taps.height, 3);
  EXPECT_EQ(mask.centre, (std::array<Index, 2>{2, 0}));
}

using Pair = std::array<Index, 2>;

TEST(Mask, OneDimensionLiesAlongX) {
  const Mask mask = Mask::line({1, 2, 3, 4});
  EXPECT_EQ(mask.rank, 1);
  EXPECT_EQ(mask.taps.height, 1);
  EXPECT_EQ(mask.taps.width, 4);
  EXPECT_EQ(mask.centre, (Pair{0, 2}));  // for even widths the centre is at index width / 2
  EXPECT_TRUE(mask.multiply_zeros);
  EXPECT_EQ(mask.taps.values, (std::vector<double>{1, 2, 3, 4}));
}

TEST(Mask, OneDimensionLiesAlongY) {
  const Mask mask = Mask::line({1, 2, 3}, y_axis, -1);
  EXPECT_EQ(mask.taps.height, 3);
  EXPECT_EQ(mask.taps.width, 1);
  EXPECT_EQ(mask.centre, (Pair{0, 0}));
}

TEST(Mask, TwoDimensionsAreRowMajorAndSkipZeros) {
  const Mask mask = Mask::grid({1, 2, 3, 4, 5, 6}, 2, 3, {-1, 1});
  EXPECT_EQ(mask.rank, 2);
  EXPECT_EQ(mask.taps.at(1, 0), 4);
  EXPECT_EQ(mask.centre, (Pair{0, 2}));
  EXPECT_FALSE(mask.multiply_zeros);
  EXPECT_FALSE(mask.factors);
}

TEST(Mask, OuterProductIsColumnTimesRow) {
  const Mask mask = Mask::outer({1, 10, 100}, {2, 3});
  EXPECT_EQ(mask.taps.values, (std::vector<double>{2, 3, 20, 30, 200, 300}));
  EXPECT_EQ(mask.taps.height, 3);
  EXPECT_EQ(mask.centre, (Pair{1, 1}));
  EXPECT_TRUE(mask.multiply_zeros);
  ASSERT_TRUE(mask.factors);
  EXPECT_EQ(mask.factors->column, (std::vector<double>{1, 10, 100}));
}

// SciPy accepts -(n / 2) <= origin <= (n - 1) / 2.
TEST(Mask, OriginMustKeepTheCentreInside) {
  for (const Index n : {1, 2, 3, 4, 5, 8}) {
    const std::vector<double> taps(n, 1.0);
    for (Index origin = -n - 1; origin <= n + 1; ++origin) {
      const Index centre = n / 2 + origin;
      if (centre >= 0 && centre < n) {
        EXPECT_EQ(Mask::line(taps, x_axis, origin).centre[1], centre);
        EXPECT_EQ(Mask::grid(taps, n, 1, {origin, 0}).centre[0], centre);
      } else {
        EXPECT_THROW(Mask::line(taps, x_axis, origin), ShapeError) << n << " " << origin;
        EXPECT_THROW(Mask::grid(taps, n, 1, {origin, 0}), ShapeError) << n << " " << origin;
      }
    }
  }
}

TEST(Mask, RefusesWhatIsNoMask) {
  EXPECT_THROW(Mask::line({}), ShapeError);
  EXPECT_THROW(Mask::grid({1, 2, 3}, 2, 2), ShapeError);
  EXPECT_THROW(Mask::grid({}, 0, 0), ShapeError);
  EXPECT_THROW(Mask::outer({}, {1}), ShapeError);
  EXPECT_THROW(Mask::line({1, std::numeric_limits<double>::infinity()}), ShapeError);
  EXPECT_THROW(Mask::line({std::numeric_limits<double>::quiet_NaN()}), ShapeError);
}

TEST(Mask, FlippedTurnsBothAxesAndMovesTheCentre) {
  const Mask mask = flipped(Mask::grid({1, 2, 3, 4, 5, 6}, 2, 3, {0, 1}));
  EXPECT_EQ(mask.taps.values, (std::vector<double>{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(mask.centre, (Pair{0, 0}));  // 2 - 1 - 1 and 3 - 1 - 2
  EXPECT_FALSE(mask.multiply_zeros);
  const Mask outer = flipped(Mask::outer({1, 2}, {3, 4, 5}));
  EXPECT_EQ(outer.factors->column, (std::vector<double>{2, 1}));
  EXPECT_EQ(outer.factors->row, (std::vector<double>{5, 4, 3}));
  EXPECT_EQ(outer.taps.at(0, 0), 10);
}

TEST(Mask, OfThreeAxesHasPlanes) {
  const Mask mask = Mask::volume({3, 4, std::vector<double>(24, 1.0), 2}, {0, -1, 1});
  EXPECT_EQ(mask.rank, 3);
  EXPECT_EQ(mask.centre_plane, 1);
  EXPECT_EQ(mask.centre, (std::array<Index, 2>{0, 3}));
  EXPECT_FALSE(mask.multiply_zeros);
  EXPECT_EQ(mask.taps.count(), 24);
  const Mask turned = flipped(mask);
  EXPECT_EQ(turned.centre_plane, 0);
  EXPECT_EQ(turned.centre, (std::array<Index, 2>{2, 0}));
  EXPECT_THROW(Mask::volume({1, 2, {1, 2}, 2}), ShapeError) << "too few taps";
  EXPECT_THROW(Mask::volume({1, 1, {}, 0}), ShapeError);
  EXPECT_THROW(Mask::volume({1, 1, {1, std::nan("")}, 2}), ShapeError);
  EXPECT_THROW(Mask::volume({1, 1, {1, 2}, 2}, {1, 0, 0}), ShapeError) << "centre outside";
  Mask bad = mask;
  bad.rank = 2;
  EXPECT_THROW(require_sound(bad), ShapeError);
  bad = mask;
  bad.centre_plane = 2;
  EXPECT_THROW(require_sound(bad), ShapeError);
}

TEST(Mask, FlippedTwiceIsTheMask) {
  const Mask mask = Mask::grid({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 3, 4, {1, -2});
  const Mask again = flipped(flipped(mask));
  EXPECT_EQ(again.taps.values, mask.taps.values);
  EXPECT_EQ(again.centre, mask.centre);
}

TEST(Mask, FlippingKeepsTheOrderOfTerms) {
  Mask mask = Mask::grid({8, 12, 17, 16, 24, 34}, 2, 3);
  mask.factors = Factors{{1, 2, 3, 6}, {5, 6, 8, 1, 2, 3}, 2};
  const Mask other = flipped(mask);
  EXPECT_EQ(other.factors->column, (std::vector<double>{2, 1, 6, 3}));
  EXPECT_EQ(other.factors->row, (std::vector<double>{8, 6, 5, 3, 2, 1}));
  EXPECT_EQ(other.factors->terms, 2);
}

TEST(Mask, LargeOuterProductsKeepTheirFactorsOnly) {
  const std::vector<double> ones(2000, 1.0);
  const Mask mask = Mask::outer(ones, ones);
  EXPECT_TRUE(mask.taps.values.empty());
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, 1e-16).method, Method::separable);
  EXPECT_THROW(choose_method(mask, MethodRequest::direct, 1e-16), ShapeError);
  EXPECT_EQ(make_stencil<float>(mask, Method::separable, {1, 1}, 0.5).row.size(), 2000u);
}

}  // namespace
}  // namespace stencil
