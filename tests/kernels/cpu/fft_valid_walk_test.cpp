// Method fft with missing points, along rows and columns: results are compared with the reference,
// have the same bits for every window, vector extension and number of threads and, where no point
// is missing, the same bits as ordinary sums.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/kernels/conditions.hpp"
#include "tests/kernels/cpu/fft_outputs.hpp"
#include "tests/kernels/grid_data.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using testing::available;
using testing::Conditions;
using testing::expect_same_bits;
using testing::Grid;
using testing::outputs;
using testing::outputs_in_windows;

struct Case {
  Index width, points, outputs;
  bool along_y = false;
  Index stride = 1, batch = 1, across = 1;
  bool mixed = false;  ///< taps of both signs; otherwise all are between 0.5 and 1.5
  double min_valid = 0.5;

  int axis() const { return along_y ? y_axis : x_axis; }
  Point extent() const {
    return along_y ? Point{batch, outputs, across} : Point{batch, across, outputs};
  }
  std::string text() const {
    return fmt::format("{} taps{}, {} points, {} outputs, stride {}, {} x {} lines along {}, {}",
                       width, mixed ? " of both signs" : "", points, outputs, stride, batch, across,
                       along_y ? "y" : "x", min_valid);
  }
  /// @param change  function that is applied to each tap
  template <class T, class Change>
  Stencil<T> stencil(Method method, const Change& change) const {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> near_one(0.5, 1.5);
    std::vector<double> taps(width);
    for (Index k = 0; k < width; ++k)
      taps[k] = change(near_one(random) * (mixed && k % 3 == 1 ? -1 : 1));
    const std::array<Index, 2> strides =
        along_y ? std::array<Index, 2>{stride, 1} : std::array<Index, 2>{1, stride};
    return make_stencil<T>(Mask::line(taps, along_y ? y_axis : x_axis), method, strides, min_valid,
                           {points, width});
  }
  template <class T>
  Stencil<T> stencil(Method method = Method::fft) const {
    return stencil<T>(method, [](double tap) { return tap; });
  }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double min_valid : {0.0, 0.02, 0.5, 1.0})
    for (const bool mixed : {false, true})
      for (Case c : {Case{40, 256, 3000}, Case{131, 512, 1500, false, 1, 2, 3},
                     Case{70, 256, 900, false, 3, 1, 2}, Case{90, 512, 1100, false, 4, 1, 5},
                     Case{65, 256, 30, false, 24, 1, 3}, Case{40, 256, 800, true, 1, 2, 37},
                     Case{131, 512, 500, true, 2, 1, 70}, Case{70, 256, 300, true, 3, 1, 5}}) {
        c.mixed = mixed;
        c.min_valid = min_valid;
        all.push_back(c);
      }
  return all;
}

/// A grid of random numbers. Some lines have, beginning at a third of the axis, a gap wider than
/// the masks, thin gaps and single missing points. If `infinite`, one point is infinite.
template <class T>
Grid<T> with_gaps(const Case& c, bool infinite) {
  const auto stencil = c.stencil<T>();
  Grid<T> grid(testing::inputs_for(stencil, c.extent()), std::numeric_limits<T>::quiet_NaN());
  const Point extent = grid.read().extent;
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  return grid.set([&](Index, Index y, Index x) -> double {
    const Index along = c.along_y ? y : x, across = c.along_y ? x : y, all = extent[c.axis()];
    const double value = normal(random);
    if (infinite && along == all - 3 && across == 0) return std::numeric_limits<double>::infinity();
    const bool in_gap = along > all / 3 && across % 3 != 1 &&
                        ((along > all / 2 && along < all / 2 + 3 * c.width / 2) || along % 97 < 5 ||
                         random() % 60 == 0);
    return in_gap ? std::numeric_limits<double>::quiet_NaN() : value;
  });
}

/// For each output, the sum of `change(tap)` over the taps at valid points.
template <class T, class Change>
std::vector<double> valid_sums(const Case& c, const Grid<T>& source, const Change& change) {
  Case plain = c;
  auto stencil = plain.template stencil<T>(Method::direct, change);
  stencil.min_valid.reset();
  Grid<T> marks = source;
  marks.set(
      [&](Index b, Index y, Index x) { return std::isnan(source.read().at(b, y, x)) ? 0 : 1; });
  return testing::compute_both(stencil, marks, c.extent()).reference;
}

template <class T>
class FftValid : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FftValid, Types);

/// The same outputs are missing as in the reference, and the allowed error grows as the sum of the
/// valid taps becomes smaller.
TYPED_TEST(FftValid, LeavesMissingPointsOutAsTheReferenceDoes) {
  using T = TypeParam;
  constexpr double eps = std::numeric_limits<T>::epsilon();
  for (const Case& c : testing::sampled(cases(), 0)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = with_gaps<T>(c, false);
    const auto valid = valid_sums(c, source, [](double tap) { return tap; }),
               weights = valid_sums(c, source, [](double tap) { return std::abs(tap); });
    double total = 0, weight = 0;
    for (const T tap : stencil.taps) total += double(tap), weight += std::abs(double(tap));
    const auto both = testing::compute_both(stencil, source, c.extent());
    ASSERT_TRUE(both.guards_untouched) << c.text();
    Index missing = 0, some = 0;
    for (std::size_t k = 0; k < both.cpu.size(); ++k) {
      const double share = weights[k] / weight;
      if (weights[k] < weight && share > 0 && std::abs(share - c.min_valid) < 1000 * eps) continue;
      const double value = both.reference[k];
      ASSERT_EQ(std::isnan(both.cpu[k]), std::isnan(value))
          << c.text() << " at " << k << ", " << share;
      missing += std::isnan(value) ? 1 : 0;
      if (std::isnan(value)) continue;
      some += share < 1 ? 1 : 0;
      // outputs are computed by transforms, or tap by tap if the valid weight is small
      const double roundings = std::abs(valid[k]) < weight / 30 ? 2 * double(c.width) + 4 : 20;
      ASSERT_NEAR(
          double(both.cpu[k]), value,
          roundings * eps * weight * (std::abs(total) + std::abs(value)) / std::abs(valid[k]))
          << c.text() << " at " << k << ", share " << share;
    }
    EXPECT_GT(missing, 0) << c.text();
    if (c.min_valid < 1) {
      EXPECT_GT(some, 0) << c.text();
    }
  }
}

TYPED_TEST(FftValid, LeavesMissingPointsOutWithTheSameBitsEverywhere) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 1)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = with_gaps<T>(c, true);
    std::vector<T> whole;
    {
      const Conditions conditions("baseline", 1);
      whole = outputs(stencil, source, c.extent());
    }
    for (const Index longest : {50, 2000})
      expect_same_bits(whole, outputs_in_windows(stencil, source, c.extent(), longest), c.text());
    for (const char* extension : {"avx2", "avx512"}) {
      if (!available(extension)) continue;
      const Conditions conditions(extension, 3);
      expect_same_bits(whole, outputs(stencil, source, c.extent()), c.text() + " " + extension);
    }
  }
}

/// Pairs of blocks without missing points have the same bits as in ordinary sums, whichever other
/// pairs are transformed together with them.
TYPED_TEST(FftValid, PairsOfAllPointsHaveThePlainBits) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 0)) {
    const auto stencil = c.stencil<T>();
    const Grid<T> source = with_gaps<T>(c, false);
    auto plain = stencil;
    plain.min_valid.reset();
    const auto found = outputs(stencil, source, c.extent()),
               expected = outputs(plain, source, c.extent());
    const Index pair = stencil.fft->blocks.pair(), reach = stencil.fft->blocks.reach();
    Index whole = 0;
    for (Index b = 0; b < c.batch; ++b)
      for (Index across = 0; across < c.across; ++across)
        for (Index o = 0; o < c.outputs; ++o) {
          const Index begin = o * c.stride / pair * pair, all = source.read().extent[c.axis()];
          bool is_whole = true;
          for (Index n = begin; n < std::min(all, begin + reach) && is_whole; ++n)
            is_whole = std::isfinite(c.along_y ? source.read().at(b, n, across)
                                               : source.read().at(b, across, n));
          if (!is_whole) continue;
          ++whole;
          const Index k = c.along_y ? (b * c.outputs + o) * c.across + across
                                    : (b * c.across + across) * c.outputs + o;
          ASSERT_EQ(found[k], expected[k]) << c.text() << " at " << k;
        }
    EXPECT_GT(whole, 0) << c.text();
  }
}

/// An infinity is a valid point: it affects the same outputs as in a direct sum.
TYPED_TEST(FftValid, InfinityIsNotMissing) {
  using T = TypeParam;
  for (const Case& c : testing::sampled(cases(), 1)) {
    const Grid<T> source = with_gaps<T>(c, true);
    const auto fft = outputs(c.stencil<T>(), source, c.extent()),
               direct = outputs(c.stencil<T>(Method::direct), source, c.extent());
    Index infinite = 0;
    for (std::size_t k = 0; k < fft.size(); ++k) {
      ASSERT_EQ(std::isinf(fft[k]), std::isinf(direct[k])) << c.text() << " at " << k;
      infinite += std::isinf(fft[k]) ? 1 : 0;
    }
    if (c.stride == 1 && c.min_valid < 1) {
      EXPECT_GT(infinite, 0) << c.text();
    }
  }
}

/// The valid share equals the threshold, which a transform misses by about eps in either direction.
TYPED_TEST(FftValid, ThresholdsAreMet) {
  using T = TypeParam;
  for (const double min_valid : {0.25, 0.5, 0.75}) {
    const auto make = [&](Method method) {
      return make_stencil<T>(Mask::line(std::vector<double>(40, 1)), method, {1, 1}, min_valid,
                             {256, 40});
    };
    Grid<T> source(testing::inputs_for(make(Method::fft), {1, 7, 900}), T(0));
    std::mt19937 random(3);
    source.set([&](Index, Index y, Index) {
      const bool is_missing = random() % 8 <= unsigned(y);
      return is_missing ? std::numeric_limits<double>::quiet_NaN() : double(random() % 9);
    });
    const auto found = outputs(make(Method::fft), source, {1, 7, 900}),
               direct = outputs(make(Method::direct), source, {1, 7, 900});
    Index missing = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      ASSERT_EQ(std::isnan(found[k]), std::isnan(direct[k])) << min_valid << " at " << k;
      missing += std::isnan(direct[k]) ? 1 : 0;
    }
    EXPECT_GT(missing, 500) << min_valid;
    EXPECT_LT(missing, 6000) << min_valid;
  }
}

/// Sums that can be represented although their transform overflows, in pairs with and without
/// missing points, and in both kinds next to each other.
TYPED_TEST(FftValid, OverflowOfATransformIsSummedDirectly) {
  using T = TypeParam;
  std::vector<double> taps(65, 0.0);
  taps[3] = 0.5;
  for (const bool along_y : {false, true}) {
    const Case c{65, 256, 1500, along_y, 1, 1, 5};
    const auto fft = make_stencil<T>(Mask::line(taps, along_y ? y_axis : x_axis), Method::fft,
                                     {1, 1}, 0.5, {256, 65});
    Grid<T> source(testing::inputs_for(fft, c.extent()), T(0));
    const auto is_missing = [](Index along, Index across) {
      return across != 2 && along > 500 && along < 1300 && along % 41 == across;
    };
    source.set([&](Index, Index y, Index x) {
      return is_missing(along_y ? y : x, along_y ? x : y) ? std::numeric_limits<T>::quiet_NaN()
                                                          : std::numeric_limits<T>::max() / 2;
    });
    const auto found = outputs(fft, source, c.extent());
    for (Index o = 0; o < c.outputs; ++o)
      for (Index across = 0; across < c.across; ++across) {
        const T value = found[along_y ? o * c.across + across : across * c.outputs + o];
        if (is_missing(o + 3, across))
          ASSERT_TRUE(std::isnan(value)) << o << ", " << across;
        else
          ASSERT_EQ(value, std::numeric_limits<T>::max() / 4) << o << ", " << across;
      }
    expect_same_bits(found, outputs_in_windows(fft, source, c.extent(), 70), "windows");
  }
}

/// The valid taps cancel, or only tiny taps are valid.
TYPED_TEST(FftValid, LittleOfTheSumIsEnough) {
  using T = TypeParam;
  std::vector<double> taps(64, 1e-3);
  for (Index k = 0; k < 40; ++k) taps[k] = k < 22 ? 1 : -1;
  for (const bool mixed : {false, true}) {
    if (!mixed)
      for (double& tap : taps) tap = std::abs(tap);
    const auto make = [&](Method method) {
      return make_stencil<T>(Mask::line(taps), method, {1, 1}, 0.0, {256, 64});
    };
    Grid<T> source(testing::inputs_for(make(Method::fft), {1, 1, 700}), T(0));
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    source.set([&](Index, Index, Index x) {
      const double value = normal(random);
      return x > 300 && x < 340 ? std::numeric_limits<double>::quiet_NaN() : value;
    });
    const auto found = outputs(make(Method::fft), source, {1, 1, 700}),
               direct = outputs(make(Method::direct), source, {1, 1, 700});
    for (std::size_t k = 0; k < found.size(); ++k) {
      ASSERT_EQ(std::isnan(found[k]), std::isnan(direct[k])) << "at " << k;
      if (std::isfinite(found[k])) {
        ASSERT_NEAR(found[k], direct[k],
                    1e4 * double(std::numeric_limits<T>::epsilon()) * (1 + std::abs(direct[k])))
            << "at " << k;
      }
    }
  }
}

}  // namespace
}  // namespace stencil
