#include "drivers/plan/split/windows.hpp"
#include "drivers/plan/make/make_problem.hpp"
#include "drivers/plan/split/window_memory.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

Problem plan_of(const std::vector<Index>& dims, BoundaryRule rule = BoundaryRule::reflect,
                Index steps = 1, Backend backend = Backend::cpu) {
  Config config = testing::config_of("1 2 1; 2 4 2; 1 2 1");
  config.stages[0].boundary = {rule};
  config.stages[0].steps = steps;
  return make_problem(config, testing::facts_of(dims), {}, 1, backend);
}

WindowLimits asked_for(Index available, int threads = 2) {
  return {.available = available, .is_asked = true, .threads = threads};
}

TEST(Windows, WhereTheWorldDoesNotFit) {
  const Problem plan = plan_of({40'000, 5'000}, BoundaryRule::reflect, 2);
  EXPECT_FALSE(choose_windows(plan, asked_for(plan.memory_at_once)));
  const auto windows = choose_windows(plan, asked_for(plan.memory_at_once - 1));
  ASSERT_TRUE(windows);
  EXPECT_TRUE(windows->is_needed);
  EXPECT_EQ(windows->axis, y_axis);
  EXPECT_LT(windows->outputs, 40'000);
  EXPECT_LE(windows->bytes, plan.memory_at_once - 1);
}

TEST(Windows, WhereTheyAreFaster) {
  const Problem plan = plan_of({40'000, 5'000});
  WindowLimits limits{.available = 4 * plan.memory_at_once, .threads = 2};
  const auto windows = choose_windows(plan, limits);
  ASSERT_TRUE(windows);
  EXPECT_FALSE(windows->is_needed);
  EXPECT_EQ(windows->at_a_time, 4);
  EXPECT_EQ(windows->threads, 1);
  EXPECT_GT(windows->read_twice, 0);
  EXPECT_LE(windows->read_twice, 0.25);
  limits.wants_blocks = true;
  EXPECT_FALSE(choose_windows(plan, limits));
  limits.wants_blocks = false;
  // time steps exchange halos, and small datasets are read and written quickly
  EXPECT_FALSE(choose_windows(plan_of({40'000, 5'000}, BoundaryRule::reflect, 2), limits));
  EXPECT_FALSE(choose_windows(plan_of({1'000, 5'000}), limits));
  // rows of 400 MB: in a quarter of the memory, each window would read many rows for few outputs
  limits.available = Index{50} << 30;
  EXPECT_FALSE(choose_windows(plan_of({40, 100'000'000}), limits));
}

/// The inputs of thick windows overlap little. But a volume must have more windows than are
/// computed at the same time, so that some windows are read and written while others are computed.
/// If reading is slow, windows are chosen whose overlaps are small.
TEST(Windows, AreManyWhereMasksAreWide) {
  const auto windows_of = [](Index planes, const std::string& filters, Index available) {
    Config config = testing::config_of("gaussian");
    config.stages[0].parameters.sigma = {2};
    config.stages[0].axes = {0, 1, 2};
    DatasetFacts facts = testing::facts_of({planes, 512, 512});
    facts.filters = filters;
    const Problem plan = make_problem(config, facts, {}, 1, Backend::cpu);
    return choose_windows(plan, {.available = available, .threads = 2});
  };
  constexpr Index plenty = Index{40} << 30;
  const auto cube = windows_of(512, "", plenty), tall = windows_of(20'000, "", plenty << 5);
  ASSERT_TRUE(cube && tall);
  EXPECT_EQ(cube->at_a_time, 4);
  EXPECT_GE(512 / cube->outputs, 3 * cube->at_a_time);
  EXPECT_LE(cube->read_twice, 0.5);
  EXPECT_LE(tall->read_twice, 0.15);
  const auto short_one = windows_of(103, "", plenty);
  ASSERT_TRUE(short_one);
  EXPECT_EQ(short_one->outputs, 35);
  for (const auto& slow :
       {windows_of(512, "gzip", plenty), windows_of(20'000, "", Index{8} << 30)}) {
    ASSERT_TRUE(slow);
    EXPECT_LE(slow->read_twice, 0.25);
  }
}

/// With sixteen threads, six windows compute with three threads each while two windows wait for the
/// disk.
TEST(Windows, ShareTheThreads) {
  const Problem plan = plan_of({40'000, 5'000});
  const auto windows = choose_windows(plan, {.available = 4 * plan.memory_at_once, .threads = 16});
  ASSERT_TRUE(windows);
  EXPECT_EQ(windows->at_a_time, 8);
  EXPECT_EQ(windows->threads, 3);
  // if threads are bound to processors, one window at a time is computed, by all threads
  WindowLimits limits{.available = Index{8} << 30, .threads = 16, .binds_threads = true};
  EXPECT_FALSE(choose_windows(plan, limits));  // the whole array at once is faster
  limits.available = plan.memory_at_once - 1;
  const auto bound = choose_windows(plan, limits);
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->at_a_time, 1);
  EXPECT_EQ(bound->threads, 16);
  limits.threads = 2;
  EXPECT_EQ(choose_windows(plan, limits)->at_a_time, 4);
}

/// Windows consist of whole blocks of the file; a block consists of rows and has about 1 MiB. If no
/// limit was requested, the windows use at most a quarter of the memory.
TEST(Windows, AreAsThickAsMemoryAllows) {
  const Problem plan = plan_of({40'000, 5'000}, BoundaryRule::reflect, 2);
  const Index available = Index{160} << 20;
  const auto asked = choose_windows(plan, asked_for(available)),
             unasked = choose_windows(plan, {.available = available, .threads = 2});
  ASSERT_TRUE(asked && unasked);
  EXPECT_EQ(asked->unit, (Index{1} << 20) / 20'000);
  EXPECT_EQ(asked->outputs % asked->unit, 0);
  EXPECT_EQ(asked->bytes, window_bytes(plan, *asked));
  EXPECT_LE(asked->bytes, available);
  Windows thicker = *asked;
  thicker.outputs += thicker.unit;
  EXPECT_GT(window_bytes(plan, thicker), available);
  EXPECT_LE(unasked->bytes, available / 4);
}

/// The memory of a window, the fields of all sweeps and the buffer of the stream to the file, is at
/// least four times the size of its outputs.
TEST(Windows, CountTheMemoryOfEachWindow) {
  const Problem plan = plan_of({40'000, 5'000}, BoundaryRule::reflect, 2);
  Windows windows;
  windows.axis = y_axis;
  windows.unit = 52;
  windows.outputs = 520;
  const Index one = window_bytes(plan, windows);
  windows.at_a_time = 3;
  EXPECT_GE(window_bytes(plan, windows) - one, 2 * 4 * windows.outputs * 20'000);
}

/// Three stages of one axis that are computed in one pass need one field of inputs, and a ring of
/// rows for each thread; other chains need fields for the inputs of each stage.
TEST(Windows, CountTheMemoryOfThreeLinesInOnePass) {
  const auto bytes_of = [](double constant, int threads) {
    Config config = testing::config_of("gaussian");
    StageConfig& stage = config.stages[0];
    stage.parameters.sigma = {2};
    stage.axes = {0, 1, 2};
    stage.boundary = {BoundaryRule::constant};
    stage.boundary_value = constant;
    const Problem plan =
        make_problem(config, testing::facts_of({512, 300, 400}), {}, 1, Backend::cpu);
    EXPECT_EQ(plan.chain.stages.size(), 3u);
    Windows windows;
    windows.axis = batch_axis;
    windows.unit = 1;
    windows.outputs = 40;
    windows.threads = threads;
    return window_bytes(plan, windows);
  };
  const int before = omp_get_max_threads();
  omp_set_num_threads(4);
  constexpr Index plane = 300 * 400 * sizeof(float), inputs = (40 + 16) * plane;
  const Index one = bytes_of(0, 1), three = bytes_of(1, 1);
  EXPECT_GE(one, inputs + 40 * plane);
  EXPECT_GE(three, one + inputs);
  const Index reading = bytes_of(1, 4) - three;  // memory for reading by further threads
  const Index ring = bytes_of(0, 4) - one - reading;
  EXPECT_GE(ring, 3 * (16 + 8) * 4 * 272 * Index{sizeof(float)});
  EXPECT_LE(ring, 3 * (600 << 10));
  omp_set_num_threads(before);
}

/// Chunks that extend beyond the upper edges are stored and written as a whole.
TEST(Windows, CountThePaddingOfChunks) {
  Config config = testing::config_of("1 2 1");
  config.stages[0].axis = 0;
  config.output.dataset = "data";
  const auto bytes_with = [&](const std::vector<Index>& chunk, Index outputs, Index unit) {
    config.output.chunk = chunk;
    const Problem plan =
        make_problem(config, testing::facts_of({3000, 129, 129}), {}, 1, Backend::cpu);
    Windows windows;
    windows.axis = batch_axis;
    windows.unit = unit;
    windows.outputs = outputs;
    return window_bytes(plan, windows);
  };
  constexpr Index row = 128 * 128 * sizeof(float), more = 3 * row;  // 2 x 2 chunks instead of one
  for (const Index unit : {0, 8})
    EXPECT_GE(bytes_with({8, 128, 128}, 16, unit), bytes_with({8, 129, 129}, 16, unit) + 15 * more);
  // windows that are thinner than the blocks of the file
  EXPECT_GE(bytes_with({8, 128, 128}, 4, 8), bytes_with({8, 129, 129}, 4, 8) + 15 * more);
}

/// The part of the outputs that a rank computes in windows ends at the end of a block of the file.
TEST(Windows, NotWhereFewRanksHaveAllTheBlocks) {
  const auto windows_of = [](const std::vector<Index>& chunk, Index available) {
    Config config = testing::config_of("1 2 1; 2 4 2; 1 2 1");
    config.output.chunk = chunk;
    const Problem plan = make_problem(config, testing::facts_of({8192, 8192}), {}, 2, Backend::cpu);
    return choose_windows(plan, {.available = available, .threads = 2});
  };
  constexpr Index plenty = Index{8} << 30, scarce = Index{200} << 20;
  EXPECT_TRUE(windows_of({64, 8192}, plenty));
  EXPECT_FALSE(windows_of({8192, 64}, plenty));
  EXPECT_FALSE(windows_of({6000, 64}, plenty));
  const auto in_turn = windows_of({8192, 64}, scarce);
  ASSERT_TRUE(in_turn);
  EXPECT_EQ(in_turn->unit, 0);  // windows may end anywhere, so both ranks compute
}

TEST(Windows, TheLeastMemoryWorks) {
  const Problem plan = plan_of({40'000, 5'000});
  const Index least = least_memory_of_windows(plan);
  EXPECT_LT(least, plan.memory_at_once / 10);
  EXPECT_TRUE(choose_windows(plan, asked_for(least)));
  EXPECT_FALSE(choose_windows(plan, asked_for(least - 1)));
}

TEST(Windows, NotForVeryManySweeps) {
  const WindowLimits little = asked_for(Index{200} << 20);
  EXPECT_TRUE(choose_windows(plan_of({40'000, 5'000}, BoundaryRule::wrap, 4), little));
  // if all stages are periodic, a window may continue at the opposite edge, unless it would overlap
  // itself
  EXPECT_TRUE(choose_windows(plan_of({40'000, 5'000}, BoundaryRule::wrap, 60), little));
  EXPECT_FALSE(choose_windows(plan_of({60, 5'000'000}, BoundaryRule::wrap, 31), little));
  EXPECT_TRUE(choose_windows(plan_of({40'000, 5'000}, BoundaryRule::nearest, 64), little));
  const Problem long_run = plan_of({40'000, 5'000}, BoundaryRule::nearest, 65);
  EXPECT_FALSE(choose_windows(long_run, little));
  EXPECT_EQ(least_memory_of_windows(long_run), std::numeric_limits<Index>::max());
}

TEST(Windows, OnGpusWithinTheMemoryOfBoth) {
  const Problem plan = plan_of({40'000, 5'000}, BoundaryRule::nearest, 8, Backend::cuda);
  WindowLimits limits{.available = Index{4} << 30, .threads = 4};
  EXPECT_FALSE(choose_windows(plan, limits)) << "time steps exchange halos where the world fits";
  limits.fits_device = false;
  limits.device = Index{2} << 30;
  const auto windows = choose_windows(plan, limits);
  ASSERT_TRUE(windows);
  EXPECT_TRUE(windows->is_needed);
  EXPECT_GT(windows->at_a_time, 1);
  EXPECT_LE(windows->device_bytes, limits.device);
  EXPECT_EQ(windows->device_bytes, window_device_bytes(plan, *windows));
  limits.device = Index{300} << 20;
  const auto smaller = choose_windows(plan, limits);
  ASSERT_TRUE(smaller);
  EXPECT_LE(smaller->device_bytes, limits.device);
  EXPECT_LT(smaller->outputs * smaller->at_a_time, windows->outputs * windows->at_a_time);
  // host memory holds only points in transfer, not the fields of the eight sweeps
  const Problem on_cpu = plan_of({40'000, 5'000}, BoundaryRule::nearest, 8);
  EXPECT_LT(window_bytes(plan, *windows), window_bytes(on_cpu, *windows));
  EXPECT_EQ(window_device_bytes(on_cpu, *windows), 0);
}

/// Windows consist of whole images if there are several images. Otherwise they consist of rows of
/// all channels, and are computed one after the other.
TEST(Windows, KeepChannelsTogether) {
  Config config = testing::config_of("m.h5:/mask");
  const MaskFiles masks{{"m.h5:/mask", {{4, 3, 1, 1}, std::vector<double>(12, 1)}}};
  const Problem images = make_problem(config, testing::facts_of({500, 3, 300, 400}), masks, 1);
  const auto several = choose_windows(images, asked_for(Index{120} << 20));
  ASSERT_TRUE(several);
  EXPECT_EQ(several->axis, batch_axis);
  EXPECT_EQ(several->group, 4);
  EXPECT_EQ(several->outputs % 4, 0);
  EXPECT_EQ(several->unit % 4, 0);
  const Problem one = make_problem(config, testing::facts_of({3, 9000, 4000}), masks, 1);
  const auto rows = choose_windows(one, asked_for(Index{120} << 20));
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->axis, y_axis);
  EXPECT_EQ(rows->unit, 0);
  EXPECT_LE(rows->bytes, Index{120} << 20);
}

}  // namespace
}  // namespace stencil
