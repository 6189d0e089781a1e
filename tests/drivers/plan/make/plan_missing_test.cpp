#include "drivers/plan/make/plan_missing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io/hdf5/conversion.hpp"
#include "io/read/read_values.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

using Values = std::vector<ElementValue>;

/// True if a number is treated as missing.
template <class Number>
bool is_missing(const Config& config, const DatasetFacts& facts, Number number) {
  const auto missing = missing_points(config, facts);
  return missing &&
         storage::MissingMatch<Number>(missing->values, missing->low, missing->high)(number);
}

DatasetFacts facts_of(ElementType type) {
  return testing::facts_of({9}, type);
}

TEST(PlanMissing, isWhatTheFileSaysUnlessSomethingElseIsAsked) {
  DatasetFacts facts = facts_of(ElementType::int16);
  Config config = testing::config_of("1 2 1");
  EXPECT_FALSE(missing_points(config, facts));
  facts.missing_values = {-9, 0};
  facts.missing_unasked = {-9};
  EXPECT_EQ(missing_points(config, facts)->values, Values{-9});
  config.missing.value = FromAttributes{};
  EXPECT_EQ(missing_points(config, facts)->values, (Values{-9, 0}));
  config.missing.value = std::monostate{};
  EXPECT_FALSE(missing_points(config, facts));
  config.missing.value = Values{5};
  EXPECT_EQ(missing_points(config, facts)->values, Values{5});
}

TEST(PlanMissing, nanIsMissingWhereThatMakesADifference) {
  Config config = testing::config_of("1 2 1");
  EXPECT_FALSE(missing_points(config, facts_of(ElementType::float32)));
  config.missing.policy = MissingPolicy::fill;
  EXPECT_TRUE(is_missing(config, facts_of(ElementType::float32), std::nanf("")));
  EXPECT_FALSE(missing_points(config, facts_of(ElementType::int16)));
}

TEST(PlanMissing, isOutsideTheValidRange) {
  DatasetFacts facts = facts_of(ElementType::int16);
  facts.valid_min = -5, facts.valid_max = 100;
  Config config = testing::config_of("1 2 1");
  for (const std::int16_t number : {-5, 0, 100}) EXPECT_FALSE(is_missing(config, facts, number));
  for (const std::int16_t number : {-6, 101, 30000}) EXPECT_TRUE(is_missing(config, facts, number));
  config.missing.value = Values{7};
  EXPECT_FALSE(is_missing(config, facts, std::int16_t{101}));
  config.missing.value = std::monostate{};
  EXPECT_FALSE(is_missing(config, facts, std::int16_t{101}));
}

TEST(PlanMissing, rangesOfValuesHoldToTheLastNumber) {
  DatasetFacts facts = facts_of(ElementType::int16);
  facts.is_packed = true;
  facts.scale_factor = 0.1;
  facts.valid_min = 0.3, facts.valid_max = 0.7;  // 0.3 / 0.1 is a little less than 3
  facts.range_is_of_values = true;
  const Config config = testing::config_of("1 2 1");
  for (const std::int16_t number : {3, 7}) EXPECT_FALSE(is_missing(config, facts, number));
  for (const std::int16_t number : {2, 8}) EXPECT_TRUE(is_missing(config, facts, number));
  facts.scale_factor = -0.1;
  for (const std::int16_t number : {-3, -7}) EXPECT_FALSE(is_missing(config, facts, number));
  for (const std::int16_t number : {-2, -8, 5}) EXPECT_TRUE(is_missing(config, facts, number));
}

TEST(PlanMissing, numbersHaveTheSignThatUnsignedGives) {
  DatasetFacts facts = facts_of(ElementType::int16);
  facts.missing_unasked = {-1};
  facts.valid_max = -2;
  facts.has_other_sign = true;
  const Config config = testing::config_of("1 2 1");
  EXPECT_TRUE(is_missing(config, facts, std::int16_t{-1})) << "as it is stored";
  read_values(facts);
  EXPECT_TRUE(is_missing(config, facts, std::uint16_t{65535}));
  EXPECT_FALSE(is_missing(config, facts, std::uint16_t{65534}));
}

}  // namespace
}  // namespace stencil
