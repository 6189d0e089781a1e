// The GPU memory that a plan predicts for a rank, compared with the memory that a run allocates. An
// executor whose memory is not the host's counts this memory.
#include "drivers/plan/predict/device_costs.hpp"
#include "drivers/plan/make/make_problem.hpp"
#include "io/hdf5/element_type.hpp"

#include <gtest/gtest.h>

#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/pipeline.hpp"
#include "framework/grid/error.hpp"
#include "framework/parallel/transport_mpi.hpp"
#include "kernels/cuda/fft/memory.hpp"
#include "tests/support/other_memory.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

constexpr Index mebibyte = Index{1} << 20;
constexpr Index code = 64 * mebibyte;  // code of kernels, which this executor does not load

Problem plan_of(const std::vector<Index>& dims, const std::string& mask, Index steps, Index stride,
                int ranks) {
  Config config = testing::config_of(mask);
  StageConfig stage = config.stages[0];
  stage.method = MethodRequest::direct;
  stage.boundary = {BoundaryRule::wrap};
  stage.steps = steps;
  config.stages = {stage};
  stage.name = "stencil.second";
  stage.steps = 1;
  stage.stride = {stride};
  config.stages.push_back(stage);
  return make_problem(config, testing::facts_of(dims), {}, ranks, Backend::cuda);
}

std::string ones(Index taps) {
  std::string text;
  for (Index k = 0; k < taps; ++k) text += "1 ";
  return text;
}

TEST(DeviceCosts, CoverWhatARunTakesAndLittleMore) {
  const Communicator world(MPI_COMM_WORLD);
  for (const Index steps : {1, 3, 20})  // they need one, one, and three sweeps
    for (const Index stride : {1, 4}) {
      Problem plan = plan_of({300, 5000}, "1 2 1; 2 4 2; 1 2 1", steps, stride, world.size());
      plan.transport = TransportRequest::host;
      testing::OtherMemory executor;
      {
        Session session(MPI_COMM_WORLD, executor, plan.transport);
        Pipeline<float> pipeline(session, plan.chain);
        Field<float> field = pipeline.make_input();
        pipeline.run(std::move(field), [](Index) {});
      }
      const Index counted = device_bytes(plan, world.rank()) - code;
      EXPECT_GE(counted, executor.peak());
      EXPECT_LE(counted, executor.peak() + 12 * mebibyte) << "taps in blocks of their own";
    }
}

/// Halos wider than the blocks are received from many ranks.
TEST(DeviceCosts, CountEveryMessageBuffer) {
  const Communicator world(MPI_COMM_WORLD);
  Problem plan = plan_of({2'000'000}, ones(900'001), 1, 1, world.size());
  const BoundStage& stage = plan.chain.stages[0];
  testing::OtherMemory executor;
  Index buffers = 0;
  for (const BoundStage& each : plan.chain.stages) {
    MpiTransport transport(world, executor, true);
    const HaloExchange<float> exchange(world, each.input, each.halo, each.boundary, executor,
                                       transport);
    buffers = executor.peak();  // the executor remembers the peak after the buffers are freed
    plan.transport = TransportRequest::mpi;
    const Index with_messages = device_bytes(plan, world.rank());
    plan.transport = TransportRequest::host;
    const Index without = device_bytes(plan, world.rank());
    EXPECT_EQ(with_messages - without, 2 * buffers);  // both stages have the same buffers
  }
  EXPECT_EQ(buffers > 0, world.size() > 1) << stage.halo.low[x_axis];
  plan.transport = TransportRequest::peer;
  const Index by_peer = device_bytes(plan, world.rank());
  plan.transport = TransportRequest::automatic;
  EXPECT_GE(device_bytes(plan, world.rank()), by_peer);
}

TEST(DeviceCosts, IntegersLieBesideTheFieldThatTheyBecome) {
  Config config = testing::config_of("1 2 1");
  config.run.precision = PrecisionRequest::float32;
  config.stages[0].stride = {1000};
  const auto bytes = [&](ElementType type) {
    return device_bytes(
        make_problem(config, testing::facts_of({1 << 24}, type), {}, 1, Backend::cuda), 0);
  };
  EXPECT_EQ(bytes(ElementType::int64) - bytes(ElementType::int32), 64 * mebibyte);
  EXPECT_LT(bytes(ElementType::float64), bytes(ElementType::int32));
}

TEST(DeviceCosts, TransformsNeedTheirTablesAndScratch) {
  for (const int axis : {0, 1}) {
    Config config = testing::config_of(ones(1025));
    config.run.precision = PrecisionRequest::float32;
    config.stages[0].axis = axis;
    config.stages[0].method = MethodRequest::fft;
    const std::vector<Index> dims{20000, 20000};
    const Problem by_fft = make_problem(config, testing::facts_of(dims), {}, 1, Backend::cuda);
    config.stages[0].method = MethodRequest::direct;
    const Problem direct = make_problem(config, testing::facts_of(dims), {}, 1, Backend::cuda);
    const FftBlocks& blocks = by_fft.chain.stages[0].choice.blocks;
    ASSERT_EQ(by_fft.chain.stages[0].halo.low, direct.chain.stages[0].halo.low);
    EXPECT_EQ(device_bytes(by_fft, 0) - device_bytes(direct, 0),
              cuda::fft_device_bytes(blocks, sizeof(float), axis == 1));
    EXPECT_GT(device_bytes(by_fft, 0) - device_bytes(direct, 0), 3 * 8 * blocks.points);
  }
}

TEST(DeviceCosts, TilesNeedTheirTablesAndScratch) {
  std::string rows = ones(90);
  for (int row = 1; row < 101; ++row) rows += "; " + ones(90);
  Config config = testing::config_of(rows);
  config.run.precision = PrecisionRequest::float32;
  const auto plan = [&](MethodRequest method) {
    config.stages[0].method = method;
    const std::vector<Index> dims{20000, 20000};
    return make_problem(config, testing::facts_of(dims), {}, 1, Backend::cuda);
  };
  const Problem by_fft = plan(MethodRequest::fft), direct = plan(MethodRequest::direct);
  const FftTiles& tiles = by_fft.chain.stages[0].choice.tiles;
  ASSERT_FALSE(tiles.empty());
  EXPECT_EQ(device_bytes(by_fft, 0) - device_bytes(direct, 0),
            cuda::fft_device_bytes(tiles, sizeof(float)));
  EXPECT_GT(cuda::fft_device_bytes(tiles, sizeof(float)), 3 * (12 << 20));
}

TEST(DeviceCosts, TooLittleIsRefusedWithBothNumbers) {
  EXPECT_NO_THROW(require_free(100, 100, 1));
  try {
    require_free(1234567, 1234566, 3);
    ADD_FAILURE() << "not refused";
  } catch (const MachineError& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find("1234567 bytes"), words.npos) << words;
    EXPECT_NE(words.find("1234566 bytes"), words.npos) << words;
    EXPECT_NE(words.find("3 ranks"), words.npos) << words;
    EXPECT_EQ(words.find('\n'), words.npos);
  }
}

}  // namespace
}  // namespace stencil
