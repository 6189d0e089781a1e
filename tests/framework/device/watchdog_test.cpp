#include "framework/device/watchdog.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

class Watchdog : public ::testing::Test {
 protected:
  void TearDown() override {
    ::unsetenv("STENCIL_STALL_SECONDS");
    on_stall({});
  }
  static void set(const char* seconds) { ::setenv("STENCIL_STALL_SECONDS", seconds, 1); }
};

TEST_F(Watchdog, IsFiveMinutesUnlessToldOtherwise) {
  EXPECT_EQ(stall_seconds(), 300);
  set("0.5");
  EXPECT_EQ(stall_seconds(), 0.5);
  for (const char* wrong : {"", "0", "-1", "5 minutes", "nan", "inf"}) {
    set(wrong);
    EXPECT_THROW(stall_seconds(), WordsError) << wrong;
  }
}

TEST_F(Watchdog, WaitsUntilTheWorkIsDoneAndLooksAroundMeanwhile) {
  const auto start = std::chrono::steady_clock::now();
  int looks = 0;
  wait_until(
      [&] { return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(200); },
      [&] { ++looks; });
  EXPECT_GE(looks, 1);
  EXPECT_LE(looks, 10);
}

TEST_F(Watchdog, EndsWithTheSecondsAndARemedy) {
  set("0.1");
  try {
    wait_until([] { return false; }, {});
    ADD_FAILURE() << "it came to an end";
  } catch (const MachineError& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find("0.1 s"), words.npos) << words;
    EXPECT_NE(words.find("STENCIL_STALL_SECONDS"), words.npos) << words;
  }
}

TEST_F(Watchdog, AsksTheHandlerFirst) {
  struct Ended {};
  set("0.1");
  std::string told;
  on_stall([&](const std::string& message) {
    told = message;
    throw Ended();
  });
  EXPECT_THROW(wait_until([] { return false; }, {}), Ended);
  EXPECT_NE(told.find("0.1 s"), told.npos);
}

TEST_F(Watchdog, WhatIsFoundWhileLookingEndsTheWait) {
  EXPECT_THROW(wait_until([] { return false; }, [] { throw MachineError("NCCL says no"); }),
               MachineError);
  struct Ended {};
  std::string told;
  on_stall([&](const std::string& message) {
    told = message;
    throw Ended();
  });
  EXPECT_THROW(wait_until([] { return false; }, [] { throw MachineError("NCCL says no"); }), Ended);
  EXPECT_EQ(told, "NCCL says no");
}

}  // namespace
}  // namespace stencil
