#include "kernels/fft/fourier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

namespace stencil {
namespace {

using Complex = std::complex<double>;

std::complex<long double> exact_root(Index k, Index n) {
  const long double angle = -2 * std::numbers::pi_v<long double> * (long double)(k % n) / n;
  return {std::cos(angle), std::sin(angle)};
}

Complex root(Index k, Index n) {
  return Complex(exact_root(k, n));
}

TEST(Fourier, RootsAreGoodToTheLastBit) {
  for (Index n = 1; n <= 1 << 20; n *= 2) {
    const auto roots = roots_of_one(n);
    ASSERT_EQ(Index(roots.size()), n);
    for (Index k = 0; k < n; k += std::max<Index>(1, n / 4097)) {
      // the error is at most half a unit in the last place of numbers from 0.5 to 1, plus some
      // thousandths of a unit
      const std::complex<long double> error =
          std::complex<long double>(roots[k]) - exact_root(k, n);
      ASSERT_LE(std::abs(error.real()), 5.57e-17L) << k << " of " << n;
      ASSERT_LE(std::abs(error.imag()), 5.57e-17L) << k << " of " << n;
    }
  }
  EXPECT_EQ(roots_of_one(8)[2], Complex(0, -1));
  EXPECT_EQ(roots_of_one(4)[1], Complex(0, -1));
  EXPECT_EQ(roots_of_one(4)[3], Complex(0, 1));
  EXPECT_EQ(roots_of_one(2)[1], Complex(-1, 0));
}

TEST(Fourier, TransformIsTheDefinitionInReversedOrder) {
  const auto roots = roots_of_one(256);
  for (const Index n : {1, 2, 4, 32, 256})
    for (const Index width : {1, 3}) {
      std::vector<Complex> values(n * width);
      for (Index k = 0; k < n * width; ++k)
        values[k] = {std::sin(double(k * k)), std::cos(double(3 * k))};
      auto found = values;
      transform_rows(found.data(), n, width, roots);
      for (Index f = 0; f < n; ++f)
        for (Index x = 0; x < width; ++x) {
          Complex sum = 0;
          for (Index j = 0; j < n; ++j) sum += values[j * width + x] * root(f * j, n);
          ASSERT_NEAR(std::abs(found[bit_reversed(f, n) * width + x] - sum), 0, 1e-12 * n);
        }
    }
}

TEST(Fourier, TransformOfALineIsInOrder) {
  const auto roots = roots_of_one(1024);
  for (Index n = 1; n <= 1024; n *= 2) {
    std::vector<Complex> values(n);
    for (Index k = 0; k < n; ++k) values[k] = {std::sin(double(k * k)), std::cos(double(3 * k))};
    auto found = values;
    transform(found.data(), n, roots);
    for (Index f = 0; f < n; ++f) {
      Complex sum = 0;
      for (Index j = 0; j < n; ++j) sum += values[j] * root(f * j, n);
      ASSERT_NEAR(std::abs(found[f] - sum), 0, 1e-12 * n) << f << " of " << n;
    }
  }
}

/// Six passes of radix 4 and one pass of turns have an error of 0.98 eps.
TEST(Fourier, TransformsRoundLittle) {
  constexpr Index n = 4096;
  std::vector<Complex> values(n);
  for (Index k = 0; k < n; ++k) values[k] = {std::sin(double(k * k)), 0};
  auto found = values;
  transform(found.data(), n, roots_of_one(n));
  double error = 0, all = 0;
  for (Index f = 1; f < n; f += 41) {
    std::complex<long double> sum = 0;
    for (Index j = 0; j < n; ++j) sum += exact_root(f * j, n) * (long double)(values[j].real());
    error += double(std::norm(std::complex<long double>(found[f]) - sum));
    all += std::norm(found[f]);
  }
  EXPECT_LT(std::sqrt(error / all), 1.3 * std::numeric_limits<double>::epsilon())
      << std::sqrt(error / all) / std::numeric_limits<double>::epsilon();
}

TEST(Fourier, BitsAreReversed) {
  EXPECT_EQ(bit_reversed(1, 8), 4);
  EXPECT_EQ(bit_reversed(6, 8), 3);
  EXPECT_EQ(bit_reversed(0, 1), 0);
}

TEST(Fourier, PassesMakeUpThePointsAndEndWithEight) {
  for (Index points = 8; points <= Index{1} << 20; points *= 2) {
    if (points == 16) continue;  // transforms of 16 points consist of two passes of radix 4
    const auto radices = radices_of(points);
    Index product = 1;
    for (const int radix : radices) product *= radix;
    EXPECT_EQ(product, points);
    EXPECT_EQ(radices.back(), 8);
    std::vector<bool> taken(points);
    for (Index k = 0; k < points; ++k) taken[permuted(k, points, radices)] = true;
    EXPECT_TRUE(std::all_of(taken.begin(), taken.end(), [](bool place) { return place; }));
  }
}

TEST(Fourier, TwiddlesOfAllPassesButTheLast) {
  const auto twiddles = twiddles_of<double>(32, {4, 8}, roots_of_one(64));
  ASSERT_EQ(twiddles.size(), 2u * 8 * 3);
  for (Index j = 0; j < 8; ++j)
    for (Index m = 1; m < 4; ++m) {
      EXPECT_NEAR(twiddles[2 * (3 * j + m - 1)], root(m * j, 32).real(), 1e-15);
      EXPECT_NEAR(twiddles[2 * (3 * j + m - 1) + 1], root(m * j, 32).imag(), 1e-15);
    }
}

}  // namespace
}  // namespace stencil
