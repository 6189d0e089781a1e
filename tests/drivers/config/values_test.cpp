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
  // the other units
  const std::vector<std::pair<std::string, double>> units{
      {"KB", 1e3},    {"GB", 1e9},      {"TB", 1e12}, {"K", 1024},
      {"M", 1 << 20}, {"MiB", 1 << 20}, {"T", 0x1p40}};
  for (const auto& [name, bytes] : units)
    EXPECT_EQ(memory("3" + name), static_cast<Index>(3 * bytes)) << name;
}

TEST(Values, Times) {
  EXPECT_EQ(to_seconds("30 s"), 30);
  EXPECT_EQ(to_seconds("10 min"), 600);
  EXPECT_EQ(to_seconds("1.5h"), 5400);
  EXPECT_EQ(to_seconds("2 d"), 172800);
  EXPECT_EQ(to_seconds("+1e2s"), 100);
  for (const std::string word : {"s", "sec", "second", "seconds"})
    EXPECT_EQ(to_seconds("3 " + word), 3) << word;
  for (const std::string word : {"min", "minute", "minutes"})
    EXPECT_EQ(to_seconds("3" + word), 180) << word;
  for (const std::string word : {"h", "hour", "hours"})
    EXPECT_EQ(to_seconds("0.5 " + word), 1800) << word;
  for (const std::string word : {"d", "day", "days"})
    EXPECT_EQ(to_seconds("3 " + word), 259200) << word;
  for (const std::string bad :
       {"", "10", "min", "-1 s", "0 s", "1 m", "1 min 30 s", "nan s", "inf s", "1e30 s", "1e6 h"})
    EXPECT_THROW(to_seconds(bad), BadValue) << bad;
}

TEST(Values, TimesAsSlurmHasThem) {
  EXPECT_EQ(to_seconds("55:00"), 3300);
  EXPECT_EQ(to_seconds("90:30"), 5430);
  EXPECT_EQ(to_seconds("00:55:00"), 3300);
  EXPECT_EQ(to_seconds("2:03:04"), 7384);
  EXPECT_EQ(to_seconds("1-12"), 129600);
  EXPECT_EQ(to_seconds("1-00:30"), 88200);
  EXPECT_EQ(to_seconds("1-00:00:00"), 86400);
  EXPECT_EQ(to_seconds("0-00:00:01"), 1);
  for (const std::string bad :
       {"55",           ":",     "-",      "-5",        "5-",
        ":30",          "30:",   "1::2",   "0:0:0:1",   "1-2-3",
        "1:00-2",       "-1:00", "1--2",   "1-1:1:1:1", "00:00",
        "0-0",          "1 :30", "1:30 h", "1.5:00",    "99999999999999999999:00",
        "9999999999:00"})
    EXPECT_THROW(to_seconds(bad), BadValue) << bad;
}

std::string refusal_of(const std::string& time) {
  try {
    to_seconds(time);
  } catch (const BadValue& bad) {
    return bad.what();
  }
  return "";
}

TEST(Values, RefusedTimesSayWhatToWrite) {
  const std::string examples = "write for example 30 s, 10 min, 2 h or 00:55:00";
  EXPECT_EQ(refusal_of("55"), "not a time: 55 has no unit, " + examples);
  EXPECT_EQ(refusal_of("5 mins"), "not a time: mins is not a unit of time, " + examples);
  EXPECT_EQ(refusal_of("soon"), "not a time: " + examples);
  EXPECT_EQ(refusal_of("0 s"), "0 s is out of range, write a time above 0 and up to 1000000000 s");
  EXPECT_EQ(refusal_of("1:2:3:4"), "not a time: too many colons, " + examples);
  EXPECT_EQ(refusal_of("1:00-2"), "not a time: days come first, write for example 1-12:00:00");
}

TEST(Values, OpenRangesOfTwoEndsSayWhatTheyLeaveOut) {
  EXPECT_EQ(to_string(Range{0, 8, true}), "> 0, at most 8");
  EXPECT_EQ(to_string(Range{0, 8}), "0 .. 8");
  EXPECT_EQ(to_string(Range{.low = 0, .open = true}), "> 0");
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
