// Renormalized sums over valid points: convolve_cpu compared with the reference.

#include <gtest/gtest.h>

#include "tests/kernels/grid_data.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using testing::compute_both;
using testing::Grid;

template <class T>
class ConvolveMissing : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ConvolveMissing, Types);

template <class T, class Value>
Grid<T> with_missing(const Point& extent, double share, std::mt19937& random, Value value) {
  // The values around the points are large and valid, so that reading one of them causes a large
  // error.
  Grid<T> grid(extent, T(1e30));
  std::bernoulli_distribution missing(share);
  grid.set([&](Index b, Index y, Index x) {
    const double point = value(b, y, x);
    return missing(random) ? std::nan("") : point;
  });
  return grid;
}

/// Returns the number of outputs that are not missing. Fails if an output differs from the
/// reference by more than `bound`, or if only one of the two is missing.
template <class Both>
Index count_near(const Both& both, double bound) {
  Index near = 0, wrong = 0;
  for (std::size_t k = 0; k < both.cpu.size(); ++k) {
    const double found = both.cpu[k], expected = both.reference[k];
    if (std::isnan(found) && std::isnan(expected)) continue;
    if (std::abs(found - expected) <= bound) {
      ++near;
    } else if (wrong++ == 0) {
      ADD_FAILURE() << "at " << k << " " << found << " and not " << expected;
    }
  }
  EXPECT_EQ(wrong, 0);
  return near;
}

const std::vector<std::array<Index, 2>> sizes{{1, 1}, {1, 5}, {6, 1},  {3, 3},
                                              {4, 7}, {9, 2}, {1, 33}, {15, 15}};
const std::vector<Point> extents{{1, 1, 1}, {2, 5, 7}, {1, 9, 97}, {1, 1, 1031}, {2, 70, 40}};
const std::vector<std::array<Index, 2>> strides{{1, 1}, {2, 3}, {4, 1}};

/// Calls `check(stencil, extent, share of missing points)` for many random cases. The quick run
/// tries two of the four minima of the valid weight, in turns.
template <class T, class Draw, class Check>
void for_many(Draw draw, const Check& check) {
  int n = 0, turn = 0;
  for (const auto& [height, width] : sizes) {
    for (const bool outer : {false, true}) {
      for (const Point& extent : extents) {
        const Mask mask = testing::drawn_mask(height, width, outer, draw);
        for (const double share : {0.0, 0.1, 0.6, 1.0}) {
          for (const double min_valid :
               testing::sampled(std::vector<double>{0.0, 0.5, 0.83, 1.0}, turn++ % 2)) {
            const auto stencil = make_stencil<T>(mask, outer ? Method::separable : Method::direct,
                                                 strides[n++ % 3], min_valid);
            check(stencil, extent, share);
          }
        }
        ++turn;  // the next extent has the other minima for each share
      }
    }
  }
}

/// Taps are powers of two and points are small integers: sums and weights are exact, and only the
/// division and the multiplication of the rescaling round.
TYPED_TEST(ConvolveMissing, ExactWeights) {
  using T = TypeParam;
  std::mt19937 random(6);
  std::uniform_int_distribution<int> power(0, 2);
  const double eps = std::numeric_limits<T>::epsilon();
  Index missing = 0, rescaled = 0, whole = 0;
  const auto check = [&](const Stencil<T>& stencil, const Point& extent, double share) {
    const Grid<T> source =
        with_missing<T>(testing::inputs_for(stencil, extent), share, random,
                        [](Index b, Index y, Index x) { return double(b + (10 * y + x) % 128); });
    const auto both = compute_both(stencil, source, extent);
    ASSERT_TRUE(both.guards_untouched);
    for (std::size_t k = 0; k < both.cpu.size(); ++k) {
      const double expected = both.reference[k];
      ASSERT_EQ(std::isnan(both.cpu[k]), std::isnan(expected))
          << stencil.height << " x " << stencil.width << " missing " << share << " min_valid "
          << *stencil.min_valid << " at " << k << ": " << both.cpu[k] << " " << expected;
      if (std::isnan(expected)) {
        ++missing;
        continue;
      }
      ASSERT_NEAR(double(both.cpu[k]), expected, share == 0 ? 0 : 2 * eps * std::abs(expected));
      ++(share == 0 ? whole : rescaled);
    }
  };
  for_many<T>([&] { return std::ldexp(1.0, power(random)); }, check);
  EXPECT_GT(missing, 10000);
  EXPECT_GT(rescaled, 10000);
  EXPECT_GT(whole, 10000);
}

TYPED_TEST(ConvolveMissing, RandomNumbersStayWithinTheBound) {
  using T = TypeParam;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> tap(0.25, 1);
  std::normal_distribution<double> normal;
  const auto check = [&](const Stencil<T>& stencil, const Point& extent, double share) {
    const Grid<T> source = with_missing<T>(testing::inputs_for(stencil, extent), share, random,
                                           [&](Index, Index, Index) { return normal(random); });
    const auto both = compute_both(stencil, source, extent);
    // The errors are those of the sum, of the two weights, and of the rescaling by
    // sum(M) / sum(valid M), which is at most 1 / min_valid.
    const double scale = std::max(1.0, 1 / std::max(*stencil.min_valid, 1e-3));
    const double bound = 3 * scale * testing::error_bound<T>(stencil, source.read());
    for (std::size_t k = 0; k < both.cpu.size(); ++k) {
      if (std::isnan(both.reference[k])) {
        ASSERT_TRUE(std::isnan(both.cpu[k]));
      } else {
        ASSERT_NEAR(double(both.cpu[k]), both.reference[k], bound);
      }
    }
  };
  for_many<T>([&] { return tap(random); }, check);
}

/// Taps of both signs: the weight is the sum of absolute values, not the absolute value of the sum.
TYPED_TEST(ConvolveMissing, MixedSigns) {
  using T = TypeParam;
  const double nan = std::nan("");
  const Mask line = Mask::line({-1, 4, -1});
  const Mask plane = Mask::outer({-1, 4, -1}, {1, 1});
  for (const double min_valid : {0.3, 0.5, 0.7, 0.9}) {
    std::mt19937 random(8);
    for (const bool outer : {false, true}) {
      const auto stencil = make_stencil<T>(
          outer ? plane : line, outer ? Method::separable : Method::direct, {1, 1}, min_valid);
      Grid<T> source(testing::inputs_for(stencil, {1, 20, 70}), T(1e30));
      std::bernoulli_distribution missing(0.3);
      source.set([&](Index, Index y, Index x) { return missing(random) ? nan : double(y + x); });
      const auto both = compute_both(stencil, source, {1, 20, 70});
      // The points are at most 94 here, and sum(M) is at most twice the sum over valid points.
      const double bound = 1e4 * std::numeric_limits<T>::epsilon();
      for (std::size_t k = 0; k < both.cpu.size(); ++k) {
        if (std::isnan(both.reference[k])) {
          ASSERT_TRUE(std::isnan(both.cpu[k])) << k;
        } else {
          ASSERT_NEAR(both.cpu[k], both.reference[k], bound);
        }
      }
    }
  }
}

/// Points are missing in some places of a grid and not around them, so walks alternate between
/// plain sums and sums over valid points, and grids have several parts of each kind.
TYPED_TEST(ConvolveMissing, PlacesWithMissingPoints) {
  using T = TypeParam;
  std::mt19937 random(11);
  int turn = sizeof(T) == 8;
  std::normal_distribution<double> normal;
  struct Shape {
    Index height, width;
    bool outer;
    std::array<Index, 2> stride;
  };
  for (const Shape& shape : std::vector<Shape>{{1, 17, false, {1, 1}},
                                               {19, 1, false, {1, 1}},
                                               {5, 5, false, {1, 1}},
                                               {9, 9, true, {1, 1}},
                                               {3, 5, false, {2, 3}},
                                               {9, 5, true, {3, 2}},
                                               {5, 5, true, {7, 1}}}) {
    for (const bool mixed : testing::sampled(std::vector<bool>{false, true}, turn++ % 2)) {
      const auto draw = [&] { return (mixed ? -0.1 : 0.2) + std::abs(normal(random)); };
      const Mask mask = testing::drawn_mask(shape.height, shape.width, shape.outer, draw);
      const auto stencil = make_stencil<T>(mask, shape.outer ? Method::separable : Method::direct,
                                           shape.stride, 0.9);
      for (const Point& extent : std::vector<Point>{{1, 1, 40000}, {2, 110, 1500}}) {
        Grid<T> source(testing::inputs_for(stencil, extent), T(1e30));
        source.set([&](Index b, Index y, Index x) {
          const bool here = x / 700 % 3 == 1 && (y + 40 * b) / 60 % 2 == 0;
          return here && random() % 300 == 0 ? std::nan("") : normal(random);
        });
        const auto both = compute_both(stencil, source, extent);
        ASSERT_TRUE(both.guards_untouched);
        const double bound = 30 * testing::error_bound<T>(stencil, source.read());
        EXPECT_GT(count_near(both, bound), points(extent) / 2);
      }
    }
  }
}

/// Strides much larger than the mask, and masks much larger than a block.
TYPED_TEST(ConvolveMissing, FewOutputsOfManyInputs) {
  using T = TypeParam;
  std::mt19937 random(12);
  std::normal_distribution<double> normal;
  struct Shape {
    Index height, width;
    bool outer;
    std::array<Index, 2> stride;
    Point extent;
  };
  for (const Shape& shape : std::vector<Shape>{{3, 3, false, {1, 1000}, {1, 9, 70}},
                                               {3, 3, true, {1000, 1}, {1, 9, 70}},
                                               {3, 3, true, {50, 60}, {2, 9, 30}},
                                               {1, 3, false, {1000, 2}, {1, 9, 70}},
                                               {90, 110, true, {40, 60}, {1, 5, 20}},
                                               {150, 400, true, {1, 1}, {1, 280, 6}},
                                               {40, 50, false, {1, 1}, {1, 90, 120}}}) {
    const Mask mask = testing::drawn_mask(shape.height, shape.width, shape.outer,
                                          [&] { return 0.2 + std::abs(normal(random)); });
    const auto stencil =
        make_stencil<T>(mask, shape.outer ? Method::separable : Method::direct, shape.stride, 0.5);
    const Grid<T> source = with_missing<T>(testing::inputs_for(stencil, shape.extent), 0.1, random,
                                           [&](Index, Index, Index) { return normal(random); });
    const auto both = compute_both(stencil, source, shape.extent);
    ASSERT_TRUE(both.guards_untouched);
    const double bound = 6 * testing::error_bound<T>(stencil, source.read());
    EXPECT_GT(count_near(both, bound), points(shape.extent) / 2);
  }
}

/// Without missing points, the bits are those of the plain sum.
TYPED_TEST(ConvolveMissing, NothingMissingChangesNoBit) {
  using T = TypeParam;
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  for (const bool outer : {false, true}) {
    const Mask mask = testing::drawn_mask(5, 7, outer, [&] { return std::abs(normal(random)); });
    const Method method = outer ? Method::separable : Method::direct;
    const auto plain = make_stencil<T>(mask, method, {1, 1}, {});
    const auto renormalized = make_stencil<T>(mask, method, {1, 1}, 1.0);
    Grid<T> source(testing::inputs_for(plain, {2, 30, 150}), T(0));
    source.set([&](Index, Index, Index) { return normal(random); });
    const auto a = compute_both(plain, source, {2, 30, 150}).cpu;
    const auto b = compute_both(renormalized, source, {2, 30, 150}).cpu;
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(T)), 0);
  }
}

/// The output of a constant input is the constant wherever enough points are valid.
TYPED_TEST(ConvolveMissing, ConstantStaysConstant) {
  using T = TypeParam;
  std::mt19937 random(10);
  Index kept = 0;
  for (const bool outer : {false, true}) {
    const Mask mask = Mask::outer({0.25, 0.5, 0.25}, {0.25, 0.5, 0.25});
    const auto stencil =
        make_stencil<T>(mask, outer ? Method::separable : Method::direct, {1, 1}, 0.2);
    const Grid<T> source =
        with_missing<T>({1, 42, 52}, 0.3, random, [](Index, Index, Index) { return 3.0; });
    for (const T value : compute_both(stencil, source, {1, 40, 50}).cpu) {
      if (std::isnan(value)) continue;
      ASSERT_NEAR(value, 3, 8 * std::numeric_limits<T>::epsilon());
      ++kept;
    }
  }
  EXPECT_GT(kept, 3000);
}

}  // namespace
}  // namespace stencil
