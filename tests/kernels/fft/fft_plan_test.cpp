#include "kernels/fft/fft_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>
#include <vector>

#include "kernels/fft/fourier.hpp"

namespace stencil {
namespace {

TEST(FftPlan, SpectrumIsTheConjugateDftInPermutedOrder) {
  for (const Index points : {256, 512, 1024, 4096}) {
    for (const Index width : {1, 2, 100}) {
      std::vector<double> taps(width);
      for (Index k = 0; k < width; ++k) taps[k] = std::sin(double(k * k + 1));
      const FftPlan<double> plan = make_fft_plan(taps, {points, width}),
                            other = make_fft_plan(taps, {points, width}, FftTables::spectrum);
      EXPECT_TRUE(other.turns.empty() && other.twiddles.empty());
      EXPECT_EQ(std::memcmp(plan.spectrum.data(), other.spectrum.data(),
                            plan.spectrum.size() * sizeof(plan.spectrum[0])),
                0);
      std::vector<bool> taken(points);
      for (Index f = 0; f < points; ++f) {
        std::complex<double> sum = 0;
        for (Index k = 0; k < width; ++k)
          sum += taps[k] *
                 std::polar(1.0, 2 * std::numbers::pi * double(f * k % points) / double(points));
        const Index m = f / (points / 8),
                    place = permuted(f % (points / 8), points / 8, plan.radices);
        const Index eight = place / 8 * 8 + m, k = place % 8;
        ASSERT_FALSE(taken.at(8 * eight + k));
        taken[8 * eight + k] = true;
        ASSERT_NEAR(plan.spectrum[eight].re[k] * double(points), sum.real(), 1e-12);
        ASSERT_NEAR(plan.spectrum[eight].im[k] * double(points), sum.imag(), 1e-12);
        // the factors `turns` are stored for frequencies modulo N / 8: this is the factor of
        // sequence m at frequency f mod N / 8
        const std::complex<double> turn = std::polar(
            1.0, -2 * std::numbers::pi * double(m * (f % (points / 8))) / double(points));
        ASSERT_NEAR(plan.turns[place].re[m], turn.real(), 1e-15);
        ASSERT_NEAR(plan.turns[place].im[m], turn.imag(), 1e-15);
      }
    }
  }
}

}  // namespace
}  // namespace stencil
