#include "io/read/missing_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Returns the message with which a missing value is refused; empty if the type can represent the
/// value.
std::string refusal(ElementType type, const ElementValue& value) {
  DatasetFacts facts;
  facts.file = "a.h5", facts.dataset = "/x", facts.type = type;
  try {
    check_missing({{value}, NAN}, facts);
  } catch (const WordsError& error) {
    return error.what();
  }
  return {};
}

TEST(MissingPoints, AreValuesThatThePointsCanHave) {
  EXPECT_EQ(refusal(ElementType::int16, -999), "");
  EXPECT_EQ(refusal(ElementType::int16, -999.0), "") << "a whole number, however it is written";
  EXPECT_EQ(refusal(ElementType::float32, NAN), "");
  EXPECT_EQ(refusal(ElementType::float32, 0.1), "") << "rounded, as every point was";
  EXPECT_EQ(refusal(ElementType::uint64, UINT64_MAX), "");
}

TEST(MissingPoints, ValuesThatWouldSilentlyMatchNothingAreRefused) {
  EXPECT_EQ(refusal(ElementType::int16, 70000),
            "missing.value = 70000 cannot occur in a.h5:/x, whose points are int16: write a number "
            "of that type, auto, or none");
  EXPECT_NE(refusal(ElementType::int32, 0.5), "");
  EXPECT_NE(refusal(ElementType::int32, NAN), "");
  EXPECT_NE(refusal(ElementType::uint8, -1), "");
  EXPECT_NE(refusal(ElementType::int64, UINT64_MAX), "");
  EXPECT_NE(refusal(ElementType::float32, 1e300), "") << "it would become infinite";
}

}  // namespace
}  // namespace stencil
