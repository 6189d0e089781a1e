#include "framework/grid/one_line.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(OneLine, PrintableTextStays) {
  EXPECT_EQ(one_line(""), "");
  EXPECT_EQ(one_line("sigma = 2 \\ \"x\""), "sigma = 2 \\ \"x\"");
  EXPECT_EQ(one_line("m\xc3\xbc \xe2\x82\xac \xf0\x9f\x99\x82"),
            "m\xc3\xbc \xe2\x82\xac \xf0\x9f\x99\x82");
}

TEST(OneLine, ControlCharactersAreEscaped) {
  EXPECT_EQ(one_line("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(one_line(std::string_view("\0\x1b[31m\x7f", 7)), "\\x00\\x1b[31m\\x7f");
  EXPECT_EQ(one_line("\xc2\x85\xc2\xa0"), "\\u{85}\xc2\xa0") << "the next-line control is escaped";
}

TEST(OneLine, CharactersThatDeceiveAreEscaped) {
  EXPECT_EQ(one_line("a\xe2\x80\xae"
                     "b"),
            "a\\u{202e}b")
      << "right to left";
  EXPECT_EQ(one_line("\xe2\x80\xa8"), "\\u{2028}") << "line separator";
  EXPECT_EQ(one_line("\xef\xbb\xbf"), "\\u{feff}");
}

TEST(OneLine, BytesThatAreNotUtf8AreEscapedOneByOne) {
  EXPECT_EQ(one_line("\xff\x80"), "\\xff\\x80");
  EXPECT_EQ(one_line("\xc3"), "\\xc3") << "cut off";
  EXPECT_EQ(one_line("\xe2\x82"), "\\xe2\\x82") << "cut off";
  EXPECT_EQ(one_line("\xc0\xaf"), "\\xc0\\xaf") << "too long for its character";
  EXPECT_EQ(one_line("\xe0\x80\xaf"), "\\xe0\\x80\\xaf") << "too long for its character";
  EXPECT_EQ(one_line("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond Unicode";
  EXPECT_EQ(one_line("\xc3z"), "\\xc3z");
}

TEST(OneLine, TellsUtf8FromOtherBytes) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("m\xc3\xbc \n"));
  EXPECT_FALSE(is_utf8("m\xfc"));
  EXPECT_FALSE(is_utf8("m\xc3"));
}

TEST(OneLine, LosesTheMiddleOfWhatIsVeryLong) {
  const std::string path = "/data/" + std::string(4000, 'x') + "/o.h5";
  EXPECT_EQ(one_line(path).size(), 200u);
  EXPECT_TRUE(one_line(path).starts_with("/data/xxx"));
  EXPECT_TRUE(one_line(path).ends_with("xxx/o.h5"));
  EXPECT_NE(one_line(path).find("xxx...xxx"), std::string::npos);
  EXPECT_EQ(one_line(path, std::string::npos), path);
  EXPECT_LE(one_line(std::string(4000, '\n')).size(), 200u);
}

TEST(Shortened, KeepsBeginningAndEnd) {
  EXPECT_EQ(shortened("0123456789", 10), "0123456789");
  EXPECT_EQ(shortened("0123456789a", 10), "0123...89a");
  std::string text(1000, 'a');
  text.back() = 'z';
  EXPECT_EQ(shortened(text, 60).size(), 60u);
  EXPECT_EQ(shortened(text, 60).back(), 'z');
}

TEST(Shortened, CountsCharactersAndCutsNone) {
  std::string euros, escapes;
  for (int i = 0; i < 10; ++i) euros += "\xe2\x82\xac";
  EXPECT_EQ(shortened(euros, 10), euros) << "10 characters in 30 bytes";
  EXPECT_EQ(shortened(euros + "x", 10),
            "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac...\xe2\x82\xac\xe2\x82\xacx");
  for (int i = 0; i < 10; ++i) escapes += '\n';
  EXPECT_EQ(shortened(escapes, 20), "\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n");
  EXPECT_EQ(shortened(escapes, 19), "\\n\\n\\n\\n\\n...\\n\\n\\n");
}

}  // namespace
}  // namespace stencil
