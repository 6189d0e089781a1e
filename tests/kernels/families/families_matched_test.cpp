#include "kernels/families/families_matched.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

using List = std::vector<double>;

double product(const List& a, const List& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

List chirp(Index n) {
  List shape;
  for (Index i = 0; i < n; ++i) {
    const double t = double(i) / double(n);
    shape.push_back(std::sin(40 * t * t) * t + 0.1);
  }
  return shape;
}

/// w = irfft(rfft(h) / S), computed term by term.
List whitened_slowly(const List& h, const List& density) {
  const auto n = h.size();
  List w(n);
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t s = 0; s < n; ++s) {
      double kernel = 0;
      for (std::size_t k = 0; k < n; ++k)
        kernel += std::cos(2 * std::numbers::pi * double(k * ((t + n - s) % n) % n) / double(n)) /
                  density[std::min(k, n - k)];
      w[t] += h[s] * kernel / double(n);
    }
  return w;
}

TEST(Matched, WithoutASpectrumIsTheTemplateOverItsEnergy) {
  EXPECT_EQ(matched_taps({1, 2, -2}, {}), (List{1.0 / 9, 2.0 / 9, -2.0 / 9}));
  EXPECT_EQ(matched_taps({5}, {}), List{0.2});
  // energies that overflow or underflow float64, as those of gravitational-wave strain, and even
  // smaller energies
  const List tiny = matched_taps({3e-170, 4e-170}, {});
  EXPECT_NEAR(tiny[0] / 1.2e169, 1, 1e-14);
  EXPECT_NEAR(tiny[1] / 1.6e169, 1, 1e-14);
}

TEST(Matched, IsWhitenedByTheSpectrum) {
  for (const Index n : {2, 4, 6, 14, 16, 60, 122, 128}) {
    const List h = chirp(n);
    List density;
    for (Index k = 0; k <= n / 2; ++k) density.push_back(1e-46 * (1 + 3 * double(k * k % 11)));
    const List taps = matched_taps(h, density), expected = whitened_slowly(h, density);
    const double energy = product(expected, h);
    ASSERT_EQ(std::ssize(taps), n);
    EXPECT_NEAR(product(taps, h), 1, 1e-12) << n;
    for (std::size_t i = 0; i < taps.size(); ++i)
      EXPECT_NEAR(taps[i], expected[i] / energy, 1e-12 * std::abs(taps[0]) + 1e-13)
          << n << " " << i;
  }
}

TEST(Matched, WhiteNoiseOfAnyPowerChangesNothing) {
  const List h = chirp(1000), plain = matched_taps(h, {}), white = matched_taps(h, {2e-47, 2e-47});
  for (std::size_t i = 0; i < h.size(); ++i) EXPECT_NEAR(white[i], plain[i], 1e-15);
}

TEST(Matched, SpectraAreInterpolated) {
  const List h = chirp(101);
  List fine;  // for an odd number of points, the last frequency is below half of the sampling rate
  for (Index k = 0; k <= 50; ++k) fine.push_back(1 + 2.0 * double(k) / 50.5);
  const List taps = matched_taps(h, {1, 3}), expected = matched_taps(h, {1, 1.5, 2, 2.5, 3});
  const List slow = whitened_slowly(h, fine);
  const double energy = product(slow, h);
  for (std::size_t i = 0; i < h.size(); ++i) {
    EXPECT_NEAR(taps[i], expected[i], 1e-15);
    EXPECT_NEAR(taps[i], slow[i] / energy, 1e-14);
  }
}

TEST(Matched, FrequenciesOfInfiniteDensityAreLeftOut) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const List taps =
      matched_taps(chirp(64), {infinite, 1, 1, 1, 1, infinite, infinite, infinite, infinite});
  // the taps remove the mean
  EXPECT_NEAR(std::accumulate(taps.begin(), taps.end(), 0.0), 0, 1e-15);
  EXPECT_NEAR(product(taps, chirp(64)), 1, 1e-12);
  EXPECT_THROW(matched_taps(chirp(64), {infinite, infinite}), ShapeError);
}

TEST(Matched, RefusesWhatMakesNoFilter) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(matched_taps({}, {}), ShapeError);
  EXPECT_THROW(matched_taps({0, 0}, {}), ShapeError);
  EXPECT_THROW(matched_taps({1, nan}, {}), ShapeError);
  EXPECT_THROW(matched_taps({1, 2}, {1}), ShapeError);
  EXPECT_THROW(matched_taps({1, 2}, {1, 0}), ShapeError);
  EXPECT_THROW(matched_taps({1, 2}, {1, -1}), ShapeError);
  EXPECT_THROW(matched_taps({1, 2}, {nan, 1}), ShapeError);
}

}  // namespace
}  // namespace stencil
