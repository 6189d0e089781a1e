#include "io/read/read_values.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

TEST(ReadValues, GapsOfUnsignedNumbersAreStoredAsTheOthersAre) {
  DatasetFacts facts;
  facts.type = ElementType::int16;
  facts.has_other_sign = true;
  facts.fill = 65535;
  read_values(facts);
  EXPECT_TRUE(facts.reads_values);
  EXPECT_EQ(facts.number_type(), ElementType::uint16);
  EXPECT_EQ(facts.fill, ElementValue(-1));
}

TEST(ReadValues, AttributesThatGiveNoValuesAreRefused) {
  for (const double scale : {0.0, double(NAN), double(INFINITY)}) {
    DatasetFacts facts;
    facts.file = "a.h5", facts.dataset = "/x";
    facts.is_packed = true;
    facts.scale_factor = scale;
    try {
      read_values(facts);
      ADD_FAILURE() << scale;
    } catch (const WordsError& error) {
      EXPECT_NE(std::string(error.what()).find("input.packed = stored"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace stencil
