#include "drivers/config/unit_values.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

using Reals = std::vector<double>;

constexpr Range positive{.low = 0, .open = true};

UnitValues values(std::string_view text, std::size_t most = 2) {
  return to_unit_values(text, positive, most);
}

std::string refusal(std::string_view text, std::size_t most = 2) {
  try {
    values(text, most);
  } catch (const BadValue& error) {
    return error.what();
  }
  return "";
}

TEST(UnitValues, TheUnitIsOptional) {
  EXPECT_EQ(values("3").numbers, (Reals{3}));
  EXPECT_EQ(values("3").unit, "");
  EXPECT_EQ(values("100 km").numbers, (Reals{100}));
  EXPECT_EQ(values("100 km").unit, "km");
  EXPECT_EQ(values("2, 0.5  m s-1").numbers, (Reals{2, 0.5}));
  EXPECT_EQ(values("2, 0.5  m s-1").unit, "m s-1");
}

TEST(UnitValues, RefusesWhatIsNoNumberOrNoUnit) {
  EXPECT_NE(refusal("2 kn").find("kn is no unit"), std::string::npos);
  EXPECT_NE(refusal("100km").find("write a blank"), std::string::npos);
  EXPECT_NE(refusal("2 3km").find("write a blank"), std::string::npos);
  for (const char* text : {"", "km", "0 km", "-1", "1 2 3 km", "1 2 3"})
    EXPECT_NE(refusal(text), "") << text;
  EXPECT_NE(refusal("1 2 km", 1), "");
}

}  // namespace
}  // namespace stencil
