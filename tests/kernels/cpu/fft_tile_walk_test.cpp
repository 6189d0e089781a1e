// Method fft of 2D masks: the transform is compared with the definition, and results with the
// reference; results have the same bits for every window, vector extension and number of threads.
// Tiles with results that are not finite and sums over valid points are tested, too.

#include "kernels/cpu/fft_tile_walk.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "kernels/cpu/fft_tile_reach.hpp"
#include "tests/kernels/conditions.hpp"
#include "tests/kernels/cpu/fft_outputs.hpp"
#include "tests/kernels/grid_data.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using cpu::FftTileReach;
using testing::available;
using testing::Conditions;
using testing::expect_same_bits;
using testing::Grid;
using testing::outputs;

std::vector<double> normal_numbers(Index count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(count);
  for (double& number : numbers) number = normal(random);
  return numbers;
}

template <class T>
Grid<T> normal_points(const Point& extent, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Grid<T> grid(extent, std::numeric_limits<T>::quiet_NaN());
  return grid.set([&](Index, Index, Index) { return normal(random); });
}

/// The mask, the tiles and the outputs of one call.
struct Case {
  Index height, width;
  std::array<Index, 2> points;
  Point extent;
  std::array<Index, 2> stride{1, 1};
  /// If set, sums over valid points are computed, and all taps are between 0.5 and 1.5.
  std::optional<double> min_valid{};
  Index lead = 0;
  bool mixed = false;  ///< every fourth tap is multiplied by -1

  FftTiles tiles() const { return {{points[0], height}, {points[1], width, fft_tile_unit, lead}}; }
  std::string text() const {
    return fmt::format(
        "{} x {} taps, tiles of {} x {} behind {}, {} x {} x {} outputs, stride {} {}", height,
        width, points[0], points[1], lead, extent[0], extent[1], extent[2], stride[0], stride[1]);
  }
  /// @param zeros  every tap whose index is a multiple of this is 0; 0: none
  template <class T>
  Stencil<T> stencil(Method method = Method::fft, Index zeros = 0) const {
    std::vector<double> taps = normal_numbers(height * width, 1);
    if (min_valid)
      for (double& tap : taps) tap = 1 + std::tanh(tap) / 2;
    for (Index k = 0; zeros > 0 && k < Index(taps.size()); k += zeros) taps[k] = 0;
    for (Index k = 1; mixed && k < Index(taps.size()); k += 4) taps[k] *= -1;
    return make_stencil<T>(Mask::grid(taps, height, width), method, stride, min_valid, {}, tiles());
  }
  template <class T>
  Grid<T> inputs(unsigned seed) const {
    return normal_points<T>(testing::inputs_for(stencil<T>(Method::direct), extent), seed);
  }
};

std::vector<Case> cases() {
  return {{2, 2, {64, 32}, {1, 1, 1}},
          {3, 5, {64, 32}, {2, 150, 70}},
          {9, 17, {64, 32}, {1, 200, 41}},
          {31, 20, {64, 64}, {1, 100, 130}},
          {40, 3, {64, 128}, {3, 60, 125}},  // more rows of taps than rows of a transform
          {64, 2, {64, 64}, {1, 5, 50}},     // one row of outputs
          {7, 49, {128, 64}, {1, 130, 40}},
          {11, 13, {128, 256}, {1, 300, 500}},
          {5, 5, {256, 64}, {1, 500, 100}},
          {33, 31, {512, 128}, {1, 70, 300}},
          {6, 7, {64, 64}, {1, 77, 61}, {2, 3}},
          {6, 7, {64, 64}, {2, 12, 11}, {19, 25}},
          {10, 9, {64, 512}, {1, 60, 1100}, {1, 2}},
          {21, 12, {1024, 32}, {1, 1030, 33}},
          {9, 8, {64, 64}, {1, 130, 141}, {1, 1}, {}, 1},
          {7, 9, {128, 128}, {2, 260, 250}, {1, 1}, {}, 9},
          {33, 3, {64, 64}, {1, 90, 200}, {1, 1}, {}, 15},
          {4, 30, {256, 64}, {1, 300, 70}, {2, 1}, {}, 8}};
}

/// All outputs, computed in windows, each from exactly the inputs that its tiles read.
template <class T>
std::vector<T> outputs_in_windows(const Case& c, const Stencil<T>& stencil, const Grid<T>& source,
                                  Index longest) {
  std::mt19937 random(5);
  const auto cuts = [&](Index all) {
    std::vector<Interval> parts;
    for (Index first = 0; first < all; first = parts.back().last)
      parts.push_back({first, std::min<Index>(all, first + 1 + random() % longest)});
    return parts;
  };
  Grid<T> target(c.extent, T(-12345.5));
  for (const Interval& rows : cuts(c.extent[1]))
    for (const Interval& columns : cuts(c.extent[2])) {
      Box box = make_box(c.extent), reads = box;
      box.set(y_axis, rows);
      box.set(x_axis, columns);
      reads.set(y_axis, c.tiles().y.reads(rows, c.stride[0], c.extent[1]));
      reads.set(x_axis, c.tiles().x.reads(columns, c.stride[1], c.extent[2]));
      // points around the window must not be read
      Grid<T> part(reads.extent(), std::numeric_limits<T>::quiet_NaN());
      part.set([&](Index b, Index y, Index x) { return source.read().window(reads).at(b, y, x); });
      convolve_cpu<T>(stencil, part.read(), target.view().window(box),
                      {columns.first, c.extent[2], rows.first, c.extent[1]});
    }
  EXPECT_TRUE(target.guards_untouched());
  return target.points_of();
}

/// The sum in long double, because the rounding errors of the reference are as large as those of a
/// transform.
template <class T>
long double exact(const Stencil<T>& stencil, const Grid<T>& source, const Point& at) {
  long double sum = 0;
  for (Index j = 0; j < stencil.height; ++j)
    for (Index i = 0; i < stencil.width; ++i)
      sum += (long double)(stencil.taps[j * stencil.width + i]) *
             source.read().at(at[0], at[1] * stencil.stride[0] + j, at[2] * stencil.stride[1] + i);
  return sum;
}

template <class T>
class FftTile : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FftTile, Types);

/// The bound is far below the (2w + 4) eps of a direct sum, so that an error of one twiddle factor
/// is detected.
TYPED_TEST(FftTile, RoundsNoMoreThanAFewTimes) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 0)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = c.inputs<T>(2);
    const auto found = outputs(stencil, source, c.extent);
    double energy = 0;
    for (const T tap : stencil.taps) energy += double(tap) * double(tap);
    const double bound =
        std::min(12 * double(std::numeric_limits<T>::epsilon()) * std::sqrt(energy),
                 testing::error_bound<T>(stencil, source.read()));
    for (Index k = 0; k < Index(found.size()); ++k) {
      const Point at{k / c.extent[2] / c.extent[1], k / c.extent[2] % c.extent[1], k % c.extent[2]};
      ASSERT_LE(std::abs(found[k] - exact(stencil, source, at)), bound) << c.text() << " at " << k;
    }
  }
}

/// The results agree with the reference within the promised bound.
TYPED_TEST(FftTile, AgreesWithTheReference) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 1)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = c.inputs<T>(2);
    const auto both = testing::compute_both(stencil, source, c.extent);
    ASSERT_TRUE(both.guards_untouched) << c.text();
    const double bound = testing::error_bound<T>(stencil, source.read());
    for (std::size_t k = 0; k < both.cpu.size(); ++k)
      ASSERT_NEAR(double(both.cpu[k]), both.reference[k], bound) << c.text() << " at " << k;
  }
}

TYPED_TEST(FftTile, AnyWindowGivesTheBitsOfTheWhole) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 0)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = c.inputs<T>(3);
    const auto whole = outputs(stencil, source, c.extent);
    for (const Index longest : {60, 400})
      expect_same_bits(whole, outputs_in_windows(c, stencil, source, longest), c.text());
  }
}

TYPED_TEST(FftTile, EveryExtensionAndThreadCountGivesTheSameBits) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 1)) {
    const auto stencil = c.stencil<T>();
    Grid<T> source = c.inputs<T>(4);
    if (c.extent[1] > 100) source.view().at(0, 60, 7) = std::numeric_limits<T>::infinity();
    std::vector<T> first;
    {
      const Conditions conditions("baseline", 1);
      first = outputs(stencil, source, c.extent);
    }
    for (const char* extension : {"baseline", "avx2", "avx512"}) {
      if (!available(extension)) continue;
      for (const int threads : testing::sampled(std::vector<int>{1, 2, 5}, 1)) {
        const Conditions conditions(extension, threads);
        expect_same_bits(first, outputs(stencil, source, c.extent), c.text() + " " + extension);
      }
    }
  }
}

/// Outputs in cells that a bad input (NaN or Inf) affects are those of the direct sum; all other
/// outputs are as if the bad input were 0. Bad inputs under taps of 0 are ignored, as in direct
/// sums.
TYPED_TEST(FftTile, NanAndInfinityReachAsFarAsWithTheDirectSum) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  const std::vector<Case> some{{20, 18, {128, 128}, {1, 230, 260}},
                               {9, 12, {64, 128}, {2, 70, 60}, {2, 3}},
                               {20, 18, {128, 128}, {1, 230, 260}, {1, 1}, {}, 13}};
  for (const Case& c : some)
    for (const Index zeros : {0, 3}) {
      const auto fft = c.stencil<T>(Method::fft, zeros),
                 direct = c.stencil<T>(Method::direct, zeros);
      int number = 0;
      for (const T value : {nan, infinity, -infinity})
        for (const auto& [y, x] : {std::pair{Index{0}, Index{0}}, {108, 113}, {139, 100}}) {
          Grid<T> source = c.inputs<T>(6), zeroed = source;
          const Index b = number++ % c.extent[0];
          source.view().at(b, y, x) = value;
          zeroed.view().at(b, y, x) = 0;
          const auto summed = outputs(direct, source, c.extent);
          auto expected = outputs(fft, zeroed, c.extent);
          Index reached = 0;
          for (Index oy = 0; oy < c.extent[1]; ++oy)
            for (Index ox = 0; ox < c.extent[2]; ++ox) {
              const auto in_cell = [](const FftTileAxis& axis, Index output, Index input,
                                      Index cell) {
                const Index begin = output / axis.outputs() * axis.outputs();
                const Index first = (output - begin) / cell * cell;
                return input >= begin + first &&
                       input < begin + std::min(first + cell, axis.outputs()) + axis.width - 1;
              };
              if (!in_cell(c.tiles().y, oy * c.stride[0], y, fft_cell_rows) ||
                  !in_cell(c.tiles().x, ox * c.stride[1], x, fft_cell_columns))
                continue;
              const Index k = (b * c.extent[1] + oy) * c.extent[2] + ox;
              expected[k] = summed[k];
              ++reached;
            }
          EXPECT_GT(reached, 0);
          const auto found = outputs(fft, source, c.extent);
          expect_same_bits(expected, found, fmt::format("{} at {} {}", value, y, x));
          for (std::size_t k = 0; k < found.size(); ++k)
            ASSERT_EQ(std::isfinite(found[k]), std::isfinite(summed[k])) << "at " << k;
          expect_same_bits(found, outputs_in_windows(c, fft, source, 90), "in windows");
        }
    }
}

/// Sums that can be represented although their transform overflows.
TYPED_TEST(FftTile, OverflowOfATransformIsSummedDirectly) {
  using T = TypeParam;
  const Case c{5, 6, {64, 64}, {1, 130, 100}};
  std::vector<double> taps(30, 0.0);
  taps[3] = 0.5;
  const auto fft = make_stencil<T>(Mask::grid(taps, 5, 6), Method::fft, {1, 1}, {}, {}, c.tiles());
  Grid<T> source(testing::inputs_for(fft, c.extent), T(0));
  source.set([](Index, Index, Index) { return std::numeric_limits<T>::max() / 2; });
  for (const T value : outputs(fft, source, c.extent))
    ASSERT_EQ(value, std::numeric_limits<T>::max() / 4);
  expect_same_bits(outputs(fft, source, c.extent), outputs_in_windows(c, fft, source, 30), "");
}

/// If every third tap is 0, an output may have no valid point under its other taps, although valid
/// points are near.
std::vector<Case> renormalized_cases() {
  std::vector<Case> all;
  for (const double min_valid : {0.0, 0.02, 0.5, 1.0})
    for (Case c :
         {Case{9, 17, {64, 32}, {1, 200, 41}}, Case{31, 20, {64, 64}, {2, 100, 130}},
          Case{11, 13, {128, 256}, {1, 130, 500}}, Case{6, 7, {64, 64}, {1, 77, 61}, {2, 3}},
          Case{12, 15, {64, 128}, {1, 150, 260}, {1, 1}, {}, 9},
          Case{13, 14, {64, 64}, {1, 140, 110}, {1, 1}, {}, 0, true},
          Case{7, 6, {64, 64}, {1, 90, 75}, {2, 1}, {}, 0, true}}) {
      c.min_valid = min_valid;
      all.push_back(c);
    }
  return all;
}

/// Sets gaps in some places of a grid: a gap wider than the masks, a gap beyond a corner, a thin
/// gap, and single points. If `infinite`, one point far from the gaps is infinite.
template <class T>
Grid<T> with_gaps(Grid<T> grid, bool infinite) {
  const Point extent = grid.read().extent;
  std::mt19937 random(9);
  return grid.set([&](Index b, Index y, Index x) {
    const bool in_gap = (y > 20 && y < 75 && x > 4 && x < 40) || (y > 90 && x < 9) || y == 85 ||
                        (x < 60 && random() % 50 == 0);
    if (infinite && y == extent[1] - 3 && x == extent[2] / 2)
      return std::numeric_limits<T>::infinity();
    return in_gap ? std::numeric_limits<T>::quiet_NaN() : grid.read().at(b, y, x);
  });
}

/// The sum of the valid taps under each output, or the sum of their absolute values.
template <class T>
std::vector<double> valid_sums(const Case& c, const Grid<T>& source, Index zeros, bool absolute) {
  Stencil<T> stencil = c.template stencil<T>(Method::direct, zeros);
  stencil.min_valid.reset();
  for (T& tap : stencil.taps) tap = absolute ? std::abs(tap) : tap;
  Grid<T> marks = source;
  marks.set(
      [&](Index b, Index y, Index x) { return std::isnan(source.read().at(b, y, x)) ? 0 : 1; });
  return testing::compute_both(stencil, marks, c.extent).reference;
}

/// The same outputs are missing as in the reference, and the allowed error grows as the sum of the
/// valid taps becomes smaller.
TYPED_TEST(FftTile, LeavesMissingPointsOutAsTheReferenceDoes) {
  using T = TypeParam;
  constexpr double eps = std::numeric_limits<T>::epsilon();
  int turn = sizeof(T) == 8;
  for (const Case& c : testing::sampled(renormalized_cases(), 0))
    for (const Index zeros : testing::sampled(std::vector<Index>{0, 3}, turn++ % 2)) {
      const auto stencil = c.stencil<T>(Method::fft, zeros);
      const Grid<T> source = with_gaps(c.inputs<T>(2), false);
      const auto valid = valid_sums(c, source, zeros, false),
                 weights = valid_sums(c, source, zeros, true);
      double total = 0, weight = 0;
      for (const T tap : stencil.taps) total += double(tap), weight += std::abs(double(tap));
      const auto both = testing::compute_both(stencil, source, c.extent);
      ASSERT_TRUE(both.guards_untouched) << c.text();
      Index missing = 0, some = 0;
      for (std::size_t k = 0; k < both.cpu.size(); ++k) {
        const double share = weights[k] / weight, value = both.reference[k];
        if (share != 1 && std::abs(share - *c.min_valid) < 1000 * eps && share > 0) continue;
        ASSERT_EQ(std::isnan(both.cpu[k]), std::isnan(value))
            << c.text() << " at " << k << ", share " << share;
        missing += std::isnan(value) ? 1 : 0;
        some += share > 0 && share < 1 ? 1 : 0;
        if (std::isnan(value)) continue;
        // outputs are computed by transforms, or tap by tap if the valid weight is small
        const double roundings =
            std::abs(valid[k]) < weight / 30 ? 2 * double(stencil.taps.size()) + 4 : 20;
        ASSERT_NEAR(
            double(both.cpu[k]), value,
            roundings * eps * weight * (std::abs(total) + std::abs(value)) / std::abs(valid[k]))
            << c.text() << " at " << k << ", share " << share;
      }
      EXPECT_GT(missing, 0) << c.text();
      EXPECT_GT(some, 0) << c.text();
    }
}

/// If the valid points have only a tiny share of the weight, a transform has no correct digit, and
/// the output is summed directly.
TYPED_TEST(FftTile, LittleOfTheWeightIsEnough) {
  using T = TypeParam;
  const Case c{9, 17, {64, 32}, {1, 100, 60}};
  std::vector<double> taps(9 * 17, 1.0);
  for (Index j = 0; j < 9; ++j) taps[j * 17 + 16] = 1e-3;
  const auto stencil =
      make_stencil<T>(Mask::grid(taps, 9, 17), Method::fft, {1, 1}, 0.0, {}, c.tiles());
  Grid<T> source = c.inputs<T>(2);
  source.set([&](Index b, Index y, Index x) {
    return x < 30 ? std::numeric_limits<T>::quiet_NaN() : source.read().at(b, y, x);
  });
  const auto both = testing::compute_both(stencil, source, c.extent);
  for (std::size_t k = 0; k < both.cpu.size(); ++k) {
    ASSERT_EQ(std::isnan(both.cpu[k]), std::isnan(both.reference[k])) << "at " << k;
    if (!std::isnan(both.cpu[k])) {
      ASSERT_NEAR(double(both.cpu[k]), both.reference[k],
                  100 * double(std::numeric_limits<T>::epsilon()) * 153);
    }
  }
  EXPECT_TRUE(std::isnan(both.cpu[13]) && !std::isnan(both.cpu[14]));
}

TYPED_TEST(FftTile, LeavesMissingPointsOutWithTheSameBitsEverywhere) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(renormalized_cases(), 1)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = with_gaps(c.inputs<T>(3), true);
    std::vector<T> whole;
    {
      const Conditions conditions("baseline", 1);
      whole = outputs(stencil, source, c.extent);
    }
    for (const Index longest : {60, 400})
      expect_same_bits(whole, outputs_in_windows(c, stencil, source, longest), c.text());
    for (const char* extension : {"avx2", "avx512"}) {
      if (!available(extension)) continue;
      const Conditions conditions(extension, 3);
      expect_same_bits(whole, outputs(stencil, source, c.extent), c.text() + " " + extension);
    }
  }
}

/// If no point is missing, the bits are those of the ordinary sum.
TYPED_TEST(FftTile, SumsOfAllPointsAreThePlainOnes) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(renormalized_cases(), 0)) {
    const Grid<T> source = c.inputs<T>(5);
    const auto renormalized = outputs(c.stencil<T>(), source, c.extent);
    auto plain = c.stencil<T>();
    plain.min_valid.reset();
    expect_same_bits(outputs(plain, source, c.extent), renormalized, c.text());
  }
}

/// An infinity is a valid point: it affects the same outputs as in a direct sum.
TYPED_TEST(FftTile, InfinityIsNotMissing) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(renormalized_cases(), 1)) {
    const Grid<T> source = with_gaps(c.inputs<T>(3), true);
    const auto fft = outputs(c.stencil<T>(), source, c.extent),
               direct = outputs(c.stencil<T>(Method::direct), source, c.extent);
    Index infinite = 0;
    for (std::size_t k = 0; k < fft.size(); ++k) {
      ASSERT_EQ(std::isinf(fft[k]), std::isinf(direct[k])) << c.text() << " at " << k;
      infinite += std::isinf(fft[k]) ? 1 : 0;
    }
    if (c.stride[0] == 1) {
      EXPECT_GT(infinite, 0) << c.text();
    }
  }
}

TYPED_TEST(FftTile, SilenceStaysPlusZero) {
  using T = TypeParam;
  const Case c{5, 6, {64, 64}, {1, 80, 70}};
  for (const T zero : {T(0), -T(0)}) {
    Grid<T> source(testing::inputs_for(c.stencil<T>(), c.extent), T(0));
    source.set([&](Index, Index, Index) { return zero; });
    expect_same_bits(std::vector<T>(80 * 70, T(0)), outputs(c.stencil<T>(), source, c.extent),
                     "silence");
  }
}

TEST(FftTileStencil, IsForMasksThatFit) {
  const Index most = most_fft_tile / 2;
  const Mask tall = Mask::grid(std::vector<double>(2 * most + 2, 1), most + 1, 2);
  EXPECT_THROW(make_stencil<float>(tall, Method::fft, {1, 1}, {}), ShapeError);
}

}  // namespace
}  // namespace stencil
