// A GPU that makes no progress: its stream waits for the host, which has stopped waiting for the
// GPU.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/cuda/device_facts.hpp"
#include "framework/grid/error.hpp"

namespace stencil::cuda {
namespace {

class Stall : public ::testing::Test {
 protected:
  void SetUp() override {
    if (device_count() == 0) GTEST_SKIP() << "no GPU here";
    ::setenv("STENCIL_STALL_SECONDS", "0.5", 1);
    executor_ = std::make_unique<CudaExecutor>(0);
  }
  void TearDown() override {
    gate_ = true;
    executor_.reset();
    ::unsetenv("STENCIL_STALL_SECONDS");
  }
  /// Work on a lane that lasts until the gate is opened.
  void block(Lane lane) {
    const auto wait = [](void* gate) {
      while (!*static_cast<std::atomic<bool>*>(gate)) std::this_thread::yield();
    };
    ASSERT_EQ(cudaLaunchHostFunc(executor_->stream(lane), wait, &gate_), cudaSuccess);
  }

  std::atomic<bool> gate_{false};
  std::unique_ptr<CudaExecutor> executor_;
};

TEST_F(Stall, SynchronizingGivesUp) {
  block(Lane::exchange);
  EXPECT_NO_THROW(executor_->synchronize(Lane::work));
  EXPECT_THROW(executor_->synchronize(Lane::exchange), MachineError);
  EXPECT_THROW(executor_->synchronize(), MachineError);
  gate_ = true;
  EXPECT_NO_THROW(executor_->synchronize());
}

TEST_F(Stall, TheHostGoesAFewStepsAheadAndNoFurther) {
  block(Lane::exchange);
  executor_->order(Lane::exchange, Lane::work);
  int steps = 0;
  EXPECT_THROW(
      {
        for (; steps < 1000; ++steps) executor_->limit_queue_depth();
      },
      MachineError);
  EXPECT_GE(steps, 4);
  EXPECT_LE(steps, 64);
  gate_ = true;
  EXPECT_NO_THROW(executor_->limit_queue_depth());
  EXPECT_NO_THROW(executor_->synchronize());
}

TEST_F(Stall, WhatIsFoundWhileWaitingEndsTheWait) {
  block(Lane::work);
  executor_->while_waiting([] { throw MachineError("found"); });
  try {
    executor_->synchronize(Lane::work);
    ADD_FAILURE() << "it came to an end";
  } catch (const MachineError& error) {
    EXPECT_STREQ(error.what(), "found");
  }
}

/// Work of many steps may take longer than the limit if each step makes progress.
TEST_F(Stall, WorkThatGoesOnIsWaitedFor) {
  const Memory memory = executor_->allocate(std::size_t{1} << 28);
  const Rectangle all{memory.get(), {1, 1, 1 << 26}, {0, 0, 4}};
  const float value = 1;
  for (int step = 0; step < 3000; ++step) {
    executor_->fill(all, &value, 4);
    executor_->limit_queue_depth();
  }
  EXPECT_NO_THROW(executor_->synchronize());
}

}  // namespace
}  // namespace stencil::cuda
