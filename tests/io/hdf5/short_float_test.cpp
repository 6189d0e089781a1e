#include "io/hdf5/short_float.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace stencil {
namespace {

/// Returns the numbers of 16 bits that are at least 0, in ascending order. The last element
/// represents infinity.
template <class Number>
std::vector<double> all_numbers() {
  constexpr int fraction_bits = Number::fraction_bits, exponent_bits = 15 - fraction_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  std::vector<double> all;
  for (int bits = 0; bits <= Number::infinity_bits; ++bits) {
    const int exponent = bits >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
    const int whole = exponent == 0 ? fraction : fraction | 1 << fraction_bits;
    all.push_back(std::ldexp(double(whole), std::max(exponent, 1) - bias - fraction_bits));
  }
  return all;  // the last number replaces infinity: values are rounded to infinity as if it were
               // this number
}

template <class Number>
class ShortFloatTest : public ::testing::Test {};
using Numbers = ::testing::Types<Float16, BFloat16>;
TYPED_TEST_SUITE(ShortFloatTest, Numbers);

TYPED_TEST(ShortFloatTest, EveryNumberBecomesAFloatAndComesBack) {
  const std::vector<double> all = all_numbers<TypeParam>();
  for (std::size_t bits = 0; bits < all.size(); ++bits)
    for (const int sign : {1, -1}) {
      const auto stored = std::uint16_t(bits | (sign < 0 ? 0x8000 : 0));
      const float value = TypeParam::from_bits(stored);
      if (bits + 1 < all.size())
        ASSERT_EQ(value, sign * all[bits]) << bits;
      else
        ASSERT_EQ(value, sign * INFINITY);
      ASSERT_EQ(std::signbit(value), sign < 0);
      ASSERT_EQ(TypeParam(value).bits(), stored);
      ASSERT_EQ(TypeParam(double{value}).bits(), stored);
    }
}

TYPED_TEST(ShortFloatTest, NanStaysNan) {
  for (int bits = TypeParam::infinity_bits + 1; bits < 0x8000; ++bits)
    for (const int sign : {0, 0x8000}) {
      const float value = TypeParam::from_bits(std::uint16_t(bits | sign));
      ASSERT_TRUE(std::isnan(value)) << bits;
      ASSERT_TRUE(std::isnan(float{TypeParam(value)})) << bits;
      ASSERT_TRUE(std::isnan(float{TypeParam(double{value})})) << bits;
    }
}

/// The test rounds numbers between two neighbours: just below the middle, just above it, and the
/// middle itself.
TYPED_TEST(ShortFloatTest, RoundsToTheNearestTiesToEven) {
  const std::vector<double> all = all_numbers<TypeParam>();
  for (std::size_t bits = 0; bits + 1 < all.size(); ++bits) {
    const double low = all[bits], high = all[bits + 1], middle = (low + high) / 2;
    const std::size_t even = bits % 2 == 0 ? bits : bits + 1;
    const auto expect = [&](auto value, std::size_t wanted) {
      ASSERT_EQ(TypeParam(value).bits(), wanted) << value;
      ASSERT_EQ(TypeParam(-value).bits(), wanted | 0x8000) << value;
    };
    expect(middle, even);
    expect(std::nextafter(middle, 0.0), bits);
    expect(std::nextafter(middle, INFINITY), bits + 1);
    if (bits < 2) continue;  // the middle is not a float
    expect(float(middle), even);
    expect(std::nextafter(float(middle), 0.0F), bits);
    expect(std::nextafter(float(middle), float(INFINITY)), bits + 1);
  }
  for (const double value : {1e39, 1e300, double(INFINITY)}) {
    EXPECT_TRUE(TypeParam(value).is_infinite());
    EXPECT_EQ(TypeParam(-value), -INFINITY);
  }
  EXPECT_EQ(TypeParam(5e-324).bits(), 0);
  EXPECT_EQ(TypeParam(1e-45F).bits(), 0);
}

TYPED_TEST(ShortFloatTest, LimitsAreThoseOfTheFormat) {
  using Limits = std::numeric_limits<TypeParam>;
  const std::vector<double> all = all_numbers<TypeParam>();
  EXPECT_EQ(Limits::max(), all[all.size() - 2]);
  EXPECT_EQ(Limits::lowest(), -all[all.size() - 2]);
  EXPECT_EQ(Limits::infinity(), INFINITY);
  EXPECT_TRUE(std::isnan(float{Limits::quiet_NaN()}));
  EXPECT_EQ(Limits::digits, TypeParam::fraction_bits + 1);
}

TEST(ShortFloat, WholeNumbersAreRounded) {
  EXPECT_EQ(Float16(2049), 2048);
  EXPECT_EQ(Float16(std::int64_t{-70000}), -INFINITY);
  EXPECT_EQ(BFloat16(std::uint64_t{1} << 63), 9223372036854775808.0F);
}

}  // namespace
}  // namespace stencil
