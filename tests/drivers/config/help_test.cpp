#include <algorithm>
#include <sstream>

#include "drivers/config/help.hpp"
#include "drivers/config/keys.hpp"
#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

using test::parse;

TEST(Help, NamesEveryKeyWithItsDefaultOnAPageOf100Columns) {
  const std::string help = help_text();
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const auto letters =
        std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
    EXPECT_LE(letters, 100) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
  for (const Key& key : all_keys()) {
    const std::string begin = "\n  " + std::string(key.name) + " ";
    const std::size_t section = help.find("\n[" + std::string(key.section) + "]");
    ASSERT_NE(section, help.npos) << key.section;
    EXPECT_NE(help.find(begin, section), help.npos) << key.section << "." << key.name;
  }
  for (const Family& family : all_families())
    EXPECT_NE(help.find("\n  " + std::string(family.name) + " "), help.npos) << family.name;
  for (const char* status : {"\n  0 ", "\n  2 ", "\n  3 ", "\n  4 ", "\n  1 "})
    EXPECT_NE(help.find(status), help.npos) << status;
}

TEST(Help, SaysWhatComesOut) {
  const std::string help = help_text();
  EXPECT_NE(help.find("mpirun"), help.npos);
  EXPECT_NE(help.find("--progress bar"), help.npos) << "under mpirun auto never draws a bar";
  EXPECT_NE(help.find("int64 and uint64"), help.npos) << "they are computed in float64 too";
}

TEST(Help, ItsExampleIsAConfiguration) {
  const std::string help = help_text();
  const std::size_t example = help.find("\nExample");
  ASSERT_NE(example, help.npos);
  const Config config = parse(help.substr(help.find("[input]", example)));
  EXPECT_EQ(config.stages.size(), 2u);
  EXPECT_EQ(config.output.gzip_level, 4);
}

}  // namespace
}  // namespace stencil
