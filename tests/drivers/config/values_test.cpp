#include "drivers/config/values.hpp"

#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

using test::files;
using test::parse;

TEST(Values, Sizes) {
  const auto memory = [](const std::string& value) {
    return parse(files + "[stencil]\nmask = 1\n[run]\nmemory = " + value + "\n").run.memory;
  };
  EXPECT_EQ(memory("auto"), 0);
  EXPECT_EQ(memory("4096"), 4096);
  EXPECT_EQ(memory("1e6"), 1000000);
  EXPECT_EQ(memory("512MB"), 512000000);
  EXPECT_EQ(memory("4GiB"), Index{4} << 30);
  EXPECT_EQ(memory("4 GiB"), Index{4} << 30);
  EXPECT_EQ(memory("4G"), Index{4} << 30);
  EXPECT_EQ(memory("2TiB"), Index{2} << 40);
  EXPECT_EQ(memory("0.5KiB"), 512);
  EXPECT_EQ(memory("3kB"), 3000);
  EXPECT_EQ(memory("7B"), 7);
}

TEST(Values, Times) {
  EXPECT_EQ(to_seconds("30 s"), 30);
  EXPECT_EQ(to_seconds("10 min"), 600);
  EXPECT_EQ(to_seconds("1.5h"), 5400);
  EXPECT_EQ(to_seconds("2 d"), 172800);
  for (const std::string bad :
       {"", "10", "min", "-1 s", "0 s", "1 m", "1 min 30 s", "nan s", "1e30 s"})
    EXPECT_THROW(to_seconds(bad), BadValue) << bad;
}

TEST(Values, Flags) {
  for (const std::string word : {"true", "yes", "on", "1"}) EXPECT_TRUE(to_flag(word)) << word;
  for (const std::string word : {"false", "no", "off", "0"}) EXPECT_FALSE(to_flag(word)) << word;
  EXPECT_THROW(to_flag("True "), BadValue);
}

TEST(Values, IntegersAtTheirLimits) {
  const Range any;
  EXPECT_EQ(to_integer("9223372036854775807", any), INT64_MAX);
  EXPECT_EQ(to_integer("-9223372036854775808", any), INT64_MIN);
  EXPECT_THROW(to_integer("9223372036854775808", any), BadValue);
  EXPECT_EQ(to_integer("9007199254740992e0", any), Index{1} << 53);
  EXPECT_THROW(to_integer("1e16", any), BadValue) << "not every neighbour is a double";
  EXPECT_EQ(to_integer("-2e3", any), -2000);
  EXPECT_EQ(to_integer("+5", any), 5);
  for (const std::string bad : {"", "+", "-", "++5", "+-5", "5 5", "5x", "1e", "inf", "nan", "0x5"})
    EXPECT_THROW(to_integer(bad, any), BadValue) << bad;
  EXPECT_EQ(to_integer("1", Range{1, 3}), 1);
  EXPECT_EQ(to_integer("3", Range{1, 3}), 3);
  EXPECT_THROW(to_integer("0", Range{1, 3}), BadValue);
  EXPECT_THROW(to_integer("4", Range{1, 3}), BadValue);
}

}  // namespace
}  // namespace stencil
