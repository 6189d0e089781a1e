#include "io/metadata/unit.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace stencil::storage {
namespace {

TEST(Unit, is_parsed_in_the_spellings_of_files) {
  const Unit second = Unit::parse("s").value();
  const struct {
    std::string text;
    double seconds;
  } cases[] = {{"ms", 1e-3},     {"msec", 1e-3},       {"Seconds", 1},    {"\u00b5s", 1e-6},
               {"\xb5s", 1e-6},  {"\u03bcs", 1e-6},    {" hours ", 3600}, {"d", 86400},
               {"100 ns", 1e-7}, {"s/4096", 1. / 4096}};
  for (const auto& one : cases) {
    const auto unit = Unit::parse(one.text);
    ASSERT_TRUE(unit) << one.text;
    EXPECT_DOUBLE_EQ(unit->in(second).value_or(0), one.seconds) << one.text;
  }
  for (const std::string& text : {std::string(), std::string(" "), std::string("samples"),
                                  std::string("m s-1 of"), std::string(1000, 'm')})
    EXPECT_FALSE(Unit::parse(text)) << text;
}

TEST(Unit, is_converted_into_units_of_the_same_quantity_only) {
  const auto factor = [](const char* from, const char* to) {
    return Unit::parse(from)->in(*Unit::parse(to));
  };
  EXPECT_DOUBLE_EQ(factor("km", "m").value(), 1000);
  EXPECT_DOUBLE_EQ(factor("degrees_north", "degree").value(), 1);
  EXPECT_NEAR(factor("degF", "K").value(), 5. / 9, 1e-12) << "differences of temperatures";
  EXPECT_FALSE(factor("m", "s"));
  EXPECT_FALSE(factor("Hz", "s")) << "a reciprocal is not a factor";
}

TEST(Unit, of_a_derivative_keeps_the_words_of_the_file) {
  const struct {
    const char *quantity, *coordinate;
    Index order;
    const char* derived;
  } cases[] = {
      {"K", "m", 1, "K m-1"},
      {"K", "km", 1, "K km-1"},
      {"K", "hours", 1, "K hours-1"},
      {"degC", "km", 2, "degC km-2"},
      {"m s-1", "s", 1, "m s-2"},
      {"m", "s", 1, "m s-1"},
      {"m", "m", 1, "1"},
      {"K", "m s-1", 1, "K (m s-1)-1"},
      {"m/s", "degrees_north", 1, "m/s degrees_north-1"},
      {"", "m", 1, "m-1"},
      {"1", "s", 2, "s-2"},
      {"counts", "s", 1, "counts s-1"},
  };
  for (const auto& one : cases)
    EXPECT_EQ(unit_of_derivative(one.quantity, one.coordinate, one.order), one.derived)
        << one.quantity << " by " << one.coordinate;
  EXPECT_FALSE(unit_of_derivative("dBZ", "km", 1)) << "a logarithm";
  EXPECT_FALSE(unit_of_derivative("strain", "s", 1)) << "no unit";
  EXPECT_FALSE(unit_of_derivative("K", "samples", 1));
}

/// A unit is only written if UDUNITS reads it with the intended meaning.
TEST(Unit, of_a_derivative_is_that_unit) {
  const Unit wanted = Unit::parse("kg m-2")->per(*Unit::parse("d"), 1).value();
  const auto words = unit_of_derivative("kg/m2", "days", 1);
  ASSERT_TRUE(words);
  EXPECT_DOUBLE_EQ(Unit::parse(*words)->in(wanted).value_or(0), 1) << *words;
  EXPECT_EQ(Unit::parse("km")->per(*Unit::parse("s"), 2)->text(), "1000 m s-2");
}

TEST(Unit, may_be_used_by_several_threads) {
  std::vector<std::thread> threads;
  std::vector<int> right(4, 0);
  for (std::size_t i = 0; i < right.size(); ++i)
    threads.emplace_back([&right, i] {
      for (int n = 0; n < 200; ++n)
        right[i] += unit_of_derivative("K", "km", 1) == "K km-1" ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(4, 200));
}

}  // namespace
}  // namespace stencil::storage
