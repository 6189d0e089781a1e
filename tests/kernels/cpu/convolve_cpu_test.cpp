// convolve_cpu compared with the reference, without missing points.

#include <gtest/gtest.h>

#include <numeric>

#include "kernels/method/method.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::compute_both;
using testing::Grid;

struct Size {
  Index height, width;
};

std::vector<Size> mask_sizes() {
  std::vector<Size> sizes;
  for (Index w = 1; w <= 33; ++w) {
    sizes.push_back({1, w});
    sizes.push_back({w, 1});
  }
  for (Index h = 2; h <= 9; ++h) {
    for (Index w = 2; w <= 6; ++w) sizes.push_back({h, w});
  }
  const std::vector<Size> larger{{16, 16}, {33, 2},  {2, 33}, {17, 31},
                                 {1, 257}, {257, 1}, {2, 257}};
  sizes.insert(sizes.end(), larger.begin(), larger.end());
  return sizes;
}

const std::vector<Point> extents{{1, 1, 1},  {2, 1, 2},    {1, 5, 5},   {2, 3, 97},
                                 {1, 97, 5}, {1, 2, 1031}, {1, 13, 130}};
const std::vector<std::array<Index, 2>> strides{{1, 1}, {1, 2}, {2, 1}, {3, 5}, {5, 4}};

template <class T>
class ConvolveCpu : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ConvolveCpu, Types);

/// Integer masks on points whose values encode their positions. All numbers are exact, so rounding
/// cannot hide a tap that is shifted by one point, mirrored, or left out.
TYPED_TEST(ConvolveCpu, IntegersAreExact) {
  using T = TypeParam;
  std::mt19937 random(3);
  std::uniform_int_distribution<int> tap(-4, 4);
  const T outside = std::numeric_limits<T>::quiet_NaN();
  for (const auto& [height, width] : mask_sizes()) {
    for (const bool outer : {false, true}) {
      const Mask mask = testing::drawn_mask(height, width, outer, [&] { return tap(random); });
      const auto& stride = strides[random() % strides.size()];
      const auto& extent = extents[random() % extents.size()];
      auto stencil = make_stencil<T>(mask, outer ? Method::separable : Method::direct, stride, {});
      // For large masks, the values are 10 y + x instead of 1000 y + x, so that sums stay below
      // 2^24.
      const Index scale = height * width > 64 ? 10 : 1000;
      const bool is_large = height * width > 300;
      Grid<T> source(testing::inputs_for(stencil, extent), outside);
      source.set([&](Index b, Index y, Index x) {
        return is_large ? (7 * y + x + b) % 64 : 17 * b + scale * y % 4001 + x % 499;
      });
      const auto both = compute_both(stencil, source, extent);
      ASSERT_TRUE(both.guards_untouched) << height << " x " << width;
      for (std::size_t k = 0; k < both.cpu.size(); ++k) {
        ASSERT_EQ(double(both.cpu[k]), both.reference[k])
            << height << " x " << width << (outer ? " separable" : " direct") << " strides "
            << stride[0] << " " << stride[1] << " on " << to_string(extent) << " at " << k;
      }
    }
  }
}

TYPED_TEST(ConvolveCpu, RandomNumbersStayWithinTheBound) {
  using T = TypeParam;
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  const T outside = std::numeric_limits<T>::quiet_NaN();
  int n = 0;
  for (const auto& [height, width] : mask_sizes()) {
    for (const bool outer : {false, true}) {
      const Mask mask = testing::drawn_mask(height, width, outer, [&] { return normal(random); });
      const auto& stride = strides[n % strides.size()];
      const auto& extent = extents[n % extents.size()];
      ++n;
      const auto stencil =
          make_stencil<T>(mask, outer ? Method::separable : Method::direct, stride, {});
      Grid<T> source(testing::inputs_for(stencil, extent), outside);
      source.set([&](Index, Index, Index) { return normal(random); });
      const auto both = compute_both(stencil, source, extent);
      const double bound = testing::error_bound<T>(stencil, source.read());
      ASSERT_TRUE(both.guards_untouched);
      for (std::size_t k = 0; k < both.cpu.size(); ++k) {
        ASSERT_NEAR(double(both.cpu[k]), both.reference[k], bound)
            << height << " x " << width << (outer ? " separable" : " direct") << " strides "
            << stride[0] << " " << stride[1] << " on " << to_string(extent) << " at " << k;
      }
    }
  }
}

/// Sums of two and three separable masks: on few rows, on enough rows for a sweep of several steps,
/// and with strides. Sums of integers are exact; sums of random numbers are within the error bound
/// of the direct sum.
TYPED_TEST(ConvolveCpu, SumsOfSeparableMasks) {
  using T = TypeParam;
  std::mt19937 random(8);
  std::uniform_int_distribution<int> tap(-2, 2);
  std::normal_distribution<double> normal;
  unsigned n = 0;
  for (const auto& [height, width] :
       std::vector<Size>{{2, 2}, {3, 5}, {5, 4}, {9, 9}, {10, 1}, {1, 7}, {15, 17}, {20, 3}})
    for (const Index terms : {2, 3})
      for (const Index ny : {Index{1}, Index{7}, 4 * height + 5, 4 * height + 41})
        for (const Index nx : {1, 15, 33, 131, 270}) {
          const bool whole = n % 2 == 0;
          const auto& stride = strides[n++ % 3 ? 0 : n % strides.size()];
          const auto draw = [&] { return whole ? double(tap(random)) : normal(random); };
          const Mask mask = testing::drawn_sum(height, width, terms, draw);
          const auto stencil = make_stencil<T>(mask, Method::separable, stride, {});
          Grid<T> source(testing::inputs_for(stencil, {2, ny, nx}),
                         std::numeric_limits<T>::quiet_NaN());
          source.set([&](Index b, Index y, Index x) {
            return whole ? double(b + 50 * (y % 100) + x % 49) : normal(random);
          });
          const auto both = compute_both(stencil, source, {2, ny, nx});
          double bound = 0;
          if (!whole) {
            // the bound of the direct sum, for the taps that are the products of the rounded
            // factors
            const double weight =
                std::accumulate(stencil.taps.begin(), stencil.taps.end(), 0.0,
                                [](double sum, T value) { return sum + std::abs(double(value)); });
            const double across = testing::factors_weight(stencil) / weight;
            bound = testing::error_bound<T>(stencil, source.read()) * std::max(1.0, across);
          }
          ASSERT_TRUE(both.guards_untouched);
          for (std::size_t k = 0; k < both.cpu.size(); ++k)
            ASSERT_NEAR(double(both.cpu[k]), both.reference[k], bound)
                << terms << " of " << height << " x " << width << " strides " << stride[0] << " "
                << stride[1] << " on " << ny << " x " << nx << " at " << k;
        }
}

/// If the method is chosen automatically, the error bound of the direct sum holds, compared with
/// the direct sum in double precision.
TYPED_TEST(ConvolveCpu, ChosenSumsKeepTheBoundOfTheDirectSum) {
  using T = TypeParam;
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  for (const Index w : {11, 15, 31}) {
    for (const Index terms : {2, 3}) {
      Mask mask = testing::drawn_sum(w, w, terms, [&] { return normal(random); });
      mask.factors.reset();
      mask.multiply_zeros = false;
      const MethodChoice choice =
          choose_method(mask, MethodRequest::separable, double(std::numeric_limits<T>::epsilon()));
      ASSERT_EQ(choice.separable_terms(), terms);
      const auto stencil = make_stencil<T>(choice.mask, choice.method, {1, 1}, {});
      const auto direct = make_stencil<T>(choice.mask, Method::direct, {1, 1}, {});
      const Point extent{1, 4 * w + 9, 77};
      Grid<T> source(testing::inputs_for(stencil, extent), T(0));
      source.set([&](Index, Index, Index) { return normal(random); });
      Grid<T> found(extent, T(0));
      Grid<double> expected(extent, 0);
      convolve_cpu<T>(stencil, source.read(), found.view());
      convolve_reference<T>(direct, source.read(), expected.view());
      const double bound = testing::error_bound<T>(direct, source.read());
      const auto values = found.points_of();
      const auto right = expected.points_of();
      for (std::size_t k = 0; k < values.size(); ++k)
        ASSERT_NEAR(double(values[k]), right[k], bound) << terms << " of " << w << " at " << k;
    }
  }
}

/// Every size of mask with unit strides, on rows that consist of whole blocks, single vectors and a
/// remainder.
TYPED_TEST(ConvolveCpu, EveryRemainderOfRowsAndColumns) {
  using T = TypeParam;
  std::mt19937 random(5);
  std::uniform_int_distribution<int> tap(-3, 3);
  for (const Index height : {1, 2, 3, 4, 5, 8}) {
    for (const bool outer : {false, true}) {
      for (Index ny = 1; ny <= 9; ++ny) {
        for (const Index nx : {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 129, 150}) {
          const Mask mask = testing::drawn_mask(height, 3, outer, [&] { return tap(random); });
          const auto stencil =
              make_stencil<T>(mask, outer ? Method::separable : Method::direct, {1, 1}, {});
          Grid<T> source(testing::inputs_for(stencil, {1, ny, nx}),
                         std::numeric_limits<T>::quiet_NaN());
          source.set([](Index, Index y, Index x) { return 1000 * y + x; });
          const auto both = compute_both(stencil, source, {1, ny, nx});
          ASSERT_TRUE(both.guards_untouched) << height << " on " << ny << " x " << nx;
          for (std::size_t k = 0; k < both.cpu.size(); ++k) {
            ASSERT_EQ(double(both.cpu[k]), both.reference[k])
                << height << " on " << ny << " x " << nx << " at " << k;
          }
        }
      }
    }
  }
}

/// Masks of every height on enough rows for sweeps of one and of several steps, and widths of whole
/// blocks, of single vectors and of overlapping vectors.
TYPED_TEST(ConvolveCpu, EveryHeightOfASweep) {
  using T = TypeParam;
  std::mt19937 random(6);
  std::uniform_int_distribution<int> tap(-3, 3);
  for (const Index height : {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 19, 20, 28}) {
    for (const Index ny : {4 * height, 4 * height + 37}) {
      for (const Index nx : {15, 16, 17, 33, 131, 270}) {
        Mask mask = testing::drawn_mask(height, 1 + ny % 3, false, [&] { return tap(random); });
        mask.multiply_zeros = nx % 2 == 0;
        const auto stencil = make_stencil<T>(mask, Method::direct, {1, 1}, {});
        Grid<T> source(testing::inputs_for(stencil, {1, ny, nx}),
                       std::numeric_limits<T>::quiet_NaN());
        source.set([](Index, Index y, Index x) { return 100 * y + x; });
        const auto both = compute_both(stencil, source, {1, ny, nx});
        ASSERT_TRUE(both.guards_untouched) << height << " on " << ny << " x " << nx;
        for (std::size_t k = 0; k < both.cpu.size(); ++k) {
          ASSERT_EQ(double(both.cpu[k]), both.reference[k])
              << height << " on " << ny << " x " << nx << " at " << k;
        }
      }
    }
  }
}

/// Masks whose widths are near multiples of a vector, or near the limits of the pieces of long
/// masks. Rows whose lengths are near whole blocks and chunks, one row at a time and several rows
/// at the same time.
TYPED_TEST(ConvolveCpu, EveryWidthOfALine) {
  using T = TypeParam;
  std::mt19937 random(7);
  std::uniform_int_distribution<int> tap(-3, 3);
  for (const Index width : {1,  2,  5,  8,  9,  15, 16, 17, 18,  24,  25,  31,  32,  33,  34,
                            48, 49, 64, 65, 81, 96, 97, 98, 112, 113, 128, 129, 192, 193, 257}) {
    for (const Index nx : {3, 8, 15, 16, 17, 31, 33, 127, 128, 129, 144, 160, 300, 9001}) {
      const Index ny = nx > 1000 ? 1 : 1 + nx % 6;
      const Mask mask = testing::drawn_mask(1, width, false, [&] { return tap(random); });
      const auto stencil = make_stencil<T>(mask, Method::direct, {1, 1}, {});
      Grid<T> source(testing::inputs_for(stencil, {1, ny, nx}),
                     std::numeric_limits<T>::quiet_NaN());
      source.set([](Index, Index y, Index x) { return 200 * y + x % 193; });
      const auto both = compute_both(stencil, source, {1, ny, nx});
      ASSERT_TRUE(both.guards_untouched) << width << " on " << ny << " x " << nx;
      for (std::size_t k = 0; k < both.cpu.size(); ++k) {
        ASSERT_EQ(double(both.cpu[k]), both.reference[k])
            << width << " on " << ny << " x " << nx << " at " << k;
      }
    }
  }
}

TYPED_TEST(ConvolveCpu, NothingToDoTouchesNothing) {
  using T = TypeParam;
  const auto stencil = make_stencil<T>(Mask::line({1, 1}), Method::direct, {1, 1}, {});
  for (const Point& extent : {Point{0, 3, 3}, Point{2, 0, 3}, Point{2, 3, 0}}) {
    Grid<T> target(extent, T(5));
    convolve_cpu<T>(stencil, FieldView<const T>{nullptr, {0, 0, 0}, 0, 0}, target.view());
    EXPECT_TRUE(target.guards_untouched());
  }
}

/// A mask along the batch axis is applied to views in which the two outer axes are exchanged.
TYPED_TEST(ConvolveCpu, TransposedViews) {
  using T = TypeParam;
  const auto stencil =
      make_stencil<T>(Mask::line({1, 10, 100}, y_axis), Method::direct, {1, 1}, {});
  Grid<T> source({6, 4, 40}, T(-1)), target({4, 4, 40}, T(-1));
  source.set([](Index b, Index y, Index x) { return 100 * b + 10 * y + x; });
  convolve_cpu<T>(stencil, source.read().transposed_outer(), target.view().transposed_outer());
  ASSERT_TRUE(target.guards_untouched());
  for (Index b = 0; b < 4; ++b) {
    for (Index y = 0; y < 4; ++y) {
      for (Index x = 0; x < 40; ++x) {
        ASSERT_EQ(target.read().at(b, y, x), T(111 * (100 * b + 10 * y + x) + 21000));
      }
    }
  }
}

/// A tap of 0 turns a NaN under it into a NaN output, but has no effect where such taps are
/// skipped.
TYPED_TEST(ConvolveCpu, TapsOfZeroMeetPointsThatAreNoNumbers) {
  using T = TypeParam;
  std::mt19937 random(11);
  Index no_numbers[2] = {0, 0};
  for (const Size& size : std::vector<Size>{{1, 5}, {5, 1}, {3, 3}, {2, 4}, {9, 2}, {1, 40}}) {
    for (const auto& stride : strides) {
      for (const bool multiplied : {false, true}) {
        Mask mask = testing::drawn_mask(size.height, size.width, false,
                                        [&] { return random() % 3 == 0 ? 0 : 1; });
        mask.multiply_zeros = multiplied;
        const auto stencil = make_stencil<T>(mask, Method::direct, stride, {});
        const Point extent{1, 7, 61};
        Grid<T> source(testing::inputs_for(stencil, extent), T(0));
        source.set([&](Index, Index, Index) { return random() % 90 == 0 ? std::nan("") : 1; });
        const auto both = compute_both(stencil, source, extent);
        for (std::size_t k = 0; k < both.cpu.size(); ++k) {
          ASSERT_EQ(std::isnan(both.cpu[k]), std::isnan(both.reference[k]))
              << size.height << " x " << size.width << " strides " << stride[0] << " " << stride[1]
              << (multiplied ? " multiplied" : " skipped") << " at " << k;
          no_numbers[multiplied] += std::isnan(both.cpu[k]);
        }
      }
    }
  }
  EXPECT_GT(no_numbers[0], 0);
  EXPECT_GT(no_numbers[1], no_numbers[0]);
}

TYPED_TEST(ConvolveCpu, MaskOfSkippedZerosGivesZero) {
  using T = TypeParam;
  const Mask mask = Mask::grid(std::vector<double>(9, 0.0), 3, 3);
  const auto stencil = make_stencil<T>(mask, Method::direct, {1, 1}, {});
  Grid<T> source({1, 5, 40}, T(1)), target({1, 3, 38}, T(7));
  source.set([](Index, Index, Index) { return std::nan(""); });
  convolve_cpu<T>(stencil, source.read(), target.view());
  for (const T value : target.points_of()) ASSERT_EQ(value, T(0));
}

}  // namespace
}  // namespace stencil
