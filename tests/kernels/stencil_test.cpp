#include <gtest/gtest.h>

#include <cmath>

#include "framework/grid/error.hpp"
#include "kernels/stencil.hpp"

namespace stencil {
namespace {

const std::array<Index, 2> every{1, 1};

TEST(MakeStencil, RoundsTheTaps) {
  const Mask mask = Mask::grid({0.1, 0, 3, 4}, 2, 2);
  const auto stencil = make_stencil<float>(mask, Method::direct, {2, 3}, 0.25);
  EXPECT_EQ(stencil.taps, (std::vector<float>{0.1f, 0, 3, 4}));
  EXPECT_EQ(stencil.height, 2);
  EXPECT_EQ(stencil.width, 2);
  EXPECT_FALSE(stencil.multiply_zeros);
  EXPECT_EQ(stencil.stride, (std::array<Index, 2>{2, 3}));
  EXPECT_EQ(stencil.min_valid, 0.25);
}

/// A sum that would be 0 without rounding errors is not a weight to divide by.
TEST(MakeStencil, RoundingMakesNoWeight) {
  std::vector<double> taps(31 * 31);
  double sum = 0;
  for (std::size_t k = 0; k < taps.size(); ++k) sum += taps[k] = std::sin(double(k * k)) * 1e-4;
  for (double& tap : taps) tap -= sum / double(taps.size());
  const Mask mask = Mask::grid(taps, 31, 31);
  EXPECT_THROW(make_stencil<double>(mask, Method::direct, every, 0.5), ShapeError);
  EXPECT_THROW(make_stencil<float>(mask, Method::direct, every, 0.5), ShapeError);
}

TEST(MakeStencil, SeparableKeepsColumnAndRowApart) {
  const Mask mask = Mask::outer({1, 2, 3}, {4, 5});
  const auto stencil = make_stencil<double>(mask, Method::separable, every, {});
  EXPECT_EQ(stencil.column, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(stencil.row, (std::vector<double>{4, 5}));
  EXPECT_TRUE(stencil.multiply_zeros);
  const Mask plain = Mask::grid({1, 1, 1, 1}, 2, 2);
  EXPECT_THROW(make_stencil<double>(plain, Method::separable, every, {}), ShapeError);
}

TEST(MakeStencil, SumsOfSeparableMasksSkipNothing) {
  Mask mask = Mask::grid({1, 2, 3, 4}, 2, 2);
  mask.factors = Factors{{1, 3, 0, 1}, {1, 2, 0, -2}, 2};
  const auto stencil = make_stencil<double>(mask, Method::separable, every, {});
  EXPECT_EQ(stencil.terms, 2);
  EXPECT_EQ(stencil.column, (std::vector<double>{1, 3, 0, 1}));
  EXPECT_EQ(stencil.row, (std::vector<double>{1, 2, 0, -2}));
  EXPECT_TRUE(stencil.multiply_zeros);
  EXPECT_FALSE(make_stencil<double>(mask, Method::direct, every, {}).multiply_zeros);
  EXPECT_EQ(make_stencil<double>(mask, Method::direct, every, {}).terms, 1);
  EXPECT_THROW(make_stencil<double>(mask, Method::separable, every, 0.5), ShapeError);
  mask.taps.values[3] = 0;
  EXPECT_THROW(make_stencil<double>(mask, Method::separable, every, {}), ShapeError);
  mask.multiply_zeros = true;
  EXPECT_NO_THROW(make_stencil<double>(mask, Method::separable, every, {}));
}

TEST(MakeStencil, RenormalizingNeedsAWeight) {
  const auto with = [](std::vector<double> taps) {
    return make_stencil<float>(Mask::line(std::move(taps)), Method::direct, every, 0.5);
  };
  EXPECT_NO_THROW(with({1, -2, 1.5}));
  EXPECT_THROW(with({1, -2, 1}), ShapeError);
  EXPECT_THROW(with({-1, 0, 1}), ShapeError);
  EXPECT_THROW(with({0.1, 0.2, -0.3}), ShapeError);  // the sum is only a rounding error
  EXPECT_THROW(with({0}), ShapeError);
  EXPECT_NO_THROW(make_stencil<float>(Mask::line({1, -2, 1}), Method::direct, every, {}));
}

TEST(MakeStencil, RefusesNumbersOutOfRange) {
  const Mask mask = Mask::line({1, 1});
  for (const double share : {-0.1, 1.1}) {
    EXPECT_THROW(make_stencil<float>(mask, Method::direct, every, share), ShapeError);
  }
  EXPECT_THROW(make_stencil<float>(mask, Method::direct, {0, 1}, {}), ShapeError);
  EXPECT_THROW(make_stencil<float>(mask, Method::direct, {1, -2}, {}), ShapeError);
  const Mask large = Mask::line({1, 1e39});
  EXPECT_THROW(make_stencil<float>(large, Method::direct, every, {}), ShapeError);
  EXPECT_NO_THROW(make_stencil<double>(large, Method::direct, every, {}));
}

}  // namespace
}  // namespace stencil
