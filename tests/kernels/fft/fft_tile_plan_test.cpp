#include "kernels/fft/fft_tile_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "kernels/fft/fourier.hpp"

namespace stencil {
namespace {

using Complex = std::complex<double>;

/// exp(2 pi i turns)
Complex turned(double turns) {
  return std::polar(1.0, 2 * std::numbers::pi * turns);
}

TEST(FftTilePlan, SpectrumIsTheConjugateTransformInPermutedOrder) {
  for (const auto& [height, width, y, x, lead] : std::vector<std::array<Index, 5>>{
           {3, 5, 64, 32, 0}, {50, 2, 64, 64, 0}, {64, 17, 64, 32, 0}, {7, 9, 128, 32, 6}}) {
    std::vector<double> taps(height * width);
    for (Index k = 0; k < height * width; ++k) taps[k] = std::sin(double(k * k + 1));
    const auto plan =
        make_fft_tile_plan(taps, FftTiles{{y, height}, {x, width, fft_tile_unit, lead}});
    const Index rows = plan.rows();
    ASSERT_EQ(rows, y / 2);
    std::vector<bool> taken(rows * x);
    for (Index f = 0; f < rows; ++f)
      for (Index g = 0; g < x; ++g) {
        // row j has the weight turned(j / (4 rows)): the weights of the rows in the lower half are
        // i times the weights of the rows in the upper half
        Complex sum = 0;
        for (Index j = 0; j < height; ++j)
          for (Index i = 0; i < width; ++i)
            sum += taps[j * width + i] *
                   turned(double(j) / double(4 * rows) - double(f * j % rows) / double(rows) -
                          double(g * (lead + i) % x) / double(x));
        const Index row = permuted(f, rows, plan.column_radices),
                    column = permuted(g, x, plan.row_radices);
        ASSERT_FALSE(taken.at(row * x + column));
        taken[row * x + column] = true;
        const FftSixteen<double>& sixteen = plan.spectrum[row / 16 * x + column];
        ASSERT_NEAR(sixteen.re[row % 16] * double(rows * x), sum.real(), 1e-11);
        ASSERT_NEAR(sixteen.im[row % 16] * double(rows * x), -sum.imag(), 1e-11);
      }
  }
}

TEST(FftTilePlan, WeightsTurnByAQuarterOverTheRows) {
  const auto plan =
      make_fft_tile_plan(std::vector<double>{1, 2, 3, 4}, {{64, 2}, {32, 2, fft_tile_unit}});
  ASSERT_EQ(plan.weights.size(), 64u);
  for (Index y = 0; y < 32; ++y) {
    EXPECT_NEAR(plan.weights[2 * y], turned(double(y) / 128).real(), 1e-15);
    EXPECT_NEAR(plan.weights[2 * y + 1], turned(double(y) / 128).imag(), 1e-15);
  }
}

}  // namespace
}  // namespace stencil
