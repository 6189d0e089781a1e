// The time at which a run must stop because of its time limit.
#include "drivers/job/watch/time_left.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>

namespace stencil {
namespace {

TEST(TimeLeft, WithoutALimitThereIsTime) {
  const TimeLeft left{std::nullopt};
  EXPECT_FALSE(left.is_over(1e9));
  EXPECT_EQ(left.note(), "");
}

TEST(TimeLeft, ATenthIsKeptInReserve) {
  const TimeLeft left{TimeLimit{.seconds = 36000}};
  EXPECT_FALSE(left.is_over(35000));
  EXPECT_TRUE(left.is_over(35995)) << "10 s at most";
  const auto begun = std::chrono::steady_clock::now() - std::chrono::seconds(95);
  const TimeLeft little{TimeLimit{.seconds = 100}, begun};
  EXPECT_TRUE(little.is_over(0))
      << "a tenth of a short limit, counted from the beginning of the run";
  const TimeLeft enough{TimeLimit{.seconds = 1000}, begun};
  EXPECT_FALSE(enough.is_over(800));
  EXPECT_EQ(left.limit(), "its time limit of 36000 s");
}

TEST(TimeLeft, TheQueueSaysWhenTheJobEnds) {
  const TimeLimit of_queue{.is_of_queue = true};
  ::setenv("SLURM_JOB_END_TIME", std::to_string(std::time(nullptr) + 1000).c_str(), 1);
  const TimeLeft left(of_queue);
  EXPECT_FALSE(left.is_over(500));
  EXPECT_TRUE(left.is_over(995));
  EXPECT_EQ(left.limit(), "the end of the job");
  ::setenv("SLURM_JOB_END_TIME", "1000", 1);
  EXPECT_TRUE(TimeLeft(of_queue).is_over(0)) << "it is over already";
  for (const char* unknown : {"", "soon", "0", "12x"}) {
    ::setenv("SLURM_JOB_END_TIME", unknown, 1);
    EXPECT_FALSE(TimeLeft(of_queue).is_over(1e6));
    EXPECT_NE(TimeLeft(of_queue).note().find("SLURM_JOB_END_TIME"), std::string::npos) << unknown;
  }
  ::unsetenv("SLURM_JOB_END_TIME");
  EXPECT_NE(TimeLeft(of_queue).note(), "");
}

}  // namespace
}  // namespace stencil
