#include "io/hdf5/conversion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace stencil::storage {
namespace {

template <class To, class From>
To written(From value, WriteCounts& counts, const std::optional<ElementValue>& missing = {}) {
  To result{};
  convert_written(&value, &result, 1, OutputRange<To>(missing), counts);
  return result;
}

template <class To, class From>
To written(From value) {
  WriteCounts counts;
  return written<To>(value, counts);
}

TEST(Conversion, rounds_half_to_even) {
  EXPECT_EQ(written<std::int16_t>(0.5), 0);
  EXPECT_EQ(written<std::int16_t>(1.5), 2);
  EXPECT_EQ(written<std::int16_t>(2.5), 2);
  EXPECT_EQ(written<std::int16_t>(-0.5), 0);
  EXPECT_EQ(written<std::int16_t>(-1.5), -2);
  EXPECT_EQ(written<std::int16_t>(2.4999999f), 2);
  EXPECT_EQ(written<std::int64_t>(4503599627370495.5), 4503599627370496);  // 2^52 - 0.5
  EXPECT_EQ(written<std::int64_t>(4503599627370497.0), 4503599627370497);
}

TEST(Conversion, saturates_and_counts_at_both_ends) {
  WriteCounts counts;
  EXPECT_EQ(written<std::int16_t>(32767.4, counts), 32767);
  EXPECT_EQ(written<std::int16_t>(-32768.5, counts), -32768);
  EXPECT_EQ(written<std::uint8_t>(255.49f, counts), 255);
  EXPECT_EQ(written<std::uint8_t>(-0.4f, counts), 0);
  EXPECT_EQ(counts.saturated, 0);
  EXPECT_EQ(written<std::int16_t>(32767.5, counts), 32767);
  EXPECT_EQ(written<std::int16_t>(-32769.0, counts), -32768);
  EXPECT_EQ(written<std::uint8_t>(-1.0f, counts), 0);
  EXPECT_EQ(written<std::uint8_t>(255.5f, counts), 255);
  EXPECT_EQ(written<std::int64_t>(9223372036854775808.0, counts), INT64_MAX);
  EXPECT_EQ(written<std::uint64_t>(18446744073709551616.0, counts), UINT64_MAX);
  EXPECT_EQ(written<std::int64_t>(-INFINITY, counts), INT64_MIN);
  EXPECT_EQ(written<std::int32_t>(2147483648.0f, counts), INT32_MAX);
  EXPECT_EQ(counts.saturated, 8);
  EXPECT_EQ(written<std::int64_t>(-9223372036854775808.0, counts), INT64_MIN);
  EXPECT_EQ(written<std::uint64_t>(18446744073709549568.0, counts), 18446744073709549568u);
  EXPECT_EQ(counts.saturated, 8);
  EXPECT_EQ(counts.missing, 0);
}

TEST(Conversion, finite_numbers_that_become_infinite_are_counted) {
  WriteCounts counts;
  EXPECT_EQ(written<float>(3.4028234663852886e38, counts), std::numeric_limits<float>::max());
  EXPECT_EQ(written<float>(-3.40282356e38, counts), std::numeric_limits<float>::lowest());
  EXPECT_EQ(written<float>(double(INFINITY), counts), INFINITY);
  EXPECT_TRUE(std::isnan(written<float>(double(NAN), counts)));
  EXPECT_EQ(written<double>(1e300, counts), 1e300);
  EXPECT_EQ(written<float>(-INFINITY, counts), -INFINITY);
  EXPECT_EQ(counts.saturated, 0);
  EXPECT_EQ(written<float>(3.5e38, counts), INFINITY);
  EXPECT_EQ(written<float>(-1e300, counts), -INFINITY);
  EXPECT_EQ(counts.saturated, 2);
}

TEST(Conversion, numbers_of_16_bits_are_rounded_and_counted) {
  WriteCounts counts;
  EXPECT_EQ(written<Float16>(65519.0, counts), 65504);
  EXPECT_EQ(written<Float16>(INFINITY, counts), INFINITY);
  EXPECT_EQ(written<Float16>(1.0f + 3.0f / 2048, counts), 1.001953125f);         // ties to even
  EXPECT_EQ(written<Float16>(1.0 + 1.0 / 2048 + 1e-15, counts), 1.0009765625f);  // rounded once
  EXPECT_EQ(written<BFloat16>(std::ldexp(1.0, -133), counts), std::ldexp(1.0f, -133));
  EXPECT_EQ(written<Float16>(-0.0, counts), 0);
  EXPECT_EQ(counts.saturated + counts.vanished + counts.missing, 0);
  EXPECT_EQ(written<Float16>(65520.0f, counts), INFINITY);
  EXPECT_EQ(written<Float16>(-1e300, counts), -INFINITY);
  EXPECT_EQ(written<BFloat16>(3.4e38f, counts), INFINITY);
  EXPECT_EQ(counts.saturated, 3);
  EXPECT_EQ(written<Float16>(2e-8f, counts), 0);
  EXPECT_EQ(written<BFloat16>(-1e-300, counts), 0);
  EXPECT_EQ(counts.vanished, 2);
  EXPECT_EQ(written<BFloat16>(1e-40, counts), std::ldexp(1.0f, -133));  // loses digits
  EXPECT_EQ(counts.vanished, 3);
  EXPECT_TRUE(std::isnan(float{written<Float16>(NAN, counts)}));
  EXPECT_EQ(counts.missing, 1);
}

TEST(Conversion, values_that_round_to_nothing_are_counted) {
  WriteCounts counts;
  EXPECT_EQ(written<std::int16_t>(1e-19, counts), 0);
  EXPECT_EQ(written<std::int16_t>(-0.5f, counts), 0);
  EXPECT_EQ(written<std::int64_t>(5e-324, counts), 0);
  EXPECT_EQ(counts.vanished, 3);
  EXPECT_EQ(written<std::int16_t>(0.0, counts), 0);
  EXPECT_EQ(written<std::int16_t>(-0.0f, counts), 0);
  EXPECT_EQ(written<std::int16_t>(0.51f, counts), 1);
  EXPECT_EQ(written<std::uint8_t>(-1.0, counts), 0);  // saturated, and counted as such
  EXPECT_EQ(written<std::int16_t>(NAN, counts, 0), 0);
  // in floating-point types, underflow is not counted
  EXPECT_EQ(written<float>(1e-300, counts), 0);
  EXPECT_EQ(counts.vanished, 3);
  EXPECT_EQ(counts.saturated, 1);
}

/// Returns the numbers that are treated as missing points.
template <class Number>
std::vector<Number> missing_among(const std::vector<Number>& numbers,
                                  const MissingMatch<Number>& match) {
  std::vector<Number> found;
  std::vector<double> values(numbers.size());
  const Index count = convert_read(numbers.data(), values.data(), std::ssize(numbers), match,
                                   std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isinf(values[i])) found.push_back(numbers[i]);
    EXPECT_EQ(std::isinf(values[i]), match(numbers[i]));
  }
  EXPECT_EQ(count, std::ssize(found));
  return found;
}

TEST(Conversion, missing_are_single_numbers_and_those_outside_a_range) {
  using Shorts = std::vector<std::int16_t>;
  const Shorts shorts{-32768, -10, -1, 0, 1, 2, 10, 32767};
  const auto among = [&](const std::vector<ElementValue>& values, std::optional<ElementValue> low,
                         std::optional<ElementValue> high) {
    return missing_among<std::int16_t>(shorts, MissingMatch<std::int16_t>(values, low, high));
  };
  EXPECT_EQ(among({}, {}, {}), Shorts{});
  EXPECT_EQ(among({-10, -10}, {}, {}), Shorts{-10});
  EXPECT_EQ(among({-10, 2, NAN, 70000, 0.5}, {}, {}), (Shorts{-10, 2}));
  EXPECT_EQ(among({1}, -1, 2), (Shorts{-32768, -10, 1, 10, 32767}));
  EXPECT_EQ(among({}, -0.5, 1.5), (Shorts{-32768, -10, -1, 2, 10, 32767}));
  EXPECT_EQ(among({}, -1e9, 1e9), Shorts{}) << "limits that all numbers keep";
  EXPECT_EQ(among({}, 1e9, {}), shorts) << "a limit that no number reaches";
  EXPECT_EQ(among({}, {}, -1e9), shorts);
  EXPECT_EQ(among({}, NAN, {}), Shorts{});
  const std::vector<float> floats{-INFINITY, -1, 0, 0.1f, 9.96921e36f};
  EXPECT_EQ(missing_among(floats, MissingMatch<float>({9.9692099683868690e+36}, 0, 0.1)),
            (std::vector<float>{-INFINITY, -1, 9.96921e36f}));
  const std::vector<float> gaps{1, NAN, 3};
  EXPECT_EQ(missing_among(gaps, MissingMatch<float>({NAN})).size(), 1u);
  EXPECT_EQ(missing_among(gaps, MissingMatch<float>({NAN, 3})).size(), 2u);
  EXPECT_EQ(missing_among(gaps, MissingMatch<float>({NAN, 1, 3})).size(), 3u);
}

TEST(Conversion, packed_numbers_stand_for_values) {
  WriteCounts counts;
  const auto packed = [&](double value, const Packing& packing) {
    std::int16_t result{};
    convert_written(&value, &result, 1, OutputRange<std::int16_t>(-32768), counts, packing);
    return result;
  };
  const Packing hundredths{.scale = 0.01, .offset = 273.15};
  EXPECT_EQ(packed(273.15, hundredths), 0);
  EXPECT_EQ(packed(280.004, hundredths), 685);
  EXPECT_EQ(packed(280.006, hundredths), 686);
  EXPECT_EQ(packed(NAN, hundredths), -32768);
  EXPECT_EQ(packed(1e-19, {.scale = 1e-21}), 100);
  EXPECT_EQ(counts.vanished, 0);
  EXPECT_EQ(counts.saturated, 0);
  EXPECT_EQ(packed(1e-19, {.scale = 1e-18}), 0);
  EXPECT_EQ(packed(-1e6, hundredths), -32767);
  EXPECT_EQ(counts.vanished, 1);
  EXPECT_EQ(counts.saturated, 1);
  // a packed input: the stored number 20 has the value 20 * 0.5 + 100
  EXPECT_EQ(packed(20, {.scale = 2, .offset = 10, .input_scale = 0.5, .input_offset = 100}), 50);
  EXPECT_EQ(packed(20, {.scale = 2, .offset = 10, .as_computed = true}), 20);
  float plain{};
  const double value = 7;
  convert_written(&value, &plain, 1, OutputRange<float>({}), counts);
  EXPECT_EQ(plain, 7.0f);
}

TEST(Conversion, nan_becomes_the_missing_value_and_is_counted) {
  WriteCounts counts;
  EXPECT_EQ(written<std::int16_t>(NAN, counts, -32768), -32768);
  EXPECT_TRUE(std::isnan(written<float>(double(NAN), counts, NAN)));
  EXPECT_EQ(written<float>(double(NAN), counts, -1.0), -1.0f);
  EXPECT_EQ(counts.missing, 3);
  EXPECT_EQ(counts.saturated, 0);
  EXPECT_EQ(written<double>(-INFINITY, counts), -INFINITY);
  EXPECT_EQ(counts.missing, 3);
}

TEST(Conversion, saturation_stops_short_of_the_missing_value) {
  WriteCounts counts;
  EXPECT_EQ(written<std::int16_t>(-1e9, counts, -32768), -32767);
  EXPECT_EQ(written<std::int16_t>(-32768.0, counts, -32768), -32767);
  EXPECT_EQ(written<std::uint8_t>(255.0f, counts, 255), 254);
  EXPECT_EQ(written<std::uint8_t>(INFINITY, counts, 255), 254);
  EXPECT_EQ(written<std::uint8_t>(-3.0, counts, 0), 1);
  EXPECT_EQ(written<std::int64_t>(-INFINITY, counts, INT64_MIN), INT64_MIN + 1);
  EXPECT_EQ(written<std::int64_t>(-9223372036854775808.0, counts, INT64_MIN), INT64_MIN + 1);
  EXPECT_EQ(written<std::uint64_t>(1e30, counts, UINT64_MAX), UINT64_MAX - 1);
  EXPECT_EQ(counts.saturated, 8);
  EXPECT_EQ(written<std::uint8_t>(254.0f, counts, 255), 254);
  // the missing value lies inside the range, so results may equal it
  EXPECT_EQ(written<std::uint8_t>(300.0f, counts, 7), 255);
  EXPECT_EQ(counts.saturated, 9);
  EXPECT_EQ(counts.missing, 0);
}

TEST(Conversion, missing_integers_of_64_bits_are_told_from_their_neighbours) {
  const std::int64_t low = -9223372036854775806;
  const std::int64_t from[3]{low, low + 1, low - 1};
  double to[3];
  EXPECT_EQ(convert_read(from, to, 3, MissingMatch<std::int64_t>({low}), 0.5), 1);
  EXPECT_EQ(to[0], 0.5);
  const std::uint64_t high[2]{UINT64_MAX, UINT64_MAX - 1};
  EXPECT_EQ(convert_read(high, to, 2, MissingMatch<std::uint64_t>({UINT64_MAX}), 0.5), 1);
  EXPECT_EQ(to[0], 0.5);
}

TEST(Conversion, missing_values_match_in_the_type_of_the_file) {
  const std::int16_t from[5]{1, -32768, 3, -999, 1};
  float to[5];
  const MissingMatch<std::int16_t> missing({-32768, -999, 0.5, 1e9, NAN});
  EXPECT_EQ(missing.values.size(), 2u);
  EXPECT_EQ(convert_read(from, to, 5, missing, float(NAN)), 2);
  EXPECT_EQ(to[0], 1);
  EXPECT_TRUE(std::isnan(to[1]));
  EXPECT_EQ(to[2], 3);
  EXPECT_TRUE(std::isnan(to[3]));

  const float single[3]{-999.9f, NAN, 1e20f};
  double wide[3];
  EXPECT_EQ(convert_read(single, wide, 3, MissingMatch<float>({-999.9}), -1.0), 1);
  EXPECT_EQ(wide[0], -1);
  EXPECT_TRUE(std::isnan(wide[1]));
  EXPECT_EQ(convert_read(single, wide, 3, MissingMatch<float>({NAN}), -1.0), 1);
  EXPECT_EQ(wide[1], -1);
  EXPECT_EQ(convert_read(single, wide, 3, MissingMatch<float>(), -1.0), 0);
  EXPECT_EQ(wide[0], double(-999.9f));
}

TEST(Conversion, a_missing_value_at_the_edge_of_its_type) {
  EXPECT_EQ(MissingMatch<std::int64_t>({-9223372036854775808.0}).values.size(), 1u);
  EXPECT_EQ(MissingMatch<std::int64_t>({9223372036854775808.0}).values.size(), 0u);
  EXPECT_EQ(MissingMatch<std::uint8_t>({255, 256, -1}).values.size(), 1u);
  EXPECT_EQ(MissingMatch<float>({1e300, -1e300, 1e20}).values.size(), 1u);
}

}  // namespace
}  // namespace stencil::storage
