// Multi-channel masks on the CPU: results, bits and refused arguments.

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "framework/grid/error.hpp"
#include "kernels/channels/convolve_channels_cpu.hpp"
#include "kernels/channels/convolve_channels_reference.hpp"
#include "kernels/cpu/vector_extension.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::Grid;

struct Case {
  Index images, out, in, groups, height, width;
  std::array<Index, 2> stride;
  Index ny, nx;  ///< sides of the output
};

const std::vector<Case> cases{
    {1, 1, 1, 1, 1, 1, {1, 1}, 1, 1},    {2, 6, 6, 1, 6, 6, {1, 1}, 19, 77},
    {3, 5, 3, 1, 3, 3, {1, 1}, 40, 131}, {1, 4, 7, 1, 1, 1, {1, 1}, 33, 65},
    {2, 8, 1, 8, 3, 3, {1, 1}, 37, 70},  {1, 6, 1, 3, 5, 4, {1, 1}, 21, 300},
    {2, 6, 2, 2, 3, 5, {2, 3}, 11, 50},  {1, 3, 1, 3, 7, 7, {2, 1}, 9, 41},
    {1, 9, 4, 1, 2, 3, {1, 2}, 13, 17},  {1, 12, 2, 4, 1, 9, {3, 1}, 5, 1031},
    {2, 7, 1, 7, 1, 5, {1, 1}, 23, 90}};

std::string name_of(const Case& c) {
  return std::to_string(c.images) + " images, " + std::to_string(c.in * c.groups) + " -> " +
         std::to_string(c.out) + " in " + std::to_string(c.groups) + " groups, " +
         std::to_string(c.height) + " x " + std::to_string(c.width);
}

ChannelMask mask_of(const Case& c, unsigned seed, double size = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(std::size_t(c.out * c.in * c.height * c.width));
  for (double& value : values) value = random() % 7 == 0 ? 0 : size * normal(random);
  return make_channel_mask({c.out, c.in, c.height, c.width}, values, c.groups);
}

Point inputs_of(const Case& c) {
  return {c.images * c.in * c.groups, (c.ny - 1) * c.stride[0] + c.height,
          (c.nx - 1) * c.stride[1] + c.width};
}

/// A grid of random numbers; if `wild`, some numbers are infinite or NaN.
template <class T>
Grid<T> points_for(const Case& c, bool wild) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  Grid<T> grid(inputs_of(c), T(0), 3);
  return grid.set([&](Index, Index, Index) {
    const unsigned kind = wild ? random() % 900 : 9;
    if (kind == 0) return std::numeric_limits<double>::infinity();
    if (kind == 1) return -std::nan("77");
    return normal(random);
  });
}

/// Adds in the promised order, in plain loops.
template <class T>
Grid<T> plain_sums(const ChannelStencil<T>& s, const Case& c, const Grid<T>& source) {
  Grid<T> expected({c.images * c.out, c.ny, c.nx}, T(0));
  return expected.set([&](Index b, Index y, Index x) {
    const Index n = b / c.out, o = b % c.out, group = o / (c.out / c.groups);
    T sum = 0;
    for (Index k = 0; k < c.in; ++k)
      for (Index j = 0; j < c.height; ++j)
        for (Index i = 0; i < c.width; ++i)
          sum = std::fma(s.taps[((o * c.in + k) * c.height + j) * c.width + i],
                         source.read().at((n * c.groups + group) * c.in + k, y * c.stride[0] + j,
                                          x * c.stride[1] + i),
                         sum);
    if (sizeof(T) == 8) sum += 0;  // -0 becomes +0
    return std::isnan(sum) ? std::numeric_limits<T>::quiet_NaN() : sum;
  });
}

/// Checks the bits with every vector extension that this processor has.
template <class T>
void expect_plain_bits(const ChannelStencil<T>& stencil, const Case& c, const Grid<T>& source) {
  const std::vector<T> expected = plain_sums<T>(stencil, c, source).points_of();
  for (const char* extension : {"baseline", "avx2", "avx512"}) {
    Grid<T> target({c.images * c.out, c.ny, c.nx}, T(-7), 5);
    setenv("STENCIL_SIMD", extension, 1);
    try {
      convolve_channels_cpu<T>(stencil, source.read(), target.view());
    } catch (const WordsError&) {
      unsetenv("STENCIL_SIMD");
      continue;  // this processor does not have the extension
    }
    unsetenv("STENCIL_SIMD");
    EXPECT_TRUE(target.guards_untouched()) << name_of(c);
    const std::vector<T> found = target.points_of();
    for (std::size_t k = 0; k < found.size(); ++k)
      ASSERT_EQ(std::memcmp(&found[k], &expected[k], sizeof(T)), 0)
          << name_of(c) << ' ' << extension << " at " << k << ": " << found[k] << " instead of "
          << expected[k];
  }
}

template <class T>
class Channels : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Channels, Types);

TYPED_TEST(Channels, OneFusedMultiplyAddPerTapInTheOrderOfChannelRowColumn) {
  using T = TypeParam;
  for (const Case& c : cases)
    expect_plain_bits<T>(make_channel_stencil<T>(mask_of(c, 3), c.stride), c,
                         points_for<T>(c, true));
}

/// Products that underflow, to subnormal numbers and to zeros of either sign.
TYPED_TEST(Channels, SumsThatUnderflow) {
  using T = TypeParam;
  const double tap = sizeof(T) == 8 ? 1e-160 : 1e-23, tiny = sizeof(T) == 8 ? 1e-162 : 1e-22;
  for (const Case& c : cases) {
    std::mt19937 random(8);
    std::normal_distribution<double> normal;
    Grid<T> source(inputs_of(c), T(0));
    source.set([&](Index, Index, Index) {
      const double value = tiny * normal(random);
      return random() % 3 == 0 ? 0 : (random() % 50 == 0 ? value : 1e-8 * value);
    });
    expect_plain_bits<T>(make_channel_stencil<T>(mask_of(c, 6, tap), c.stride), c, source);
  }
}

TYPED_TEST(Channels, WithinRoundingOfTheReference) {
  using T = TypeParam;
  for (const Case& c : cases) {
    const auto stencil = make_channel_stencil<T>(mask_of(c, 4), c.stride);
    const Grid<T> source = points_for<T>(c, false);
    Grid<T> target({c.images * c.out, c.ny, c.nx}, T(0));
    Grid<double> reference({c.images * c.out, c.ny, c.nx}, 0);
    convolve_channels_cpu<T>(stencil, source.read(), target.view());
    convolve_channels_reference<T>(stencil, source.read(), reference.view());
    double weight = 0, most = 0;
    for (const T tap : stencil.taps) weight += std::abs(double(tap));
    for (const T value : source.points_of()) most = std::max(most, std::abs(double(value)));
    const double bound = (2.0 * double(stencil.taps_per_output()) + 4) *
                         double(std::numeric_limits<T>::epsilon()) * weight * most;
    const auto found = target.points_of();
    const auto expected = reference.points_of();
    for (std::size_t k = 0; k < found.size(); ++k)
      ASSERT_NEAR(double(found[k]), expected[k], bound) << name_of(c) << " at " << k;
  }
}

TEST(Channels, RefusesViewsThatAreNotWholeImages) {
  const auto stencil =
      make_channel_stencil<float>(make_channel_mask({2, 3, 1, 1}, {1, 2, 3, 4, 5, 6}, 1), {1, 1});
  Grid<float> source({4, 5, 5}, 0), target({2, 5, 5}, 0);
  EXPECT_THROW(convolve_channels_cpu<float>(stencil, source.read(), target.view()), ShapeError);
}

}  // namespace
}  // namespace stencil
