// The file with one line per checked step, for runs that are continued: each step has one line, and
// the seconds only increase.
#include "drivers/job/watch/step_lines.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "framework/grid/error.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using StepAndSeconds = std::vector<std::pair<Index, double>>;

/// Writes the lines of a run that continues from step `steps`, and whose checkpoint records the
/// lines that were written before. @returns the note, and the record of the lines for a checkpoint
/// at the end of the run
std::pair<std::string, LinesSaved> write(const std::string& file, Index steps,
                                         const StepAndSeconds& looks,
                                         const std::optional<LinesSaved>& saved = {}) {
  StepLines lines(file, steps, 0.5, saved);
  for (const auto& [step, seconds] : looks) lines.add({.steps = step}, seconds, {});
  return {lines.note(), lines.saved()};
}

StepAndSeconds read(const std::string& file) {
  StepAndSeconds found;
  std::ifstream lines(file);
  for (std::string text; std::getline(lines, text);) {
    const auto line = nlohmann::json::parse(text);
    found.emplace_back(line.at("step").get<Index>(), line.at("seconds").get<double>());
  }
  return found;
}

TEST(StepLines, GoOnBehindTheStepsOfACheckpoint) {
  const testing::Scratch scratch;
  const std::string file = scratch / "run.steps.jsonl";
  const auto at_1000 = write(file, 0, {{0, 0.5}, {500, 1}, {1000, 2}}).second;
  std::string text = testing::bytes_of(file);
  for (const std::string& end :
       {std::string(), text.substr(0, 70), std::string("{\"step\": 10}\n")}) {
    testing::write_bytes(file, text + end);  // `end` is written after the checkpoint
    const auto [note, at_2000] = write(file, 1200, {{1500, 0.25}, {2000, 0.5}}, at_1000);
    EXPECT_EQ(note, "");
    EXPECT_EQ(read(file),
              (StepAndSeconds{{0, 0.5}, {500, 1}, {1000, 2}, {1500, 2.25}, {2000, 2.5}}));
    EXPECT_EQ(at_2000.bytes, std::ssize(testing::bytes_of(file)));
    EXPECT_EQ(write(file, 2000, {{2500, 4}}, at_2000).first, "");
    EXPECT_EQ(
        read(file),
        (StepAndSeconds{{0, 0.5}, {500, 1}, {1000, 2}, {1500, 2.25}, {2000, 2.5}, {2500, 6.5}}));
  }
  EXPECT_EQ(write(file, 0, {{0, 7}}).first, "");
  EXPECT_EQ(read(file), (StepAndSeconds{{0, 7}})) << "starts from the beginning";
}

/// Lines of another run with the same name and format are not continued.
TEST(StepLines, OfAnotherRunAreNotGoneOnWith) {
  const testing::Scratch scratch;
  const std::string file = scratch / "run.steps.jsonl";
  const auto saved = write(file, 0, {{0, 0.5}, {500, 1}}).second;
  const std::string text = testing::bytes_of(file);
  std::string changed = text;
  changed[text.size() / 2] ^= 1;
  // these lines are as long as those that the checkpoint records
  write(file, 0, {{0, 0.5}, {500, 2}});
  const std::string others = testing::bytes_of(file);
  ASSERT_EQ(others.size(), text.size());
  for (const std::string& there :
       {others, changed, text.substr(0, text.size() - 1), std::string()}) {
    testing::write_bytes(file, there);
    const std::string note = write(file, 600, {{1000, 1}}, saved).first;
    EXPECT_NE(note.find("does not begin with the lines that this run wrote"), std::string::npos)
        << note;
    EXPECT_EQ(read(file), (StepAndSeconds{{1000, 1}}));
  }
  std::filesystem::remove(file);
  EXPECT_NE(write(file, 600, {{1000, 1}}, saved).first.find("is gone"), std::string::npos);
  EXPECT_EQ(read(file), (StepAndSeconds{{1000, 1}}));
  EXPECT_NE(write(file, 600, {{1000, 1}}).first, "") << "the checkpoint says of no lines";
  EXPECT_EQ(read(file), (StepAndSeconds{{1000, 1}}));
}

TEST(StepLines, ABeginningOfTheFirstLineIsOurs) {
  const testing::Scratch scratch;
  const std::string file = scratch / "run.steps.jsonl";
  write(file, 0, {{0, 0.5}});
  const std::string line = testing::bytes_of(file);
  for (const std::size_t bytes : {std::size_t{17}, std::size_t{30}, line.size() - 1}) {
    testing::write_bytes(file, line.substr(0, bytes));
    write(file, 0, {{0, 7}});
    EXPECT_EQ(read(file), (StepAndSeconds{{0, 7}})) << bytes;
  }
  testing::write_bytes(file, std::string(200, '\0'));
  write(file, 0, {{0, 7}});
  EXPECT_EQ(read(file), (StepAndSeconds{{0, 7}}));
}

/// Files of other programs and links are not changed, and no temporary file is left.
TEST(StepLines, ReplaceNoOtherFile) {
  const testing::Scratch scratch;
  const std::string file = scratch / "run.steps.jsonl", theirs = scratch / "theirs";
  testing::write_bytes(theirs, "precious");
  for (const Index steps : {0, 20}) {
    for (const bool is_link : {false, true}) {
      if (is_link)
        std::filesystem::create_symlink(theirs, file);
      else
        std::filesystem::copy(theirs, file);
      EXPECT_THROW(StepLines(file, steps, 1, {}), StorageError);
      EXPECT_EQ(testing::bytes_of(file), "precious");
      EXPECT_EQ(scratch.names(), (std::vector<std::string>{"run.steps.jsonl", "theirs"}));
      std::filesystem::remove(file);
    }
  }
  // An incomplete line, and lines of other programs with a member `step`, are not replaced.
  for (const std::string other : {"{\"st", "{\"step\": 0, \"loss\": 1.0}\n"}) {
    testing::write_bytes(file, other);
    EXPECT_THROW(StepLines(file, 0, 1, {}), StorageError) << other;
    EXPECT_EQ(testing::bytes_of(file), other);
  }
  testing::write_bytes(file, "");
  write(file, 0, {{0, 7}});
  EXPECT_EQ(read(file), (StepAndSeconds{{0, 7}}));
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"run.steps.jsonl", "theirs"}));
}

/// The run that started last replaces the file.
TEST(StepLines, OfTwoRunsAreNotMixed) {
  const testing::Scratch scratch;
  const std::string file = scratch / "run.steps.jsonl";
  StepLines first(file, 0, 1, {});
  first.add({.steps = 0}, 1, {});
  StepLines second(file, 0, 1, {});
  second.add({.steps = 5}, 2, {});
  first.add({.steps = 1}, 3, {});
  EXPECT_EQ(read(file), (StepAndSeconds{{5, 2}}));
}

TEST(StepLines, BeginWhereNoneWereWritten) {
  const testing::Scratch scratch;
  write(scratch / "run.steps.jsonl", 20, {{25, 1}});
  EXPECT_EQ(read(scratch / "run.steps.jsonl"), (StepAndSeconds{{25, 1}}));
  EXPECT_THROW(StepLines(scratch / "no/run.steps.jsonl", 20, 1, {}), StorageError);
}

}  // namespace
}  // namespace stencil
