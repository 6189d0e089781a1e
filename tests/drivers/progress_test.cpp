#include "drivers/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// A stream that remembers what was printed, and a clock that stands still until it is set.
class ProgressTest : public ::testing::Test {
 protected:
  ProgressTest() : stream_(std::tmpfile()) {}
  ~ProgressTest() override { std::fclose(stream_); }

  Progress make(const std::string& mode, int rank = 0) {
    return Progress(mode, rank, stream_, [this] { return now_; });
  }

  std::string printed() {
    std::fflush(stream_);
    std::rewind(stream_);
    std::string text;
    for (int c; (c = std::fgetc(stream_)) != EOF;) text += static_cast<char>(c);
    return text;
  }

  std::FILE* stream_;
  double now_ = 1000;
};

long count(const std::string& text, char c) {
  return std::count(text.begin(), text.end(), c);
}

TEST_F(ProgressTest, LinesComeAtTenthsOnly) {
  Progress progress = make("lines");
  progress.begin(1000);
  for (int i = 0; i < 1000; ++i) {
    now_ += 0.01;
    progress.advance(1);
  }
  progress.finish();
  const std::string text = printed();
  EXPECT_EQ(count(text, '\n'), 10) << text;
  EXPECT_EQ(text.substr(0, text.find('\n')), "stencil_run: 10 % done, 1 s, about 9 s left");
  EXPECT_NE(text.find("stencil_run: 100 % done, 10 s\n"), text.npos) << text;
}

TEST_F(ProgressTest, ALineComesAfterThirtySecondsToo) {
  Progress progress = make("lines");
  progress.begin(1000);
  now_ += 29;
  progress.advance(10);
  EXPECT_EQ(printed(), "");
  now_ += 1;
  progress.advance(10);
  EXPECT_EQ(printed(), "stencil_run: 2 % done, 30 s, about 24 min left\n");
  now_ += 29;
  progress.advance(10);
  EXPECT_EQ(count(printed(), '\n'), 1);
}

TEST_F(ProgressTest, OneGreatLeapIsOneLine) {
  Progress progress = make("lines");
  progress.begin(100);
  progress.advance(95);
  EXPECT_EQ(count(printed(), '\n'), 1);
}

TEST_F(ProgressTest, WhatGoesBeyondTheTotalIsIgnored) {
  Progress progress = make("lines");
  progress.begin(10);
  progress.advance(INT64_MAX);
  progress.advance(INT64_MAX);
  progress.advance(-3);
  progress.finish();
  progress.finish();
  EXPECT_EQ(printed(), "stencil_run: 100 % done, 0 s\n");
}

TEST_F(ProgressTest, AnUnfinishedRunSaysHowFarItCame) {
  Progress progress = make("lines");
  progress.begin(10);
  now_ += 2;
  progress.advance(0);
  progress.finish();
  EXPECT_EQ(printed(), "stencil_run: 0 % done, 2 s\n");
}

TEST_F(ProgressTest, NothingToDoIsDone) {
  Progress progress = make("lines");
  progress.begin(0);
  progress.finish();
  EXPECT_EQ(printed(), "stencil_run: 100 % done, 0 s\n");
}

TEST_F(ProgressTest, TheBarStaysOnOneLine) {
  Progress progress = make("bar");
  progress.begin(1000);
  for (int i = 0; i < 1000; ++i) {
    now_ += 0.01;
    progress.advance(1);
  }
  progress.finish();
  const std::string text = printed();
  EXPECT_EQ(count(text, '\n'), 1);
  EXPECT_EQ(text.back(), '\n');
  EXPECT_GT(count(text, '\r'), 50);
  EXPECT_LT(count(text, '\r'), 105) << "drawn at most ten times a second";
  EXPECT_NE(text.find("[" + std::string(40, '.') + "]   0 %"), text.npos);
  EXPECT_NE(text.find("[" + std::string(20, '#') + std::string(20, '.') + "]  50 %"), text.npos);
  EXPECT_NE(text.find("[" + std::string(40, '#') + "] 100 %"), text.npos);
}

TEST_F(ProgressTest, AnErrorBeginsOnALineOfItsOwn) {
  {
    Progress progress = make("bar");
    progress.begin(10);
    progress.advance(3);
  }
  EXPECT_EQ(printed().back(), '\n');
}

TEST_F(ProgressTest, AutoIsLinesWhereThereIsNoTerminal) {
  Progress progress = make("auto");
  progress.begin(10);
  progress.advance(5);
  progress.finish();
  EXPECT_EQ(count(printed(), '\r'), 0);
  EXPECT_EQ(count(printed(), '\n'), 2);
}

TEST_F(ProgressTest, OthersAreSilent) {
  for (const std::string mode : {"auto", "bar", "lines"}) {
    Progress progress = make(mode, 1);
    progress.begin(10);
    progress.advance(5);
    progress.finish();
  }
  Progress none = make("none");
  none.begin(10);
  none.advance(5);
  none.finish();
  EXPECT_EQ(printed(), "");
}

TEST_F(ProgressTest, UnknownModesAreRefused) {
  EXPECT_THROW(make("dots"), WordsError);
}

}  // namespace
}  // namespace stencil
