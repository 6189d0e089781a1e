#include "io/metadata/written_date.hpp"

#include <gtest/gtest.h>

namespace stencil::storage {
namespace {

TEST(WrittenDate, is_read_in_the_order_of_the_convention) {
  EXPECT_EQ(WrittenDate("22/09/2023 18:29:26.158 (UTC)", "date d/m/y").iso(),
            "2023-09-22 18:29:26.158");
  EXPECT_EQ(WrittenDate("07/20/2023 16:12:38", "date m/d/y").iso(), "2023-07-20 16:12:38");
}

TEST(WrittenDate, of_another_order_or_kind_stays_as_it_is) {
  for (const char* text : {"2023-09-22T18:29:26", "22/9/2023", "", "1/2", "22-09-2023 18:29"})
    EXPECT_EQ(WrittenDate(text, "date d/m/y").iso(), text);
  EXPECT_EQ(WrittenDate("22/09/2023 18:29", "date").iso(), "22/09/2023 18:29");
}

TEST(WrittenDate, writes_another_date_as_its_own) {
  const WrittenDate silixa("22/09/2023 18:29:26.158 (UTC)", "date d/m/y");
  EXPECT_EQ(silixa.written("2023-10-01 00:00:00.250"), "01/10/2023 00:00:00.250 (UTC)");
  EXPECT_EQ(WrittenDate("07/20/2023 16:12:38", "date m/d/y").written("2023-08-01 00:00:01"),
            "08/01/2023 00:00:01");
  EXPECT_EQ(WrittenDate("2023-07-20T16:12", "date m/d/y").written("2023-08-01T00:00"),
            "2023-08-01T00:00");
}

}  // namespace
}  // namespace stencil::storage
