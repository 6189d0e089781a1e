#include <gtest/gtest.h>

#include <cstdlib>

#include "framework/grid/error.hpp"
#include "kernels/bind/kernel_name.hpp"
#include "kernels/cpu/vector_extension.hpp"

namespace stencil {
namespace {

const std::array<Index, 2> every{1, 1};

/// Names do not depend on the processor that the test runs on.
class KernelName : public ::testing::Test {
 protected:
  void SetUp() override { setenv("STENCIL_SIMD", "baseline", 1); }
  void TearDown() override { unsetenv("STENCIL_SIMD"); }
};

std::string name_of(const Mask& mask, Method method = Method::direct,
                    std::array<Index, 2> stride = every, std::optional<double> min_valid = {}) {
  return kernel_name(make_stencil<float>(mask, method, stride, min_valid));
}

TEST_F(KernelName, SaysWhichWayTheMaskLies) {
  EXPECT_EQ(name_of(Mask::line({1, 2, 1})), "cpu line, 3 taps, baseline");
  EXPECT_EQ(name_of(Mask::line({1, 2, 1}, y_axis)), "cpu column, 3 taps, baseline");
  EXPECT_EQ(name_of(Mask::grid({1, 2, 3, 4, 5, 6}, 2, 3)), "cpu dense, 2x3 taps, baseline");
  EXPECT_EQ(name_of(Mask::outer({1, 2, 3}, {4, 5}), Method::separable),
            "cpu separable, 3 + 2 taps in one sweep, baseline");
  Mask sum = Mask::grid({1, 2, 3, 4, 5, 6}, 2, 3);
  sum.factors = Factors{{1, 4, 0, 1}, {1, 2, 3, 0, -3, -6}, 2};
  EXPECT_EQ(name_of(sum, Method::separable),
            "cpu sum of 2 separable, 2 x (2 + 3) taps in one sweep, baseline");
  EXPECT_EQ(name_of(Mask::line({7})), "cpu line, 1 tap, baseline");
}

TEST_F(KernelName, SaysHowLongTheTransformsAre) {
  const std::vector<double> taps(257, 0.5);
  EXPECT_EQ(kernel_name(
                make_stencil<float>(Mask::line(taps, y_axis), Method::fft, every, {}, {2048, 257})),
            "cpu fft columns, 257 taps, transforms of 2048, baseline");
}

TEST_F(KernelName, SaysHowLargeTheTilesAre) {
  EXPECT_EQ(kernel_name(make_stencil<float>(Mask::grid({1, 2, 3, 4, 5, 6}, 2, 3), Method::fft,
                                            every, {}, {}, {{512, 2}, {256, 3, fft_tile_unit}},
                                            FftTables::left_out)),
            "cpu fft tiles, 2x3 taps, transforms of 512x256, baseline");
}

TEST_F(KernelName, CountsZerosOnlyWhereTheyAreMultiplied) {
  EXPECT_EQ(name_of(Mask::grid({0, 1, 0, 1, 4, 1, 0, 1, 0}, 3, 3)),
            "cpu sparse, 5 of 3x3 taps, baseline");
  EXPECT_EQ(name_of(Mask::line({1, 0, -1})), "cpu line, 3 taps, baseline");
}

TEST_F(KernelName, TellsWhatSlowsItDown) {
  EXPECT_EQ(name_of(Mask::line({1, 2, 1}), Method::direct, {1, 4}, 0.5),
            "cpu line, 3 taps, stride 1 4, over valid points, baseline");
}

TEST_F(KernelName, RefusesAnExtensionThatThereIsNot) {
  unsetenv("STENCIL_SIMD");
  const auto widest = cpu::vector_extension();
  setenv("STENCIL_SIMD", "", 1);
  EXPECT_EQ(cpu::vector_extension(), widest) << "empty is as unset";
  setenv("STENCIL_SIMD", "sse9", 1);
  EXPECT_THROW(name_of(Mask::line({1, 2, 1})), WordsError);
}

}  // namespace
}  // namespace stencil
