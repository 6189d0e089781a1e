#include "drivers/job/report/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Records the printed text, with a clock that only advances when it is set.
class ProgressTest : public ::testing::Test {
 protected:
  ProgressTest() : stream_(std::tmpfile()) {}
  ~ProgressTest() override { std::fclose(stream_); }

  Progress make(ProgressStyle style, int rank = 0) {
    return Progress(style, rank, stream_, [this] { return now_; });
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
  Progress progress = make(ProgressStyle::lines);
  progress.begin(1000);
  for (int i = 0; i < 1000; ++i) {
    now_ += 0.011;
    progress.advance(1);
  }
  progress.finish();
  const std::string text = printed();
  EXPECT_EQ(count(text, '\n'), 10) << text;
  EXPECT_EQ(text.substr(0, text.find('\n')), "progress: 10 % done, 1 s, about 10 s left");
  EXPECT_NE(text.find("progress: 100 % done, 11 s\n"), text.npos) << text;
}

TEST_F(ProgressTest, ALineComesAfterThirtySecondsToo) {
  Progress progress = make(ProgressStyle::lines);
  progress.begin(1000);
  now_ += 29;
  progress.advance(10);
  EXPECT_EQ(printed(), "");
  now_ += 1;
  progress.advance(10);
  EXPECT_EQ(printed(), "progress: 2 % done, 30 s, about 24 min left\n");
  now_ += 29;
  progress.advance(10);
  EXPECT_EQ(count(printed(), '\n'), 1);
}

TEST_F(ProgressTest, OneGreatLeapIsOneLine) {
  Progress progress = make(ProgressStyle::lines);
  progress.begin(100);
  now_ += 5;
  progress.advance(95);
  EXPECT_EQ(count(printed(), '\n'), 1);
}

TEST_F(ProgressTest, WhatGoesBeyondTheTotalIsIgnored) {
  Progress progress = make(ProgressStyle::lines);
  progress.begin(10);
  progress.advance(INT64_MAX);
  progress.advance(INT64_MAX);
  progress.advance(-3);
  progress.finish();
  progress.finish();
  EXPECT_EQ(printed(), "progress: 100 % done, 0 s\n");
}

TEST_F(ProgressTest, AnUnfinishedRunSaysHowFarItCame) {
  Progress progress = make(ProgressStyle::lines);
  progress.begin(10);
  now_ += 2;
  progress.advance(0);
  progress.finish();
  EXPECT_EQ(printed(), "progress: 0 % done, 2 s\n");
}

TEST_F(ProgressTest, NothingToDoIsDone) {
  Progress progress = make(ProgressStyle::lines);
  progress.begin(0);
  progress.finish();
  EXPECT_EQ(printed(), "progress: 100 % done, 0 s\n");
}

TEST_F(ProgressTest, TheBarStaysOnOneLine) {
  Progress progress = make(ProgressStyle::bar);
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
    Progress progress = make(ProgressStyle::bar);
    progress.begin(10);
    progress.advance(3);
  }
  EXPECT_EQ(printed().back(), '\n');
}

TEST_F(ProgressTest, AutoIsLinesWhereThereIsNoTerminal) {
  Progress progress = make(ProgressStyle::automatic);
  progress.begin(10);
  progress.advance(5);
  EXPECT_EQ(count(printed(), '\n'), 0) << "no second has passed";
  progress.phase("write");
  progress.finish();
  EXPECT_EQ(count(printed(), '\r'), 0);
  EXPECT_EQ(count(printed(), '\n'), 2);
}

/// The progress of a run: bytes are read, points are computed, and bytes are written.
void run_of_three_phases(Progress& progress, double& now) {
  progress.begin(300);
  progress.phase("read", Index{2} << 30);
  now += 10;
  progress.advance(100);
  progress.phase("compute");
  now += 4;
  progress.advance(60);
  now += 4;
  progress.advance(40);
  progress.phase("write", 1536);
  now += 6;
  progress.advance(100);
}

TEST_F(ProgressTest, PhasesAreNamedAndFullIsSaidAtTheEndOnly) {
  Progress progress = make(ProgressStyle::lines);
  run_of_three_phases(progress, now_);
  const std::string before =
      "progress: read 2.0 GiB\n"
      "progress: 33 % done (read), 10 s, about 20 s left\n"
      "progress: compute\n"
      "progress: 53 % done (compute), 14 s, about 12 s left\n"
      "progress: 66 % done (compute), 18 s, about 9 s left\n"
      "progress: write 1.5 KiB\n";
  EXPECT_EQ(printed(), before) << "all is written, but not yet under its final name";
  now_ += 1;
  progress.finish();
  EXPECT_EQ(printed(), before + "progress: 100 % done, 25 s\n");
}

TEST_F(ProgressTest, TheBarNamesThePhaseAndStaysOnOneLine) {
  Progress progress = make(ProgressStyle::bar);
  run_of_three_phases(progress, now_);
  progress.finish();
  const std::string text = printed();
  EXPECT_EQ(count(text, '\n'), 1) << text;
  for (const std::string part : {"read, 0 s", "read, 10 s", "compute, 10 s", "write, 18 s"})
    EXPECT_NE(text.find(part), text.npos) << part << " is not in " << text;
  EXPECT_EQ(text.find("% write", text.rfind('\r')), text.npos) << "the last word is no phase's";
}

TEST_F(ProgressTest, NothingFollowsAnError) {
  {
    Progress progress = make(ProgressStyle::lines);
    progress.begin(10);
    progress.phase("read");
  }
  EXPECT_EQ(printed(), "progress: read\n") << "unwinding prints nothing";
  Progress never_begun = make(ProgressStyle::lines);
  never_begun.phase("read");
  never_begun.finish();
  EXPECT_EQ(printed(), "progress: read\n");
}

TEST_F(ProgressTest, NoLineBeginsLikeAnError) {
  Progress progress = make(ProgressStyle::lines);
  run_of_three_phases(progress, now_);
  progress.finish();
  EXPECT_EQ(printed().find("stencil_run:"), std::string::npos);
}

TEST_F(ProgressTest, LinesTellOfStepsTheirTimeAndTheChange) {
  Progress progress = make(ProgressStyle::lines);
  progress.begin(1000);
  progress.phase("compute");
  progress.begin_steps(500, 1000, 0.25, "s");
  for (int i = 0; i < 250; ++i) progress.step();
  progress.changed(0.00123);
  now_ += 20;
  progress.advance(500);
  progress.changed({});
  now_ += 4000;
  progress.advance(10);
  EXPECT_EQ(
      printed().substr(0, printed().find(", until about ")),
      "progress: compute\n"
      "progress: 50 % done (compute), step 750 of 1000 (187.5 s), change 1.23e-03, 20 s, about 20 "
      "s left\n"
      "progress: 51 % done (compute), step 750 of 1000 (187.5 s), 67 min, about 64 min left");
}

TEST_F(ProgressTest, AFewMinutesHaveNoEndOnTheClock) {
  Progress progress = make(ProgressStyle::lines);
  progress.begin(1000);
  progress.begin_steps(0, 20, 1, "");
  progress.step();
  now_ += 200;
  progress.advance(500);
  EXPECT_EQ(printed(), "progress: 50 % done, step 1 of 20, 3 min, about 3 min left\n");
}

TEST_F(ProgressTest, OthersAreSilent) {
  for (const ProgressStyle style :
       {ProgressStyle::automatic, ProgressStyle::bar, ProgressStyle::lines}) {
    Progress progress = make(style, 1);
    progress.begin(10);
    progress.phase("read");
    progress.advance(5);
    progress.finish();
  }
  Progress none = make(ProgressStyle::none);
  none.begin(10);
  none.advance(5);
  none.finish();
  EXPECT_EQ(printed(), "");
}

}  // namespace
}  // namespace stencil
