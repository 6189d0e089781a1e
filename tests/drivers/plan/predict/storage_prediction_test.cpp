#include "drivers/plan/predict/storage_prediction.hpp"

#include <gtest/gtest.h>

#include <set>

#include "drivers/plan/make/make_problem.hpp"
#include "drivers/plan/split/windows.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "io/probe.hpp"
#include "tests/io/shared_scratch.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

class Storage : public ::testing::Test {
 protected:
  Communicator world_{MPI_COMM_WORLD};
  std::unique_ptr<testing::Scratch> scratch_ = testing::shared_scratch(world_);
  CpuExecutor executor_;
  const SampleCost cost_{.seconds = 0.02};
  Session session_{MPI_COMM_WORLD, executor_};
  void TearDown() override { world_.barrier(); }

  Problem problem_of(int gzip_level, Verification verify) {
    world_.agree([&] {
      if (world_.rank() > 0) return;
      const auto file = testing::create_file(*scratch_ / "in.h5");
      testing::write_dataset(file, "x", {2000, 300}, {.chunk = {100, 300}, .gzip = 1},
                             [](Index i) { return double(i * 37 % 101); });
    });
    Problem plan;
    world_.agree([&] {
      Config config = testing::config_of("1 2 1; 2 5 2; 1 2 1");
      config.input.file = *scratch_ / "in.h5";
      config.input.dataset = "/x";
      config.output.file = *scratch_ / "out.h5";
      config.output.gzip_level = gzip_level;
      config.output.verify = verify;
      plan = make_problem(config, probe_dataset(config.input.file, "/x"), {}, world_.size());
    });
    return plan;
  }
};

TEST_F(Storage, is_predicted_from_the_files_and_leaves_nothing) {
  const Problem problem = problem_of(0, Verification::all);
  const auto at_once = predict_storage(session_, Plan(problem), cost_);
  const Windows three{.axis = y_axis, .outputs = 100, .unit = 100, .at_a_time = 3};
  const auto windows = predict_storage(session_, Plan(problem, three), cost_);
  ASSERT_TRUE(at_once && windows);
  for (const StoragePrediction& prediction : {*at_once, *windows}) {
    EXPECT_GT(prediction.read, 0);
    EXPECT_GT(prediction.write, 0);
    EXPECT_GT(prediction.read_back, 0);
  }
  world_.barrier();
  EXPECT_EQ(scratch_->names(), std::vector<std::string>{"in.h5"});
}

TEST_F(Storage, what_is_not_done_or_not_known_is_not_predicted) {
  const auto unverified = predict_storage(session_, Plan(problem_of(0, Verification::none)), cost_);
  ASSERT_TRUE(unverified);
  EXPECT_EQ(unverified->read_back, 0);
  EXPECT_FALSE(predict_storage(session_, Plan(problem_of(4, Verification::all)), cost_));
  Problem problem = problem_of(0, Verification::all);
  EXPECT_FALSE(predict_storage(session_, Plan(problem), {.bytes = Index{16} << 20}));
  problem.output.file = *scratch_ / "no/out.h5";
  EXPECT_FALSE(predict_storage(session_, Plan(problem), cost_));
}

TEST(SpreadingStep, reaches_every_index_once) {
  for (Index count = 1; count <= 200; ++count) {
    std::set<Index> reached;
    for (Index i = 0; i < count; ++i) reached.insert(i * spreading_step(count) % count);
    EXPECT_EQ(std::ssize(reached), count);
    if (count > 8) {
      EXPECT_GT(spreading_step(count) % count, 2) << count;
      EXPECT_LT(spreading_step(count) % count, count - 2) << count;
    }
  }
}

TEST_F(Storage, is_tried_before_runs_that_move_much) {
  Problem problem = problem_of(0, Verification::all);
  problem.bytes_read = problem.bytes_written = Index{16} << 30;
  EXPECT_FALSE(is_worth_trying_storage(Plan(problem)));
  problem.bytes_written += 2;
  EXPECT_TRUE(is_worth_trying_storage(Plan(problem)));
}

TEST_F(Storage, adds_up_at_once_and_overlaps_in_windows) {
  const Problem problem = problem_of(0, Verification::all);
  const Prediction computing{{0.5, 0.25}};
  const StoragePrediction storage{1, 2, 3};
  EXPECT_DOUBLE_EQ(whole_seconds(Plan(problem), computing, storage), 6.75);
  const Plan plan(problem, Windows{.at_a_time = 4});
  EXPECT_DOUBLE_EQ(whole_seconds(plan, computing, storage), 5);
  EXPECT_DOUBLE_EQ(whole_seconds(plan, computing, {9, 2, 3}), 9.75);
}

}  // namespace
}  // namespace stencil
