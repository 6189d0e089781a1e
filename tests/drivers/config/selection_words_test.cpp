#include "drivers/config/selection_words.hpp"

#include <gtest/gtest.h>

#include "drivers/config/values.hpp"

namespace stencil {
namespace {

TEST(SelectionWords, ReadsSlicesAndRangesOfCoordinates) {
  const Selection selection =
      read_selection("6000:12000:2,  :-5 ,::3, time 2024-05-01T00:10 .. 2024-05-01T00:20,lat ..5");
  ASSERT_EQ(selection.size(), 5u);
  EXPECT_EQ(std::get<Slice>(selection[0]), (Slice{6000, 12000, 2}));
  EXPECT_EQ(std::get<Slice>(selection[1]), (Slice{std::nullopt, -5, 1}));
  EXPECT_EQ(std::get<Slice>(selection[2]), (Slice{std::nullopt, std::nullopt, 3}));
  EXPECT_EQ(std::get<CoordinateRange>(selection[3]),
            (CoordinateRange{"time", "2024-05-01T00:10", "2024-05-01T00:20"}));
  EXPECT_EQ(std::get<CoordinateRange>(selection[4]), (CoordinateRange{"lat", "", "5"}));
  EXPECT_EQ(text_of(selection),
            "6000:12000:2, :-5, ::3, time 2024-05-01T00:10 .. 2024-05-01T00:20, lat .. 5");
  EXPECT_EQ(read_selection(text_of(selection)), selection);
  EXPECT_TRUE(read_selection("all").empty());
}

TEST(SelectionWords, RefusesWhatIsNeither) {
  for (const char* text : {"5", "1:2:0", "1:2:-1", "a:b", "1:2:3:4", "1:2,", "..", "time ..",
                           ".. 5", "1:1e40", "1.5:2"})
    EXPECT_THROW(read_selection(text), BadValue) << text;
}

}  // namespace
}  // namespace stencil
