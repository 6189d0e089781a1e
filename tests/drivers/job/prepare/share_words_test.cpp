#include "drivers/job/prepare/share_words.hpp"

#include "drivers/config/parse_config.hpp"
#include "drivers/config/words.hpp"
#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

TEST(ShareWords, TravelWithAnyBytesAndDamageIsFound) {
  ConfigWords words;
  words.line = read_command_line({"3:\"a.ini", "--input.axis=-1", "--input.file=\xc3\xbc ;",
                                  "--report=r.json", "--trace=t.json", "--progress=none"});
  words.text = test::rich + "; 7:\n";
  const std::string bytes = serialize(words);
  const ConfigWords copy = config_words_from(bytes);
  EXPECT_EQ(copy.line.file, words.line.file);
  EXPECT_EQ(copy.text, words.text);
  const Config config = parse_config(copy);
  EXPECT_EQ(config.input.axis, -1);
  EXPECT_EQ(config.input.file, "\xc3\xbc ;");
  EXPECT_EQ(config.report, "r.json");
  EXPECT_EQ(config.trace, "t.json");
  EXPECT_EQ(config.progress, ProgressStyle::none);
  EXPECT_FALSE(config.check);
  EXPECT_EQ(config.canonical, parse_config(words).canonical);
  words.line.check = true;
  EXPECT_TRUE(config_words_from(serialize(words)).line.check);
  EXPECT_ANY_THROW(config_words_from(bytes.substr(0, bytes.size() - 1)));
  EXPECT_ANY_THROW(config_words_from(""));
}

}  // namespace
}  // namespace stencil
