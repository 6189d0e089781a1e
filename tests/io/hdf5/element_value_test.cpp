#include "io/hdf5/element_value.hpp"

#include <gtest/gtest.h>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

TEST(ElementValue, keeps_every_number_exactly) {
  EXPECT_EQ(ElementValue(INT64_MIN + 2).as<std::int64_t>(), INT64_MIN + 2);
  EXPECT_EQ(ElementValue(UINT64_MAX).as<std::uint64_t>(), UINT64_MAX);
  EXPECT_EQ(ElementValue(0.1).to_double(), 0.1);
  EXPECT_EQ(ElementValue(UINT64_MAX).to_double(), 18446744073709551616.0);
  EXPECT_TRUE(ElementValue(std::nan("")).is_nan());
  EXPECT_FALSE(ElementValue(0).is_nan());
}

TEST(ElementValue, tells_which_types_can_hold_it) {
  EXPECT_TRUE(ElementValue(-32768).holds<std::int16_t>());
  EXPECT_FALSE(ElementValue(70000).holds<std::int16_t>());
  EXPECT_TRUE(ElementValue(-32768.0).holds<std::int16_t>());
  EXPECT_FALSE(ElementValue(0.5).holds<std::int16_t>());
  EXPECT_FALSE(ElementValue(std::nan("")).holds<std::int64_t>());
  EXPECT_FALSE(ElementValue(INFINITY).holds<std::int64_t>());
  EXPECT_FALSE(ElementValue(9223372036854775808.0).holds<std::int64_t>());
  EXPECT_TRUE(ElementValue(9223372036854775808.0).holds<std::uint64_t>());
  EXPECT_FALSE(ElementValue(-1).holds<std::uint64_t>());
  EXPECT_FALSE(ElementValue(UINT64_MAX).holds<std::int64_t>());
  EXPECT_TRUE(ElementValue(0.1).holds<float>());
  EXPECT_FALSE(ElementValue(1e300).holds<float>());
  EXPECT_TRUE(ElementValue(-INFINITY).holds<float>());
  EXPECT_TRUE(ElementValue(std::nan("")).holds<float>());
}

TEST(ElementValue, is_rounded_to_16_bits) {
  EXPECT_EQ(ElementValue(-999.9).as<Float16>(), -1000);
  EXPECT_EQ(ElementValue(2049).as<Float16>(), 2048);  // ties to even
  EXPECT_EQ(ElementValue(2051).as<Float16>(), 2052);
  EXPECT_EQ(ElementValue(0.1).as<BFloat16>(), 0.10009765625F);
  EXPECT_TRUE(ElementValue(65519).holds<Float16>());
  EXPECT_FALSE(ElementValue(-65520).holds<Float16>());
  EXPECT_FALSE(ElementValue(UINT64_MAX).holds<Float16>());
  EXPECT_TRUE(ElementValue(UINT64_MAX).holds<BFloat16>());
  EXPECT_FALSE(ElementValue(3.4e38).holds<BFloat16>());
  EXPECT_TRUE(ElementValue(-INFINITY).holds<Float16>());
  EXPECT_TRUE(ElementValue(std::nan("")).holds<Float16>());
  EXPECT_EQ(ElementValue(Float16(0.5)).to_double(), 0.5);
}

TEST(ElementValue, equal_numbers_are_equal_in_any_type) {
  EXPECT_TRUE(ElementValue(-999) == ElementValue(-999.0));
  EXPECT_TRUE(ElementValue(255u) == ElementValue(255));
  EXPECT_FALSE(ElementValue(UINT64_MAX) == ElementValue(-1));
  EXPECT_FALSE(ElementValue(INT64_MAX) == ElementValue(9223372036854775808.0));
  EXPECT_FALSE(ElementValue(INT64_MAX) == ElementValue(INT64_MAX - 1));
  EXPECT_FALSE(ElementValue(std::nan("")) == ElementValue(std::nan("")));
}

TEST(ElementValue, is_read_from_words) {
  EXPECT_EQ(to_string(parse_element_value("-9223372036854775806")), "-9223372036854775806");
  EXPECT_EQ(to_string(parse_element_value("18446744073709551615")), "18446744073709551615");
  EXPECT_TRUE(parse_element_value("+5") == ElementValue(5));
  EXPECT_TRUE(parse_element_value("1e20") == ElementValue(1e20));
  EXPECT_TRUE(parse_element_value("-999.25") == ElementValue(-999.25));
  EXPECT_TRUE(parse_element_value("99999999999999999999") == ElementValue(1e20));
  EXPECT_TRUE(parse_element_value("nan").is_nan());
  EXPECT_EQ(parse_element_value("-inf").to_double(), -INFINITY);
  for (const char* words : {"", "x", "1 2", "1e", "0x10", "--1", "+-1", " 1", "1e999"})
    EXPECT_THROW(parse_element_value(words), WordsError) << words;
}

}  // namespace
}  // namespace stencil
