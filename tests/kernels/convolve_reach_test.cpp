// How far NaN and Inf reach, as in SciPy.

#include <gtest/gtest.h>

#include "grid_data.hpp"

namespace stencil {
namespace {

using testing::Grid;

template <class T>
class ConvolveReach : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ConvolveReach, Types);

constexpr Point extent{1, 12, 40};

/// Checks that one bad point at (py, px) reaches exactly the outputs whose mask has a tap on it.
template <class T>
void check_reach(const Mask& mask, Method method, double bad, Index py, Index px) {
  const auto stencil = make_stencil<T>(mask, method, {1, 1}, {});
  Grid<T> source(testing::inputs_for(stencil, extent), T(0));
  source.set([&](Index, Index y, Index x) { return y == py && x == px ? bad : 1.0; });
  Grid<T> target(extent, T(0));
  convolve_cpu<T>(stencil, source.read(), target.view());
  for (Index y = 0; y < extent[1]; ++y) {
    for (Index x = 0; x < extent[2]; ++x) {
      const Index j = py - y, i = px - x;
      const bool inside = j >= 0 && j < stencil.height && i >= 0 && i < stencil.width;
      const double tap = inside ? mask.taps.at(j, i) : 0;
      const bool reached = inside && (tap != 0 || mask.multiply_zeros);
      const double value = target.read().at(0, y, x);
      ASSERT_EQ(!std::isfinite(value), reached) << y << " " << x << " tap " << tap;
      // Inf times a tap of 0 is NaN, Inf times another tap is Inf of the product's sign.
      if (!reached) continue;
      const double expected = bad * tap;
      ASSERT_TRUE(std::isnan(expected) ? std::isnan(value) : value == expected) << y << " " << x;
    }
  }
}

template <class T>
void check_everywhere(const Mask& mask, Method method) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    for (const Index py : {0, 5, 11}) {
      for (const Index px : {0, 17, 39}) check_reach<T>(mask, method, bad, py, px);
    }
  }
}

TYPED_TEST(ConvolveReach, MasksOfOneAxisMultiplyZeros) {
  check_everywhere<TypeParam>(make_mask_1d({1, 0, -2, 3}, 0, false), Method::direct);
  check_everywhere<TypeParam>(make_mask_1d({0, 2, 0, 0, 1}, 0, true), Method::direct);
}

TYPED_TEST(ConvolveReach, MasksGivenAsTapsSkipZeros) {
  check_everywhere<TypeParam>(make_mask_2d({3, 3, {0, 1, 0, 1, -4, 1, 0, 1, 0}}, {0, 0}),
                              Method::direct);
  check_everywhere<TypeParam>(make_mask_2d({2, 3, {1, 2, 3, 4, 5, 6}}, {0, 0}), Method::direct);
}

TYPED_TEST(ConvolveReach, SeparableSkipsZerosAsTheMaskDoes) {
  Mask mask = make_mask_outer({{1, 0, 2, 1}, {-1, 0, 3}}, {0, 0});
  mask.multiply_zeros = false;
  check_everywhere<TypeParam>(mask, Method::separable);
  check_everywhere<TypeParam>(mask, Method::direct);
}

/// Two passes that multiply zeros: NaN fills the whole mask; Inf becomes NaN across a zero of the
/// row, and across a zero of the column: the same as the direct sum.
TYPED_TEST(ConvolveReach, SeparableMultipliesZeros) {
  const Mask mask = make_mask_outer({{1, 0, 2, 1}, {-1, 0, 3}}, {0, 0});
  check_everywhere<TypeParam>(mask, Method::separable);
  check_everywhere<TypeParam>(mask, Method::direct);
}

/// Missing points of a renormalized sum do not spread; Inf is a valid point and does.
TYPED_TEST(ConvolveReach, RenormalizedSumsLeaveNanOutAndKeepInf) {
  using T = TypeParam;
  for (const Method method : {Method::direct, Method::separable}) {
    const Mask mask = make_mask_outer({{1, 1, 1}, {1, 1, 1}}, {0, 0});
    const auto stencil = make_stencil<T>(mask, method, {1, 1}, 0.5);
    Grid<T> source(testing::inputs_for(stencil, extent), T(0));
    source.set([](Index, Index y, Index x) {
      if (y == 4 && x == 6) return std::nan("");
      return y == 8 && x == 30 ? std::numeric_limits<double>::infinity() : 1.0;
    });
    Grid<T> target(extent, T(0));
    convolve_cpu<T>(stencil, source.read(), target.view());
    for (Index y = 0; y < extent[1]; ++y) {
      for (Index x = 0; x < extent[2]; ++x) {
        const bool infinite = y >= 6 && y <= 8 && x >= 28 && x <= 30;
        const double value = target.read().at(0, y, x);
        ASSERT_TRUE(infinite ? value == std::numeric_limits<double>::infinity()
                             : std::abs(value - 9) < 1e-5)
            << y << " " << x << " " << value;
      }
    }
  }
}

}  // namespace
}  // namespace stencil
