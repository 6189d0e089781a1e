// The arguments of a command line, and the text of the configuration file that it names.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "drivers/config/parse_config.hpp"
#include "drivers/config/words.hpp"
#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

/// A temporary file, which is removed at the end.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() /
               ("words_test_" + std::to_string(::getpid()) + ".ini"))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~ScratchFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Request read(const std::vector<std::string>& arguments, ConfigWords& words) {
  std::vector<const char*> argv{"stencil_run"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  return read_words(static_cast<int>(argv.size()), argv.data(), words);
}

TEST(ReadWords, ReadsTheNamedFile) {
  const ScratchFile file(test::rich);
  ConfigWords words;
  ASSERT_EQ(read({"--input.axis", "-1", file.path(), "--check"}, words), Request::run);
  EXPECT_EQ(words.line.file, file.path());
  EXPECT_EQ(words.text, test::rich);
  EXPECT_TRUE(words.line.check);
  EXPECT_EQ(parse_config(words).input.axis, -1);
}

TEST(ReadWords, ThePlanAsJsonIsOfCheckAlone) {
  const ScratchFile file(test::rich);
  ConfigWords words;
  read({file.path(), "--check", "--json"}, words);
  EXPECT_TRUE(parse_config(words).json);
  read({file.path(), "--check"}, words);
  EXPECT_FALSE(parse_config(words).json);
  EXPECT_THROW(read({file.path(), "--json"}, words), WordsError);
  EXPECT_THROW(read({file.path(), "--check", "--json=1"}, words), WordsError);
}

TEST(ReadWords, HelpAndVersionNeedNoFile) {
  ConfigWords words;
  EXPECT_EQ(read({"--help"}, words), Request::help);
  EXPECT_EQ(read({"--version"}, words), Request::version);
  EXPECT_EQ(read({"no_such_file.ini", "--help"}, words), Request::help);
}

TEST(ReadWords, QuestionsAboutAFileNeedNoConfiguration) {
  ConfigWords words;
  EXPECT_EQ(read({}, words), Request::guide);
  EXPECT_EQ(read({"--list", "in.h5"}, words), Request::list);
  EXPECT_EQ(words.line.list, "in.h5");
  EXPECT_EQ(read({"--init", "bandpass", "in.h5"}, words), Request::init);
  EXPECT_EQ(words.line.init, "bandpass");
  EXPECT_EQ(words.line.file, "in.h5");
  EXPECT_EQ(read({"in.h5", "--init=smooth", "--input.dataset=/a"}, words), Request::init);
  const std::vector<std::vector<std::string>> refused{
      {"--list"},
      {"--init", "bandpass"},
      {"--list", "a.h5", "b.h5"},
      {"--list", "a.h5", "--check"},
      {"--list", "a.h5", "--input.axis=0"},
      {"--list", "a.h5", "--init", "smooth"},
      {"--init", "smooth", "a.h5", "--report", "r"},
      {"--init", "smooth", "a.h5", "--run.memory=1"}};
  for (const auto& arguments : refused)
    EXPECT_THROW(read(arguments, words), WordsError) << arguments.front() << arguments.back();
}

TEST(ReadWords, ErrorsHaveTheirStatus) {
  ConfigWords words;
  EXPECT_THROW(read({"--check"}, words), WordsError);
  EXPECT_THROW(read({"a.ini", "--chek"}, words), WordsError);
  EXPECT_THROW(read({"/no/such/file.ini"}, words), StorageError);
  EXPECT_THROW(read({"/"}, words), StorageError) << "a folder";
  try {
    read({"/no/such\nfile.ini"}, words);
    FAIL() << "was read";
  } catch (const StorageError& error) {
    EXPECT_TRUE(test::printable_line(error.what())) << error.what();
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos) << error.what();
  }
}

TEST(ReadWords, AnEndlessFileIsRefusedAndNotReadToItsEnd) {
  ConfigWords words;
  ASSERT_EQ(read({"/dev/zero"}, words), Request::run);
  EXPECT_LT(words.text.size(), std::size_t{17} << 20);
  EXPECT_THROW(parse_config(words), WordsError);
}

}  // namespace
}  // namespace stencil
