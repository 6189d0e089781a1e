// Short runs that predict long runs: the size, the memory, and the scaling of the time of short
// runs.
#include "drivers/plan/predict/prediction.hpp"
#include "drivers/config/kind_words.hpp"
#include "drivers/pipeline/kernel_of.hpp"
#include "drivers/plan/make/make_problem.hpp"
#include "drivers/plan/predict/plan_costs.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <nlohmann/json.hpp>

#include "drivers/plan/describe/describe.hpp"
#include "drivers/plan/describe/plan_text.hpp"
#include "drivers/plan/predict/sample_chain.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

Problem plan_of(const std::vector<Index>& dims, const std::string& mask, Index steps = 1,
                int ranks = 1) {
  Config config = testing::config_of(mask);
  config.stages[0].steps = steps;
  return make_problem(config, testing::facts_of(dims), {}, ranks);
}

Point sampled_shape(const std::vector<Index>& dims, const std::string& mask, Index points) {
  return sample_chain(plan_of(dims, mask).chain, 0, points).stages[0].input.shape();
}

TEST(SamplePlan, KeepsRowsLongAndMasksInsideBlocks) {
  EXPECT_EQ(sampled_shape({10'000'000}, "1 2 1", 1 << 20), (Point{1, 1, 1 << 20}));
  EXPECT_EQ(sampled_shape({5000}, "1 2 1", 1 << 20), (Point{1, 1, 5000}));
  // rows as long as in the plan, if the budget holds enough of them
  EXPECT_EQ(sampled_shape({4096, 4096}, "1 2 1;", 1 << 20), (Point{1, 256, 4096}));
  // otherwise shorter rows, whose number is 8 times the height of the mask
  EXPECT_EQ(sampled_shape({40'000, 1 << 20}, "1; 2; 1; 3;", 1 << 20), (Point{1, 32, 32768}));
  EXPECT_EQ(sampled_shape({3, 64, 100}, "1 1; 1 1", 10'000), (Point{1, 64, 100}));
  EXPECT_EQ(sampled_shape({9, 64, 100}, "1 1; 1 1", 20'000), (Point{3, 64, 100}));
  EXPECT_EQ(sampled_shape({9, 64, 100}, "1 1; 1 1", 1), (Point{1, 1, 1}));
}

TEST(SamplePlan, IsTheStageOnFewerPoints) {
  const Problem plan = plan_of({3000, 5000}, "0 1 0; 1 -4 1; 0 1 0", 50);
  const Chain sample = sample_chain(plan.chain, 0, 1 << 16);
  ASSERT_EQ(sample.stages.size(), 1u);
  const BoundStage& stage = sample.stages[0];
  EXPECT_EQ(kernel_of(sample, 0), kernel_of(plan.chain, 0));
  EXPECT_EQ(stage.steps_per_sweep, plan.chain.stages[0].steps_per_sweep);
  EXPECT_EQ(stage.steps % stage.steps_per_sweep, 0);
  EXPECT_EQ(stage.halo, (Halo{{0, 1, 1}, {0, 1, 1}}));
  EXPECT_EQ(stage.output.shape(), stage.input.shape());
  // two or three fields of 13 x 5000 points, and their ghosts
  const Index bytes = stage_field_bytes(stage, {}, size_of(sample.precision));
  EXPECT_GE(bytes, 2 * 4 * stage.input.owned(0).points());
  EXPECT_LE(bytes, 5 * 4 * stage.input.owned(0).points());
}

Problem gaussian_of_volume(const std::vector<Index>& dims, int ranks = 1) {
  Config config = testing::config_of("gaussian");
  config.stages[0].parameters.sigma = {2};
  config.stages[0].axes = {0, 1, 2};
  return make_problem(config, testing::facts_of(dims), {}, ranks);
}

/// In a short run, three stages that windows compute in one pass have the same points.
TEST(SamplePlan, HasThreeLinesOnTheSamePoints) {
  const Problem plan = gaussian_of_volume({300, 200, 700});
  const auto lines = fuse_lines(plan.chain.stages, 0);
  ASSERT_TRUE(lines);
  const Chain sample = sample_lines(plan.chain, 0, *lines, 1 << 22);
  ASSERT_EQ(sample.stages.size(), 3u);
  EXPECT_TRUE(fuse_lines(sample.stages, 0));
  const Point shape = sample.input_shape();
  EXPECT_LE(points(shape), 1 << 22);
  EXPECT_GE(points(shape), 1 << 21);
  EXPECT_EQ(shape[batch_axis], 8 * 17);
  for (const BoundStage& stage : sample.stages) {
    EXPECT_EQ(stage.input.shape(), shape);
    EXPECT_EQ(stage.output.shape(), shape);
  }
}

TEST(SamplePlan, ScalesByOutputsAndStepsOfTheBusiestRank) {
  const Problem plan = plan_of({1000}, "1 2 1", 40, 3);  // 334 points on the rank with most points
  const Chain sample = sample_chain(plan.chain, 0, 100);
  EXPECT_DOUBLE_EQ(times_sample(plan.chain.stages[0], sample.stages[0]),
                   334.0 * 40 / (100.0 * double(sample.stages[0].steps)));
}

TEST(SamplePlan, CountsOutputsOfAStride) {
  Problem plan = plan_of({1000}, "1 2 1");
  plan.chain.stages[0].sampling[x_axis] = make_sampling(Extent::valid, 1000, 3, 1, 4);
  plan.chain.stages[0].output = plan.chain.stages[0].input.sampled(plan.chain.stages[0].sampling);
  const Chain sample = sample_chain(plan.chain, 0, 100);
  EXPECT_EQ(sample.stages[0].output.shape(), (Point{1, 1, 25}));
  EXPECT_DOUBLE_EQ(times_sample(plan.chain.stages[0], sample.stages[0]), 250.0 / 25);
}

/// The first rows are those of a pole, which have the widest masks.
TEST(SamplePlan, HasMasksOfMeanWidth) {
  for (const int ranks : {1, 3}) {
    Config config = testing::gaussian_of_km(300);
    config.run.decomposition = {ranks, 1};
    const Problem plan = make_problem(config, testing::globe_facts(), {}, ranks);
    const BoundStage& stage = plan.chain.stages[0];
    const Interval rows = stage.output.owned(0).along(stage.rows->axis);  // of the busiest rank
    double taps = 0;
    for (Index row = rows.first; row < rows.last; ++row)
      taps += double((*stage.rows->masks)[static_cast<std::size_t>(row)].taps.count());
    taps /= double(rows.extent());
    const BoundStage sample = sample_chain(plan.chain, 0, 1 << 14).stages[0];
    EXPECT_NEAR(sample.adds_per_point(), taps, 0.05 * taps) << ranks;
    EXPECT_LT(2 * sample.adds_per_point(), double(stage.rows->masks->front().taps.count()));
  }
}

TEST(Memory, ContainsTheMasksOfAllLatitudesOnce) {
  const Problem plan = make_problem(testing::gaussian_of_km(2000), testing::globe_facts(), {}, 1);
  Index taps = 0;
  for (const Mask& mask : *plan.chain.stages[0].rows->masks) taps += mask.taps.count();
  const Index bytes = shared_bytes(plan.chain);
  EXPECT_GE(bytes, 8 * taps);
  EXPECT_LE(bytes, 8 * taps + 181 * 512);
  Problem plain = plan;
  EXPECT_EQ(plain.chain.stages[0].rows->masks, plan.chain.stages[0].rows->masks) << "copied";
  plain.chain.stages[0].rows.reset();
  count_costs(plain);
  EXPECT_GE(plan.memory_at_once, plain.memory_at_once + bytes);
}

/// A partial tile takes as long as a whole tile.
TEST(SamplePlan, HasWholeTilesAndCountsThem) {
  Config config = testing::config_of("1 2; 3 4");
  config.stages[0].method = MethodRequest::fft;
  const Problem plan = make_problem(config, testing::facts_of({2, 3000, 2000}), {}, 1);
  const BoundStage& stage = plan.chain.stages[0];
  const FftTiles& tiles = stage.choice.tiles;
  const Index rows = tiles.y.outputs(), columns = tiles.x.outputs();
  const auto sampled = [&](Index points) { return sample_chain(plan.chain, 0, points).stages[0]; };
  EXPECT_EQ(sampled(1).input.shape(), (Point{1, rows, columns}));
  EXPECT_EQ(sampled(2 * rows * columns + 5).input.shape(), (Point{1, rows, 2 * columns}));
  const BoundStage most = sampled(100'000'000);
  EXPECT_EQ(most.input.shape()[batch_axis], 2);
  EXPECT_EQ(most.input.shape()[x_axis], 2000 / columns * columns);
  const auto up = [](Index a, Index b) { return double((a + b - 1) / b); };
  EXPECT_DOUBLE_EQ(times_sample(stage, sampled(1)), 2 * up(3000, rows) * up(2000, columns));
}

/// A partial pair of blocks takes as long as a whole pair.
TEST(SamplePlan, HasWholePairsOfBlocksAndCountsThem) {
  for (const int axis : {0, 1}) {
    Config config = testing::config_of("1 2 3");
    config.stages[0].method = MethodRequest::fft;
    config.stages[0].axis = axis;
    config.stages[0].stride = {3};
    const Problem plan = make_problem(config, testing::facts_of({70'000, 4'000}), {}, 1);
    const BoundStage& stage = plan.chain.stages[0];
    const Index pair = stage.choice.blocks.pair();
    ASSERT_EQ(stage.choice.method, Method::fft);
    ASSERT_LT(pair, 4'000);
    const auto sampled = [&](Index points) {
      return sample_chain(plan.chain, 0, points).stages[0];
    };
    // along y, the sample has the columns of a few cache lines
    EXPECT_EQ(sampled(1).input.shape(), axis == 0 ? (Point{1, pair, 16}) : (Point{1, 1, pair}));
    const Index all = axis == 0 ? 70'000 / pair : 4'000 / pair, lines = axis == 0 ? 4'000 : 70'000;
    EXPECT_EQ(sampled(40 * all * pair).input.shape(),
              axis == 0 ? (Point{1, all * pair, 40}) : (Point{1, 40, all * pair}));
    const auto up = [](Index a, Index b) { return double((a + b - 1) / b); };
    EXPECT_DOUBLE_EQ(times_sample(stage, sampled(1)),
                     double(lines) * up(axis == 0 ? 70'000 : 4'000, pair) / (axis == 0 ? 16 : 1));
    EXPECT_EQ(sample_of_a_thread(stage), pair * (axis == 0 ? 16 : 4));
  }
}

/// The shortest runs for a bank of many long filters take no longer than those for one filter.
TEST(Predict, ABankOfManyFiltersIsPredictedByFewPoints) {
  const Communicator world(MPI_COMM_WORLD);
  CpuExecutor executor;
  const Session session(MPI_COMM_WORLD, executor);
  Problem plan = plan_of({50'000'000}, "1 2 3 4");
  BoundStage& stage = plan.chain.stages[0];
  stage.bank.assign(1000, stage.choice);
  stage.sampling[batch_axis] = make_block_sampling(1, 1, 1000);
  stage.output = stage.input.sampled(stage.sampling);
  // the sample has the outputs of all points and filters, in caches and beyond them
  EXPECT_TRUE(
      predict(session, plan, {.seconds = 0.01, .repetitions = 1, .bytes = Index{400} << 20}));
}

TEST(Predict, EveryKindOfStage) {
  const Communicator world(MPI_COMM_WORLD);
  CpuExecutor executor;
  const Session session(MPI_COMM_WORLD, executor);
  int number = 0;
  for (const std::vector<Index>& dims : {std::vector<Index>{7}, {900, 3}, {5, 40, 31}})
    for (const char* mask : {"2", "1 2 1 3", "1 2; 3 4; 5 6", "box"})
      for (const Extent extent : {Extent::same, Extent::valid, Extent::full})
        for (Index stride : {1, 3, 1000}) {
          if (std::string(mask).find(';') != std::string::npos && dims.size() == 1) continue;
          Config config = testing::config_of(mask);
          StageConfig& stage = config.stages[0];
          stage.parameters.size = {3};
          stage.extent = extent;
          stage.stride = {stride};
          if (std::string(mask) == "1 2 1 3") stage.axis = 0;
          if (std::string(mask) == "1 2 1 3" && dims[0] < 4 * 2) stage.extent = Extent::full;
          // a mask along the outer axis in addition to the mask along the inner axis
          if (std::string(mask) == "2") {
            config.stages.push_back(config.stages[0]);
            config.stages[1].axis = 0;
          }
          config.run.precision =
              ++number % 2 == 0 ? PrecisionRequest::float32 : PrecisionRequest::float64;
          if (number % 3 == 0)
            config.missing = {.value = std::vector<ElementValue>{std::nan("")},
                              .policy = MissingPolicy::renormalize,
                              .mask = {}};
          const Problem plan = make_problem(config, testing::facts_of(dims), {}, world.size());
          const auto prediction = predict(session, plan, {.seconds = 1e-4});
          ASSERT_TRUE(prediction) << mask << " " << word_of(extent) << " " << stride;
          EXPECT_EQ(prediction->stage_seconds.size(), plan.chain.stages.size());
          EXPECT_TRUE(prediction->seconds() > 0 && prediction->seconds() < 1e6)
              << mask << " " << word_of(extent) << " " << stride << ": " << prediction->seconds();
        }
}

/// The seconds of one pass are divided among its stages in proportion to their multiply-adds.
TEST(Predict, ThreeLinesOfWindowsTogether) {
  const Communicator world(MPI_COMM_WORLD);
  CpuExecutor executor;
  const Session session(MPI_COMM_WORLD, executor);
  const Problem plan = gaussian_of_volume({100, 120, 130}, world.size());
  const auto in_windows = predict(session, plan, {.seconds = 1e-3}, true);
  ASSERT_TRUE(in_windows);
  const std::vector<double>& seconds = in_windows->stage_seconds;
  ASSERT_EQ(seconds.size(), 3u);
  EXPECT_GT(seconds[0], 0);
  EXPECT_EQ(seconds[1], seconds[0]);
  EXPECT_EQ(seconds[2], seconds[0]);
  const auto at_once = predict(session, plan, {.seconds = 1e-3}, false);
  ASSERT_TRUE(at_once);
  EXPECT_EQ(at_once->stage_seconds.size(), 3u);
  // With two threads, the sample without ghost points along y and x needs 2.5 MB; they and the
  // temporary rows of the pass need more.
  const int threads = omp_get_max_threads();
  omp_set_num_threads(2);
  EXPECT_FALSE(predict(session, plan, {.seconds = 1e-3, .bytes = 3'000'000}, true));
  EXPECT_TRUE(predict(session, plan, {.seconds = 1e-3, .bytes = 100'000'000}, true));
  omp_set_num_threads(threads);
}

/// An executor that fails to allocate memory on one rank, with an error of a given type.
template <class Failure>
class Failing : public CpuExecutor {
 public:
  explicit Failing(bool fails) : fails_(fails) {}
  Memory allocate(std::size_t bytes) override {
    if (fails_) throw Failure("none left");
    return CpuExecutor::allocate(bytes);
  }

 private:
  bool fails_;
};

TEST(Predict, GivesEveryRankTheSameSecondsForEveryStage) {
  const Communicator world(MPI_COMM_WORLD);
  Problem plan = plan_of({1 << 14, 1 << 14}, "1 2 1; 2 3 2; 1 2 2", 3, world.size());
  plan.chain.stages.push_back(plan.chain.stages[0]);
  plan.chain.stages[1].steps = 3000;
  CpuExecutor executor;
  const auto prediction = predict({MPI_COMM_WORLD, executor}, plan, {.seconds = 0.02});
  ASSERT_TRUE(prediction);
  ASSERT_EQ(prediction->stage_seconds.size(), 2u);
  EXPECT_GT(prediction->stage_seconds[0], 0);
  // with a thousand times as many steps, the difference is larger than disturbances by other
  // programs
  EXPECT_GT(prediction->stage_seconds[1], 10 * prediction->stage_seconds[0]);
  EXPECT_EQ(prediction->seconds(), prediction->stage_seconds[0] + prediction->stage_seconds[1]);
  for (const double seconds : prediction->stage_seconds)
    EXPECT_EQ(world.maximum(seconds), world.minimum(seconds));
}

TEST(Predict, GivesUpOnAllRanksWhereOneHasNoMemory) {
  const Communicator world(MPI_COMM_WORLD);
  const Problem plan = plan_of({1 << 20}, "1 2 1", 1, world.size());
  Failing<MemoryError> executor(world.rank() == world.size() - 1);
  EXPECT_FALSE(predict({MPI_COMM_WORLD, executor}, plan, {}));
  CpuExecutor enough;
  EXPECT_FALSE(
      predict({MPI_COMM_WORLD, enough}, plan, {.bytes = world.rank() == 0 ? 100 : 1 << 30}));
}

TEST(Predict, ReportsEveryOtherFailureOfTheMachine) {
  const Communicator world(MPI_COMM_WORLD);
  const Problem plan = plan_of({1 << 20}, "1 2 1", 1, world.size());
  Failing<MachineError> broken(world.rank() == world.size() - 1);
  EXPECT_THROW(predict({MPI_COMM_WORLD, broken}, plan, {}), Error);
}

TEST(Predict, OnlyWhatTakesSeconds) {
  EXPECT_FALSE(is_worth_predicting(plan_of({1 << 20}, "1 2 1")));
  EXPECT_TRUE(is_worth_predicting(plan_of({1 << 20}, "1 2 1", 100'000)));
  EXPECT_TRUE(is_worth_predicting(plan_of({Index{1} << 32}, "1 2 1")));
}

TEST(Describe, SaysWhatWasPredictedAndWhatCouldNotBe) {
  const Problem plan = plan_of({1000}, "1 2 1");
  const std::string both = plan_text(
      describe(Plan(plan), "",
               {Limits{8000, 1e12}, Prediction{{2.5}}, StoragePrediction{1.5, 3, 0.25}, {}}));
  EXPECT_NE(both.find("3 taps, "), std::string::npos) << both;
  EXPECT_NE(both.find(": 2.5 s predicted\n"), std::string::npos) << both;
  EXPECT_NE(both.find("time    2.5 s of computing predicted"), std::string::npos) << both;
  EXPECT_NE(both.find("limit   1 s of computing"), std::string::npos) << both;
  EXPECT_NE(both.find("storage 1.5 s of reading, 3 s of writing, 0.25 s of reading back"),
            std::string::npos)
      << both;
  EXPECT_NE(both.find("run     7.25 s predicted in all\n"), std::string::npos) << both;
  const std::string neither = plan_text(describe(Plan(plan), "", {}));
  EXPECT_NE(neither.find("storage not predicted: no memory, input or folder"), std::string::npos)
      << neither;
  EXPECT_NE(neither.find("time    not predicted: no memory"), std::string::npos) << neither;
  EXPECT_EQ(neither.find("limit"), std::string::npos) << neither;
  EXPECT_EQ(neither.find("GPU"), std::string::npos) << neither;
  const std::string on_gpu = plan_text(describe(Plan(plan), "", {{}, {}, {}, Index{3} << 30}));
  EXPECT_NE(on_gpu.find(" per rank, and 3.00 GiB of its GPU\n"), std::string::npos) << on_gpu;
}

}  // namespace
}  // namespace stencil
