#include "drivers/plan/predict/choose_backend.hpp"

#include <gtest/gtest.h>

#include "drivers/plan/make/make_problem.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

BackendChoice choice(const Config& config, const std::vector<Index>& dims, Index threads,
                     int ranks = 1) {
  const auto problem = [&](Backend backend) {
    return make_problem(config, testing::facts_of(dims), {}, ranks, backend);
  };
  return choose_backend(rough_seconds(problem(Backend::cpu), threads),
                        rough_seconds(problem(Backend::cuda), threads), threads);
}

/// A mask of ones with one different tap, so that it is not an outer product.
Config square(Index size, Index steps = 1) {
  std::string text;
  for (Index y = 0; y < size; ++y)
    for (Index x = 0; x < size; ++x)
      text += (x == 0 ? (y == 0 ? "" : "; ") : " ") + std::to_string((7 * y * y + x * y) % 11 + 1);
  Config config = testing::config_of(text);
  config.stages[0].steps = steps;
  config.stages[0].method = MethodRequest::direct;
  return config;
}

// The files have the sizes for which both backends were measured, on an H200 and on 16 cores.
TEST(ChooseBackend, TakesTheGpuWhereComputingTakesLongerThanItsStart) {
  const std::vector<Index> dims{32768, 32768};
  EXPECT_EQ(choice(square(9), dims, 16).backend, Backend::cpu);
  EXPECT_EQ(choice(square(31), dims, 16).backend, Backend::cuda);
  Config by_tiles = square(31);
  by_tiles.stages[0].method = MethodRequest::fft;
  EXPECT_EQ(choice(by_tiles, dims, 16).backend, Backend::cuda);
  EXPECT_EQ(choice(testing::config_of("1 2 1; 2 4 2; 1 2 1"), dims, 16).backend, Backend::cpu);
  Config diffusion = testing::config_of("0 .2 0; .2 .2 .2; 0 .2 0");
  diffusion.stages[0].steps = 500;
  EXPECT_EQ(choice(diffusion, dims, 16).backend, Backend::cuda);
}

TEST(ChooseBackend, LeavesSmallWorldsToCpus) {
  for (const Index size : {3, 9, 31}) {
    EXPECT_EQ(choice(square(size), {100, 100}, 1).backend, Backend::cpu) << size;
    EXPECT_EQ(choice(square(size), {1000, 1000}, 16).backend, Backend::cpu) << size;
  }
  EXPECT_EQ(choice(testing::config_of("1 2 1"), {1 << 20}, 2).backend, Backend::cpu);
}

TEST(ChooseBackend, FewThreadsAreLeftSooner) {
  const std::vector<Index> dims{32768, 32768};
  EXPECT_EQ(choice(square(15), dims, 64).backend, Backend::cpu);
  EXPECT_EQ(choice(square(15), dims, 2).backend, Backend::cuda);
}

TEST(ChooseBackend, SaysBothTimes) {
  const std::string reason = choice(square(31), {32768, 32768}, 16).reason;
  EXPECT_NE(reason.find("run.backend = auto computes on GPUs: predicted are "), std::string::npos)
      << reason;
  EXPECT_NE(reason.find("on CPUs with 16 threads, and "), std::string::npos) << reason;
}

TEST(ChooseBackend, CountsTheStartOfAGpuOnce) {
  EXPECT_EQ(choose_backend(1.4, 1.0, 8).backend, Backend::cpu);
  // with twice the work, the GPU is chosen
  EXPECT_EQ(choose_backend(2.8, 2.0, 8).backend, Backend::cuda);
}

TEST(RoughSeconds, AddUpForStepsAndOverlapInWindows) {
  const std::vector<Index> dims{32768, 32768};
  const auto seconds = [&](const Config& config, Backend backend, Index threads) {
    return rough_seconds(make_problem(config, testing::facts_of(dims), {}, 1, backend), threads);
  };
  EXPECT_GT(seconds(square(9, 2), Backend::cpu, 16), 1.3 * seconds(square(9), Backend::cpu, 16));
  EXPECT_GT(seconds(square(31), Backend::cpu, 8), 1.5 * seconds(square(31), Backend::cpu, 16));
  EXPECT_EQ(seconds(square(31), Backend::cuda, 8), seconds(square(31), Backend::cuda, 16));
}

}  // namespace
}  // namespace stencil
