// Transforms of masks of three axes: results are close to the reference, have the same bits for
// every window, and are NaN where direct sums are NaN.
#include "kernels/cpu/fft_volume_walk.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

#include "tests/kernels/conditions.hpp"
#include "tests/kernels/cpu/fft_outputs.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using testing::available;
using testing::Conditions;
using testing::expect_same_bits;
using testing::Grid;
using testing::outputs;

/// The mask, the tiles and the outputs of one call.
struct Case {
  Point taps;
  std::array<Index, 2> points;
  Point extent;
  Point stride{1, 1, 1};
  Index lead = 0;

  FftTiles tiles() const {
    return {{points[0], taps[1]}, {points[1], taps[2], fft_tile_unit, lead}, false, taps[0]};
  }
  std::string text() const {
    return fmt::format("taps {}, outputs {}, stride {}", to_string(taps), to_string(extent),
                       to_string(stride));
  }
  /// @param zeros  every tap whose index is a multiple of this is 0; 0: none
  template <class T>
  Stencil<T> stencil(Method method = Method::fft, Index zeros = 0) const {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    Taps list{taps[1], taps[2], std::vector<double>(std::size_t(stencil::points(taps))), taps[0]};
    for (double& tap : list.values) tap = normal(random);
    for (Index k = 0; zeros > 0 && k < list.count(); k += zeros) list.values[std::size_t(k)] = 0;
    return bound<T>(Mask::volume(std::move(list)), method);
  }
  template <class T>
  Stencil<T> bound(const Mask& mask, Method method = Method::fft) const {
    auto made = make_stencil<T>(mask, method, {stride[1], stride[2]}, {}, {}, tiles());
    made.plane_stride = stride[0];
    return made;
  }
  template <class T>
  Grid<T> inputs(unsigned seed) const {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Grid<T> grid(testing::inputs_for(stencil<T>(Method::direct), extent),
                 std::numeric_limits<T>::quiet_NaN());
    return grid.set([&](Index, Index, Index) { return normal(random); });
  }
};

std::vector<Case> cases() {
  return {{{2, 2, 2}, {64, 32}, {1, 1, 1}},
          {{3, 3, 5}, {64, 32}, {11, 70, 40}},
          {{7, 9, 17}, {64, 32}, {9, 100, 41}},
          {{5, 31, 20}, {64, 64}, {6, 70, 90}},
          {{12, 4, 3}, {128, 64}, {30, 20, 30}},
          {{4, 11, 13}, {128, 256}, {3, 130, 300}},
          {{3, 6, 7}, {64, 64}, {7, 40, 61}, {2, 2, 3}},
          {{2, 6, 7}, {64, 64}, {9, 12, 11}, {5, 19, 25}},
          {{6, 7, 9}, {128, 128}, {5, 130, 130}, {1, 1, 1}, 9},
          {{9, 12, 15}, {64, 64}, {13, 60, 70}, {3, 1, 2}, 4}};
}

/// All outputs, computed in windows, each from exactly the inputs that its tiles read.
template <class T>
std::vector<T> outputs_in_windows(const Case& c, const Stencil<T>& stencil, const Grid<T>& source,
                                  const Point& longest) {
  std::mt19937 random(5);
  const auto cuts = [&](int axis) {
    std::vector<Interval> parts;
    for (Index first = 0; first < c.extent[axis]; first = parts.back().last)
      parts.push_back(
          {first, std::min<Index>(c.extent[axis], first + 1 + Index(random()) % longest[axis])});
    return parts;
  };
  Grid<T> target(c.extent, T(-12345.5));
  for (const Interval& planes : cuts(batch_axis))
    for (const Interval& rows : cuts(y_axis))
      for (const Interval& columns : cuts(x_axis)) {
        Box box, reads;
        box.set(batch_axis, planes);
        box.set(y_axis, rows);
        box.set(x_axis, columns);
        reads.set(batch_axis,
                  {planes.first * c.stride[0], (planes.last - 1) * c.stride[0] + c.taps[0]});
        reads.set(y_axis, c.tiles().y.reads(rows, c.stride[1], c.extent[1]));
        reads.set(x_axis, c.tiles().x.reads(columns, c.stride[2], c.extent[2]));
        // points around the window must not be read
        Grid<T> part(reads.extent(), std::numeric_limits<T>::quiet_NaN());
        part.set(
            [&](Index b, Index y, Index x) { return source.read().window(reads).at(b, y, x); });
        convolve_cpu<T>(stencil, part.read(), target.view().window(box),
                        {columns.first, c.extent[2], rows.first, c.extent[1]});
      }
  EXPECT_TRUE(target.guards_untouched());
  return target.points_of();
}

template <class T>
class FftVolume : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FftVolume, Types);

/// The sum in long double, because the rounding errors of the reference are as large as those of a
/// transform.
template <class T>
long double exact(const Stencil<T>& stencil, FieldView<const T> source, const Point& at) {
  long double sum = 0;
  const T* tap = stencil.taps.data();
  for (Index k = 0; k < stencil.depth; ++k)
    for (Index j = 0; j < stencil.height; ++j)
      for (Index i = 0; i < stencil.width; ++i)
        sum += (long double)(*tap++) * source.at(at[0] * stencil.plane_stride + k,
                                                 at[1] * stencil.stride[0] + j,
                                                 at[2] * stencil.stride[1] + i);
  return sum;
}

TYPED_TEST(FftVolume, RoundsNoMoreThanAFewTimes) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 1)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = c.inputs<T>(2);
    const auto found = outputs(stencil, source, c.extent);
    double energy = 0;
    for (const T tap : stencil.taps) energy += double(tap) * double(tap);
    const double bound =
        std::min(20 * double(std::numeric_limits<T>::epsilon()) * std::sqrt(energy),
                 testing::error_bound<T>(stencil, source.read()));
    constexpr Index some = 5;  // every output whose index is a multiple of this is compared
    for (Index k = 0; k < Index(found.size()); k += some) {
      const Point at{k / c.extent[2] / c.extent[1], k / c.extent[2] % c.extent[1], k % c.extent[2]};
      ASSERT_LE(std::abs(found[std::size_t(k)] - exact(stencil, source.read(), at)), bound)
          << c.text() << " at " << k;
    }
  }
}

TYPED_TEST(FftVolume, AnyWindowGivesTheBitsOfTheWhole) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 2)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = c.inputs<T>(3);
    const auto whole = outputs(stencil, source, c.extent);
    for (const Point longest : {Point{3, 60, 400}, Point{9, 400, 50}})
      expect_same_bits(whole, outputs_in_windows(c, stencil, source, longest), c.text());
  }
}

TYPED_TEST(FftVolume, EveryExtensionAndThreadCountGivesTheSameBits) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 1)) {
    const auto stencil = c.stencil<T>();
    Grid<T> source = c.inputs<T>(4);
    source.view().at(0, 1, 1) = std::numeric_limits<T>::infinity();
    std::vector<T> first;
    {
      const Conditions conditions("baseline", 1);
      first = outputs(stencil, source, c.extent);
    }
    for (const char* extension : {"baseline", "avx2", "avx512"}) {
      if (!available(extension)) continue;
      for (const int threads : {1, 2, 5}) {
        const Conditions conditions(extension, threads);
        expect_same_bits(first, outputs(stencil, source, c.extent), c.text() + " " + extension);
      }
    }
  }
}

/// The same outputs as in direct sums are NaN or infinite, and all other outputs are close to the
/// direct sums. Bad inputs (NaN or Inf) under taps of 0 are ignored, as in direct sums.
TYPED_TEST(FftVolume, NanAndInfinityReachAsFarAsWithTheDirectSum) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  const std::vector<Case> some{{{5, 12, 10}, {64, 128}, {9, 60, 130}},
                               {{4, 9, 12}, {64, 128}, {8, 40, 30}, {2, 2, 3}},
                               {{3, 10, 18}, {64, 64}, {9, 60, 90}, {1, 1, 1}, 13}};
  for (const Case& c : testing::sampled(some, 1))
    for (const Index zeros : {0, 3}) {
      const auto fft = c.stencil<T>(Method::fft, zeros),
                 direct = c.stencil<T>(Method::direct, zeros);
      for (const T value : {nan, infinity, -infinity}) {
        Grid<T> source = c.inputs<T>(6);
        source.view().at(0, 0, 0) = value;
        source.view().at(6, 50, 61) = value;
        source.view().at(7, 23, 31) = nan;
        const auto expected = outputs(direct, source, c.extent),
                   found = outputs(fft, source, c.extent);
        const double bound = 2 * testing::error_bound<T>(direct, source.read());
        Index bad = 0;
        for (std::size_t k = 0; k < found.size(); ++k) {
          ASSERT_EQ(std::isnan(found[k]), std::isnan(expected[k])) << c.text() << " at " << k;
          ASSERT_EQ(std::isinf(found[k]), std::isinf(expected[k])) << c.text() << " at " << k;
          if (std::isfinite(found[k])) {
            ASSERT_NEAR(double(found[k]), double(expected[k]), bound) << c.text() << " at " << k;
          } else {
            ++bad;
          }
        }
        EXPECT_GT(bad, 0);
        expect_same_bits(found, outputs_in_windows(c, fft, source, {3, 90, 60}), "in windows");
      }
    }
}

/// Sums that can be represented although their transform overflows.
TYPED_TEST(FftVolume, OverflowOfATransformIsSummedDirectly) {
  using T = TypeParam;
  const Case c{{3, 5, 6}, {64, 64}, {5, 70, 60}};
  Taps taps{5, 6, std::vector<double>(90, 0.0), 3};
  taps.values[33] = 0.5;
  const auto fft = c.bound<T>(Mask::volume(taps));
  Grid<T> source(testing::inputs_for(fft, c.extent), T(0));
  source.set([](Index, Index, Index) { return std::numeric_limits<T>::max() / 2; });
  for (const T value : outputs(fft, source, c.extent))
    ASSERT_EQ(value, std::numeric_limits<T>::max() / 4);
}

}  // namespace
}  // namespace stencil
