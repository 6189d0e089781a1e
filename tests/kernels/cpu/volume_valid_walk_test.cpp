// Sums over the valid points under masks of three axes.
#include "kernels/cpu/volume_valid_walk.hpp"

#include <gtest/gtest.h>

#include "kernels/families/families_round.hpp"
#include "tests/kernels/conditions.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::Grid;

template <class T>
class VolumeValidWalk : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(VolumeValidWalk, Types);

/// Taps are whole numbers and points are small integers: sums and weights are exact.
template <class T>
Stencil<T> whole_taps(const Point& size, const Point& stride, int least,
                      std::optional<double> min_valid, std::mt19937& random) {
  std::uniform_int_distribution<int> tap(least, 3);
  Taps taps{size[1], size[2], std::vector<double>(std::size_t(points(size))), size[0]};
  for (double& value : taps.values) value = tap(random);
  taps.values.front() = double(points(size));  // so that the sum of the taps is not 0
  auto stencil =
      make_stencil<T>(Mask::volume(taps), Method::direct, {stride[1], stride[2]}, min_valid);
  stencil.plane_stride = stride[0];
  return stencil;
}

const std::vector<Point> sizes{{2, 1, 1}, {3, 3, 3}, {2, 4, 5}, {5, 1, 3}};
const std::vector<Point> strides{{1, 1, 1}, {2, 1, 3}};

TYPED_TEST(VolumeValidWalk, NearTheReference) {
  using T = TypeParam;
  std::mt19937 random(7);
  std::uniform_int_distribution<int> value(-9, 9);
  for (const Point& size : sizes)
    for (const Point& extent : {Point{3, 5, 7}, {9, 4, 40}, {2, 30, 70}})
      for (const Point& stride : strides)
        for (const int least : {0, -1})
          for (const double share : {0.0, 0.002, 0.3, 1.0})
            for (const double min_valid : {0.0, 0.6}) {
              const auto stencil = whole_taps<T>(size, stride, least, min_valid, random);
              std::bernoulli_distribution missing(share);
              Grid<T> source(testing::inputs_for(stencil, extent), T(1e30));
              source.set([&](Index, Index, Index) {
                const double point = value(random);
                return missing(random) ? std::nan("") : point;
              });
              const auto both = testing::compute_both(stencil, source, extent);
              ASSERT_TRUE(both.guards_untouched);
              for (std::size_t k = 0; k < both.cpu.size(); ++k) {
                const double expected = both.reference[k];
                if (std::isnan(expected)) {
                  ASSERT_TRUE(std::isnan(both.cpu[k])) << to_string(extent) << " at " << k;
                } else {
                  const double eps = std::numeric_limits<T>::epsilon();
                  ASSERT_NEAR(both.cpu[k], expected, 4 * eps * std::abs(expected))
                      << to_string(size) << " on " << to_string(extent) << " at " << k;
                }
              }
            }
}

/// Sums that are computed by factors. The taps are powers of two, so that the sums are exact.
TYPED_TEST(VolumeValidWalk, ByFactors) {
  using T = TypeParam;
  std::mt19937 random(9);
  std::uniform_int_distribution<int> value(-9, 9);
  std::normal_distribution<double> normal;
  for (const bool has_both_signs : {false, true})
    for (const Point& stride : strides)
      for (const double share : {0.0, 0.01, 0.4}) {
        const double last = has_both_signs ? -0.5 : 1;
        const Mask mask = sum_of_products({{{{1, 2, last}, {1, 4}, {2, 1, 1, 1}}}});
        auto valid = make_stencil<T>(mask, Method::separable, {stride[1], stride[2]}, 0.3);
        auto plain = make_stencil<T>(mask, Method::separable, {stride[1], stride[2]}, {});
        valid.plane_stride = plain.plane_stride = stride[0];
        const Point extent{3, 20, 24};
        std::bernoulli_distribution missing(share);
        Grid<T> source(testing::inputs_for(valid, extent), T(1e30));
        source.set([&](Index, Index, Index) {
          const double point = value(random);
          return missing(random) ? std::nan("") : point;
        });
        const auto both = testing::compute_both(valid, source, extent);
        ASSERT_TRUE(both.guards_untouched);
        for (std::size_t k = 0; k < both.cpu.size(); ++k) {
          const double expected = both.reference[k], eps = std::numeric_limits<T>::epsilon();
          ASSERT_EQ(std::isnan(both.cpu[k]), std::isnan(expected)) << k;
          if (std::isnan(expected)) continue;
          ASSERT_NEAR(both.cpu[k], expected, 4 * eps * std::abs(expected));
        }
        if (share > 0) continue;
        source.set([&](Index, Index, Index) { return normal(random); });
        Grid<T> found(extent, T(0)), whole(extent, T(0));
        source.view().at(0, 0, 0) = std::nan("");
        convolve_cpu<T>(valid, source.read(), found.view());
        convolve_cpu<T>(plain, source.read(), whole.view());
        found.view().at(0, 0, 0) = whole.view().at(0, 0, 0) = 0;
        testing::expect_same_bits(found.points_of(), whole.points_of(), "by factors");
      }
}

TYPED_TEST(VolumeValidWalk, WholeInputsHaveTheBitsOfPlainSums) {
  using T = TypeParam;
  std::mt19937 random(8);
  std::normal_distribution<double> value;
  for (const Point& size : sizes) {
    std::mt19937 same = random;
    const auto valid = whole_taps<T>(size, {1, 1, 1}, 0, 0.5, random);
    const auto plain = whole_taps<T>(size, {1, 1, 1}, 0, std::nullopt, same);
    const Point extent{6, 20, 90};
    Grid<T> source(testing::inputs_for(valid, extent), T(1e30));
    source.set([&](Index, Index, Index) { return value(random); });
    source.view().at(0, 0, 0) = std::nan("");  // affects one output
    Grid<T> found(extent, T(0)), expected(extent, T(0));
    convolve_cpu<T>(valid, source.read(), found.view());
    convolve_cpu<T>(plain, source.read(), expected.view());
    EXPECT_TRUE(std::isnan(expected.view().at(0, 0, 0)));
    found.view().at(0, 0, 0) = expected.view().at(0, 0, 0) = 0;
    testing::expect_same_bits(found.points_of(), expected.points_of(), to_string(size));
  }
}

}  // namespace
}  // namespace stencil
