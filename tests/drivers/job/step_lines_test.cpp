// Lines of looks that a run goes on from: each step stands there once, and seconds only grow.
#include "drivers/job/step_lines.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "framework/grid/error.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using StepAndSeconds = std::vector<std::pair<Index, double>>;

/// A run that goes on from `steps` and looks after these.
void write(const std::string& file, Index steps, const StepAndSeconds& looks) {
  StepLines lines(file, steps, 0.5);
  for (const auto& [step, seconds] : looks) lines.add({.steps = step}, seconds, {});
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
  write(file, 0, {{0, 0.5}, {500, 1}, {1000, 2}, {1500, 3}});
  write(file, 1200, {{1500, 0.25}, {2000, 0.5}});
  EXPECT_EQ(read(file), (StepAndSeconds{{0, 0.5}, {500, 1}, {1000, 2}, {1500, 2.25}, {2000, 2.5}}));
  write(file, 2000, {{2500, 4}});
  EXPECT_EQ(read(file),
            (StepAndSeconds{{0, 0.5}, {500, 1}, {1000, 2}, {1500, 2.25}, {2000, 2.5}, {2500, 6.5}}))
      << "the line at the checkpoint's own step stays";
  write(file, 100, {});
  EXPECT_EQ(read(file), (StepAndSeconds{{0, 0.5}}));
  write(file, 0, {{0, 7}});
  EXPECT_EQ(read(file), (StepAndSeconds{{0, 7}})) << "begins anew";
}

TEST(StepLines, LinesThatAreNotWholeAreCutOff) {
  const testing::Scratch scratch;
  const std::string file = scratch / "run.steps.jsonl";
  for (const std::string end :
       {"{\"step\": 10", "{\"step\": 10, \"seconds\": 4}", "x\n", "[3]\n", "{\"step\": \"4\"}\n"}) {
    write(file, 0, {{0, 1}, {5, 2}});
    std::ofstream(file, std::ios::app) << end;
    write(file, 20, {{25, 1}});
    EXPECT_EQ(read(file), (StepAndSeconds{{0, 1}, {5, 2}, {25, 3}})) << end;
  }
}

/// A file of another program, and a link, stay as they are; no temporary file is left.
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
      EXPECT_THROW(StepLines(file, steps, 1), StorageError);
      EXPECT_EQ(testing::bytes_of(file), "precious");
      EXPECT_EQ(scratch.names(), (std::vector<std::string>{"run.steps.jsonl", "theirs"}));
      std::filesystem::remove(file);
    }
  }
  // A beginning alone, and lines of other programs with a step, are not known to be lines of ours.
  for (const std::string other : {"{\"st", "{\"step\": 0, \"loss\": 1.0}\n"}) {
    testing::write_bytes(file, other);
    EXPECT_THROW(StepLines(file, 0, 1), StorageError) << other;
    EXPECT_EQ(testing::bytes_of(file), other);
  }
  testing::write_bytes(file, "");
  write(file, 0, {{0, 7}});
  EXPECT_EQ(read(file), (StepAndSeconds{{0, 7}}));
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"run.steps.jsonl", "theirs"}));
}

/// The one that came last has the file.
TEST(StepLines, OfTwoRunsAreNotMixed) {
  const testing::Scratch scratch;
  const std::string file = scratch / "run.steps.jsonl";
  StepLines first(file, 0, 1);
  first.add({.steps = 0}, 1, {});
  StepLines second(file, 0, 1);
  second.add({.steps = 5}, 2, {});
  first.add({.steps = 1}, 3, {});
  EXPECT_EQ(read(file), (StepAndSeconds{{5, 2}}));
}

TEST(StepLines, BeginWhereNoneWereWritten) {
  const testing::Scratch scratch;
  write(scratch / "run.steps.jsonl", 20, {{25, 1}});
  EXPECT_EQ(read(scratch / "run.steps.jsonl"), (StepAndSeconds{{25, 1}}));
  EXPECT_THROW(StepLines(scratch / "no/run.steps.jsonl", 20, 1), StorageError);
}

}  // namespace
}  // namespace stencil
