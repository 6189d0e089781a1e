#include "drivers/plan/make/make_problem.hpp"
#include "drivers/config/kind_words.hpp"
#include "drivers/pipeline/kernel_of.hpp"
#include "drivers/plan/predict/plan_costs.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "drivers/plan/describe/describe.hpp"
#include "drivers/plan/describe/plan_text.hpp"
#include "framework/grid/error.hpp"
#include "kernels/generated/compiled_kernel.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

using Values = std::vector<ElementValue>;

using testing::config_of;
using testing::facts_of;

/// The message of the WordsError with which planning must end.
std::string refusal(const Config& config, const DatasetFacts& facts, int ranks = 1) {
  try {
    make_problem(config, facts, {}, ranks);
  } catch (const WordsError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(Plan, ComputesInTheTypeThatHoldsTheInput) {
  const Config config = config_of("1 2 1");
  const auto type = [&](ElementType input) {
    return make_problem(config, facts_of({9}, input), {}, 1).compute_type();
  };
  EXPECT_EQ(type(ElementType::float64), ElementType::float64);
  EXPECT_EQ(type(ElementType::int64), ElementType::float64);
  EXPECT_EQ(type(ElementType::float32), ElementType::float32);
  EXPECT_EQ(type(ElementType::int16), ElementType::float32);
}

TEST(Plan, FamiliesRunOverTheGridUnlessAnAxisIsNamed) {
  Config config = config_of("laplace");
  EXPECT_EQ(make_problem(config, facts_of({20, 30}), {}, 1).chain.stages[0].choice.mask.rank, 2);
  EXPECT_EQ(make_problem(config, facts_of({30}), {}, 1).chain.stages[0].choice.mask.rank, 1);
  config.stages[0].axis = 0;
  const Problem along_y = make_problem(config, facts_of({20, 30}), {}, 1);
  EXPECT_EQ(along_y.chain.stages[0].choice.mask.rank, 1);
  EXPECT_EQ(along_y.chain.stages[0].mask_axis, y_axis);
  EXPECT_EQ(along_y.chain.stages[0].sampling[y_axis].width, 3);
  EXPECT_EQ(along_y.chain.stages[0].sampling[x_axis].width, 1);
}

TEST(Plan, CutoffsFollowTheRateThroughAChainThatDecimates) {
  Config config = config_of("lowpass");
  config.stages[0].parameters.taps = 11;
  config.stages[0].parameters.cutoff = {10};
  config.stages[0].stride = {5};
  config.stages.push_back(config.stages[0]);
  config.stages[1].name = "stencil.second";
  config.stages[1].stride = {1};
  EXPECT_NE(refusal(config, facts_of({1000})).find("input.sampling_rate"), std::string::npos);
  // the rate after the first stage is 80 / 5 = 16, whose Nyquist frequency, 8, is below the cutoff,
  // 10
  config.input.sampling_rate = 80;
  EXPECT_NE(refusal(config, facts_of({1000})).find("stencil.second"), std::string::npos);
  config.input.sampling_rate = 500;
  const Problem plan = make_problem(config, facts_of({1000}), {}, 3);
  EXPECT_EQ(plan.designed_for[0]->samples_per_unit, 500);
  EXPECT_EQ(plan.designed_for[1]->samples_per_unit, 100);
  EXPECT_EQ(plan.output.provenance.at("stencil_sampling_rate"),
            "stencil: 500 (input.sampling_rate); stencil.second: 100 (input.sampling_rate)");
  EXPECT_EQ(plan.output_form.dims(), std::vector<Index>{200});
  EXPECT_EQ(plan.output.sampling[0].stride, 5);
}

TEST(Plan, SaysWhereTheRateWasFoundAndWhatTheFileSaysAgainstIt) {
  Config config = config_of("lowpass");
  config.stages[0].parameters.taps = 11;
  config.stages[0].parameters.cutoff = {10};
  DatasetFacts facts = facts_of({1000});
  facts.sampling_rate = {500};
  facts.sampling_source = {"attribute Xspacing"};
  EXPECT_EQ(make_problem(config, facts, {}, 1).designed_for[0]->source, "attribute Xspacing");
  config.input.sampling_rate = 1000;
  EXPECT_EQ(make_problem(config, facts, {}, 1).designed_for[0]->source,
            "input.sampling_rate; attribute Xspacing says 500");
  EXPECT_FALSE(make_problem(config_of("1 2 1"), facts, {}, 1).designed_for[0]);
}

TEST(Plan, AMaskFromAFileIsNoFilterWhateverItsName) {
  DatasetFacts facts = facts_of({1000});
  facts.sampling_rate = {500};
  facts.sampling_source = {"attribute Xspacing"};
  const MaskFiles files{{"m.h5:/bandpass", {{3}, {1, 2, 1}}}};
  const Problem plan = make_problem(config_of("m.h5:/bandpass"), facts, files, 1);
  EXPECT_FALSE(plan.designed_for[0]);
  EXPECT_FALSE(plan.output.provenance.contains("stencil_sampling_rate"));
}

TEST(Plan, ComposesWhereOutputsStand) {
  Config config = config_of("1 1 1");
  config.stages[0].extent = Extent::valid;
  config.stages[0].stride = {2};
  config.stages.push_back(config.stages[0]);
  config.stages[1].name = "stencil.second";
  const Problem plan = make_problem(config, facts_of({4, 100}), {}, 1);
  // the first stage has inputs 1, 3, 5 ...; the second takes every second of these: 3, 7, 11 ...
  EXPECT_EQ(plan.output.sampling[1].first, 3);
  EXPECT_EQ(plan.output.sampling[1].stride, 4);
  EXPECT_EQ(plan.output.sampling[1].count, 24);
  EXPECT_EQ(plan.output.sampling[0].stride, 1);
  EXPECT_EQ(plan.output.sampling[0].count, 4);
}

TEST(Plan, DecompositionsMustMakeAsManyBlocksAsRanks) {
  Config config = config_of("1 2 1");
  config.run.decomposition = {2, 2};
  EXPECT_NE(refusal(config, facts_of({20, 30}), 3).find("4 blocks"), std::string::npos);
  EXPECT_EQ(make_problem(config, facts_of({20, 30}), {}, 4).chain.stages[0].input.grid(),
            (Point{1, 2, 2}));
  config.run.decomposition = {4};
  EXPECT_EQ(make_problem(config, facts_of({20, 30}), {}, 4).chain.stages[0].input.grid(),
            (Point{1, 4, 1}));
  EXPECT_EQ(make_problem(config, facts_of({30}), {}, 4).chain.stages[0].input.grid(),
            (Point{1, 1, 4}));
  config.run.decomposition = {1, 1, 1, 4};
  EXPECT_NE(refusal(config, facts_of({20, 30}), 4).find("three"), std::string::npos);
}

TEST(Plan, RefusesWhatDoesNotFitTheDatasetByTheStagesName) {
  Config wide = config_of("1 1 1 1 1");
  wide.stages[0].extent = Extent::valid;
  EXPECT_NE(refusal(wide, facts_of({4})).find("[stencil]"), std::string::npos);
  Config two = config_of("1 2; 3 4");
  EXPECT_NE(refusal(two, facts_of({9})).find("two-dimensional"), std::string::npos);
  two.stages[0].stride = {1, 1, 1};
  EXPECT_NE(refusal(two, facts_of({9, 9})).find("stride has 3 values"), std::string::npos);
  Config derivative = config_of("-1 0 1");
  derivative.missing = {
      .value = Values{std::nan("")}, .policy = MissingPolicy::renormalize, .mask = {}};
  EXPECT_NE(refusal(derivative, facts_of({9})).find("[stencil]"), std::string::npos);
  Config axis = config_of("1 2 1");
  axis.stages[0].axis = 2;
  EXPECT_NE(refusal(axis, facts_of({9, 9})).find("axis"), std::string::npos);
}

TEST(Plan, MissingPointsOfFloatsStayNaN) {
  Config config = config_of("1 2 1");
  config.missing = {.value = Values{-5}, .policy = MissingPolicy::renormalize, .mask = {}};
  const Problem plan = make_problem(config, facts_of({9}, ElementType::int16), {}, 1);
  EXPECT_TRUE(std::isnan(plan.missing->replacement));
  EXPECT_TRUE(plan.output.missing_value->is_nan());
  config.output.dtype = ElementType::int16;
  EXPECT_EQ(make_problem(config, facts_of({9}, ElementType::int16), {}, 1).output.missing_value,
            ElementValue(-32768));
  config.missing = {.value = Values{std::nan("")}, .policy = MissingPolicy::propagate, .mask = {}};
  EXPECT_EQ(make_problem(config, facts_of({9}), {}, 1).output.missing_value, ElementValue(-32768));
  config.missing = {
      .value = Values{-5}, .policy = MissingPolicy::fill, .fill_value = 7, .mask = {}};
  EXPECT_EQ(make_problem(config, facts_of({9}, ElementType::int16), {}, 1).missing->replacement, 7);
}

TEST(Plan, MemoryCoversTheFieldsOfTheLargestRank) {
  const Config config = config_of("1 2 1");
  const Index points = 1 << 20;
  const Problem one = make_problem(config, facts_of({points}), {}, 1);
  const Problem four = make_problem(config, facts_of({points}), {}, 4);
  EXPECT_GE(one.memory_at_once, 2 * 4 * points);
  EXPECT_LT(four.memory_at_once, one.memory_at_once);
  Config stepped = config;
  stepped.stages[0].steps = 3;
  stepped.stages[0].steps = 300;
  const Index several_sweeps = make_problem(stepped, facts_of({points}), {}, 1).memory_at_once;
  EXPECT_GE(several_sweeps, 3 * 4 * points);
  stepped.stages[0].steps = 3;
  EXPECT_LE(make_problem(stepped, facts_of({points}), {}, 1).memory_at_once,
            several_sweeps - 4 * points)
      << "one sweep needs no third field";
  Config watched = stepped;
  watched.run.look_every = 2;
  EXPECT_GE(make_problem(watched, facts_of({points}), {}, 1).memory_at_once, 3 * 4 * points)
      << "but it may stop within";
  EXPECT_EQ(make_problem(stepped, facts_of({points}), {}, 1).points_out, 3 * points);
}

TEST(Plan, TheLimitIsWhateverBinds) {
  const Problem plan = make_problem(config_of("1 2 1"), facts_of({1000}), {}, 1);
  EXPECT_DOUBLE_EQ(limit_seconds(plan, {8000, 1e12}), 1.0);  // 4 + 4 bytes per point
  EXPECT_DOUBLE_EQ(limit_seconds(plan, {1e12, 3000}), 1.0);  // 3 multiply-adds per point
}

std::string ones(Index count) {
  std::string taps;
  for (Index k = 0; k < count; ++k) taps += "1 ";
  return taps;
}

/// The chosen method for a 1D mask of `taps` taps along x.
MethodChoice chosen_for_line(Index taps, const std::vector<Index>& dims, Backend backend,
                             Index stride = 1, int ranks = 1, Index steps = 1) {
  Config config = config_of(ones(taps));
  config.stages[0].stride = {stride};
  config.stages[0].axis = 1;
  config.stages[0].steps = steps;
  return make_problem(config, facts_of(dims), {}, ranks, backend).chain.stages[0].choice;
}

TEST(Plan, LongMasksOnLongAxesGoByFft) {
  const auto chosen = [&](Index taps, Index n, Index stride, Index rows, int ranks) {
    return chosen_for_line(taps, {rows, n}, Backend::cpu, stride, ranks);
  };
  const Index n = 1 << 20;
  EXPECT_EQ(chosen(33, n, 1, 1, 1).method, Method::direct);
  EXPECT_EQ(chosen(257, n, 1, 1, 1).method, Method::fft);
  EXPECT_EQ(chosen(65, n, 20, 1, 1).method, Method::direct);  // few of the outputs are needed
  EXPECT_EQ(chosen(1025, n, 5, 1, 1).method, Method::fft);
  // one row is too little work: transforms save less time than making their tables takes
  EXPECT_EQ(chosen(257, 2000, 1, 1, 1).method, Method::direct);
  EXPECT_EQ(chosen(257, 2000, 1, 1000, 1).method, Method::fft);
  for (const Index taps : {257, 1025, 4097}) {
    const MethodChoice one = chosen(taps, n, 1, 1, 1), many = chosen(taps, n, 1, 1, 64);
    EXPECT_EQ(one.blocks.points, many.blocks.points);
    EXPECT_EQ(one.method, many.method);
    EXPECT_GE(one.blocks.points, 2 * taps);
    EXPECT_LT(one.fft_taps, double(taps));
  }
}

TEST(Plan, GpusChooseByTheirOwnCostsWhateverTheRanks) {
  const std::vector<Index> dims{1000, 1 << 16};
  const auto chosen = [&](Index taps, Index steps, int ranks) {
    return chosen_for_line(taps, dims, Backend::cuda, 1, ranks, steps);
  };
  EXPECT_EQ(chosen(33, 1, 1).method, Method::direct);
  // a transform would save nothing, because the transfer takes longer than the direct sum
  EXPECT_EQ(chosen(1025, 1, 1).method, Method::direct);
  EXPECT_EQ(chosen_for_line(1025, dims, Backend::cpu).method, Method::fft);
  for (const Index taps : {33, 257, 1025, 4097})
    for (const Index steps : {1, 50}) {
      const MethodChoice one = chosen(taps, steps, 1), many = chosen(taps, steps, 64);
      EXPECT_EQ(one.method, many.method);
      EXPECT_EQ(one.blocks.points, many.blocks.points);
      if (taps > 1000 && steps > 1) {
        EXPECT_EQ(one.method, Method::fft) << one.reason;
      }
    }
}

TEST(Plan, MasksThatTransformsDoNotSuitAreSummedDirectly) {
  Config single = config_of("2");  // a mask of one tap has no axis
  single.stages[0].method = MethodRequest::fft;
  single.stages[0].axis = 0;
  EXPECT_EQ(make_problem(single, facts_of({5, 600}), {}, 1).chain.stages[0].choice.method,
            Method::direct);
}

TEST(Plan, FftTakesTheWholePairsThatABlockTouches) {
  Config config = config_of(ones(130));
  config.stages[0].method = MethodRequest::fft;
  const Index n = 6000;
  const BoundStage stage = make_problem(config, facts_of({n}), {}, 4).chain.stages[0];
  const Index pair = stage.choice.blocks.pair();
  ASSERT_GT(pair, 0);
  for (Index o : {Index{0}, Index{1}, pair - 1, pair, n - 1}) {
    const Interval reads = stage.reads(x_axis, {o, o + 1});
    EXPECT_EQ(reads.first, o / pair * pair - 65);
    EXPECT_EQ(reads.last, std::min((o / pair + 1) * pair + 129 - 65, n + 64));
  }
  for (Index k = 0; k < 4; ++k) {
    const Interval owned = stage.input.part(x_axis, k), reads = stage.reads(x_axis, owned);
    EXPECT_LE(owned.first - stage.halo.low[x_axis], reads.first);
    EXPECT_GE(owned.last + stage.halo.high[x_axis], reads.last);
  }
  EXPECT_LE(stage.halo.low[x_axis], 65 + pair);
  // a grid is preferably divided along an axis without halos
  config.stages[0].axis = 0;
  EXPECT_EQ(make_problem(config, facts_of({n, n}), {}, 4).chain.stages[0].input.grid(),
            (Point{1, 1, 4}));
}

TEST(Plan, FftMemoryCountsTheTransforms) {
  Config config = config_of(ones(5000));
  const Index points = 1 << 20;
  const Index direct = [&] {
    Config other = config;
    other.stages[0].method = MethodRequest::direct;
    return make_problem(other, facts_of({points}), {}, 1).memory_at_once;
  }();
  const Problem plan = make_problem(config, facts_of({points}), {}, 1);
  ASSERT_EQ(plan.chain.stages[0].choice.method, Method::fft);
  EXPECT_GE(plan.memory_at_once, direct + 2 * 4 * 4 * plan.chain.stages[0].choice.blocks.points);
}

/// A mask of 101 x 101 taps that is not a sum of few separable masks.
Config large_mask() {
  std::string taps;
  for (Index y = 0; y < 101; ++y) {
    for (Index x = 0; x < 101; ++x)
      taps += std::to_string(1 + (x * x + 3 * y * x * x + y) % 17) + " ";
    taps += y < 100 ? "; " : "";
  }
  return config_of(taps);
}

TEST(Plan, LargeMasksOfTwoAxesGoByFft) {
  const Config config = large_mask();
  const auto chosen = [&](std::vector<Index> dims, int ranks, Backend backend = Backend::cpu) {
    return make_problem(config, facts_of(dims), {}, ranks, backend).chain.stages[0];
  };
  const BoundStage stage = chosen({4000, 4000}, 1), many = chosen({4000, 4000}, 16);
  ASSERT_EQ(stage.choice.method, Method::fft);
  EXPECT_EQ(many.choice.tiles.y.points, stage.choice.tiles.y.points);
  EXPECT_EQ(many.choice.tiles.x.points, stage.choice.tiles.x.points);
  EXPECT_LT(stage.adds_per_point(), 101 * 101 / 10.0);
  EXPECT_EQ(chosen({3, 2000, 2000}, 1).choice.method, Method::fft);
  Config by_fft = config;
  by_fft.stages[0].method = MethodRequest::fft;
  const BoundStage on_gpu =
      make_problem(by_fft, facts_of({4000, 4000}), {}, 1, Backend::cuda).chain.stages[0];
  EXPECT_EQ(on_gpu.choice.tiles.points(), stage.choice.tiles.points());
  for (const auto& [axis, tile] :
       {std::pair{y_axis, stage.choice.tiles.y}, {x_axis, stage.choice.tiles.x}})
    for (Index o : {Index{0}, Index{1}, tile.outputs() - 1, tile.outputs(), Index{3999}}) {
      const Interval reads = stage.reads(axis, {o, o + 1});
      const Index begin = o / tile.outputs() * tile.outputs() - 50;
      EXPECT_EQ(reads, (Interval{begin, std::min<Index>(begin + tile.inputs(), 4050)}));
    }
  EXPECT_EQ(stage.reads(batch_axis, {0, 1}), (Interval{0, 1}));
}

TEST(Plan, SaysWhatTheOtherWaysWouldTake) {
  const Problem plan = make_problem(large_mask(), facts_of({4000, 4000}), {}, 1);
  const std::vector<MethodCost>& costs = plan.chain.stages[0].choice.costs;
  ASSERT_EQ(costs.size(), 2u);
  EXPECT_EQ(costs[0].method, "direct");
  EXPECT_GE(costs[0].taps, 101 * 101);
  EXPECT_EQ(costs[1].method, "fft");
  EXPECT_EQ(costs[1].taps, plan.chain.stages[0].choice.fft_taps);
  Measured measured;
  measured.limits = Limits{1e10, 16e9};
  const std::string text = plan_text(describe(Plan(plan), "", measured));
  EXPECT_NE(text.find(fmt::format("estimated direct {:.3g} s, fft {:.3g} s, at the rate",
                                  costs[0].taps / 1000, costs[1].taps / 1000)),
            std::string::npos)
      << text;
  EXPECT_EQ(plan_text(describe(Plan(plan), "", {})).find("estimated"), std::string::npos);
}

TEST(Plan, FftOfTilesCountsItsMemory) {
  Config config = large_mask();
  const Problem plan = make_problem(config, facts_of({2000, 2000}), {}, 1);
  config.stages[0].method = MethodRequest::direct;
  const Index direct = make_problem(config, facts_of({2000, 2000}), {}, 1).memory_at_once;
  const Index points = plan.chain.stages[0].choice.tiles.points();
  ASSERT_GT(points, 0);
  // memory for a transform and a tile of real numbers
  EXPECT_GE(plan.memory_at_once, direct + 4 * 4 * points);
}

TEST(Plan, TransformsLeaveMissingPointsOutOnCpusOnly) {
  Config missing = config_of(ones(2000));
  const auto plan_on = [&](Backend backend) {
    return make_problem(missing, facts_of({1 << 20}), {}, 1, backend);
  };
  const Index plain = plan_on(Backend::cpu).memory_at_once;
  missing.missing = {
      .value = Values{std::nan("")}, .policy = MissingPolicy::renormalize, .mask = {}};
  const Problem plan = plan_on(Backend::cpu);
  EXPECT_EQ(plan.chain.stages[0].choice.method, Method::fft);
  const FftBlocks& blocks = plan.chain.stages[0].choice.blocks;
  const Index spectrum = 16 * blocks.points, marks = 4 * 2 * blocks.reach();
  EXPECT_GE(plan.memory_at_once, plain + spectrum + omp_get_max_threads() * marks);
  EXPECT_EQ(plan_on(Backend::cuda).chain.stages[0].choice.method, Method::direct);
  missing.stages[0].method = MethodRequest::fft;
  EXPECT_NO_THROW(plan_on(Backend::cpu));
  EXPECT_THROW(plan_on(Backend::cuda), WordsError);
}

TEST(Plan, TakesSeveralStepsPerSweepAndWidensHalosBesideOthersOnly) {
  Config config = config_of("0 .1 0; .2 .4 .15; 0 .1 0");
  config.stages[0].steps = 100;
  const Problem one = make_problem(config, facts_of({4096, 4096}), {}, 1);
  const Index depth = one.chain.stages[0].steps_per_sweep;
  EXPECT_GT(depth, 8);
  EXPECT_EQ(one.chain.stages[0].halo, (Halo{{0, 1, 1}, {0, 1, 1}}))
      << "the world's edges need no more";
  EXPECT_EQ(one.points_out, 100 * 4096 * 4096);
  const double points = 4096.0 * 4096;
  EXPECT_DOUBLE_EQ(limit_seconds(one, {points * 8, 1e30}), double((100 + depth - 1) / depth));
  EXPECT_DOUBLE_EQ(limit_seconds(one, {1e30, points * 5}), 100.0) << "corners are skipped";
  EXPECT_NE(
      plan_text(describe(Plan(one), "", {})).find(fmt::format("steps: 100, {} per sweep", depth)),
      std::string::npos);

  config.run.decomposition = {2, 1};
  const Problem two = make_problem(config, facts_of({4096, 4096}), {}, 2);
  const Index deep = two.chain.stages[0].steps_per_sweep;
  EXPECT_EQ(two.chain.stages[0].halo, (Halo{{0, deep, 1}, {0, deep, 1}}));
  const Problem thin = make_problem(config, facts_of({6, 4096}), {}, 2);
  EXPECT_EQ(thin.chain.stages[0].steps_per_sweep, 1);

  config.missing = {
      .value = Values{std::nan("")}, .policy = MissingPolicy::renormalize, .mask = {}};
  EXPECT_EQ(make_problem(config, facts_of({4096, 4096}), {}, 2).chain.stages[0].steps_per_sweep, 1);
}

TEST(Plan, GpusTakeSeveralStepsOfSmallCentredMasks) {
  if (!generated::can_generate()) GTEST_SKIP() << "libnvrtc cannot be loaded here";
  const auto steps_per_sweep = [](const std::string& mask, Index steps, const auto& change) {
    Config config = config_of(mask);
    config.stages[0].steps = steps;
    change(config);
    return make_problem(config, facts_of({4096, 4096}), {}, 2, Backend::cuda)
        .chain.stages[0]
        .steps_per_sweep;
  };
  const auto nothing = [](Config&) {};
  const std::string five = "0 .1 0; .2 .4 .15; 0 .1 0", nine = ".1 .2 .1; .3 .4 .1; .1 .1 .2";
  EXPECT_EQ(steps_per_sweep(five, 100, nothing), 16);
  EXPECT_EQ(steps_per_sweep("0 1 0; 1 0 1; 0 1 0", 100, nothing), 16);
  EXPECT_EQ(steps_per_sweep(nine, 100, nothing), 12);
  EXPECT_EQ(steps_per_sweep(five, 5, nothing), 5);
  EXPECT_EQ(steps_per_sweep("0 .1 0; .2 .4 .15; 0 .1 .1", 100, nothing), 16) << "one corner";
  const std::string outer = "1 2 1; 2 4 2; 1 2 1";
  EXPECT_EQ(
      steps_per_sweep(outer, 100, [](Config& c) { c.stages[0].method = MethodRequest::direct; }),
      12);
  const auto by_factors = [](Config& c) { c.stages[0].method = MethodRequest::separable; };
  EXPECT_EQ(steps_per_sweep(outer, 100, by_factors), 16);
  EXPECT_EQ(steps_per_sweep(outer, 100, nothing), 16) << "by factors, in float64";
  EXPECT_EQ(steps_per_sweep("1 0 1; 2 0 2; 1 0 1", 100, by_factors), 1) << "a factor with a gap";
  EXPECT_EQ(steps_per_sweep(five, 100, [](Config& c) { c.stages[0].origin = {1, 0}; }), 1);
  EXPECT_EQ(steps_per_sweep(".1 .2 .1", 100, nothing), 32);
  EXPECT_EQ(steps_per_sweep(".1 .2 .1", 100, [](Config& c) { c.stages[0].axis = 0; }), 24);
  EXPECT_EQ(steps_per_sweep(".1 .2 .1 .1", 100, nothing), 1);
  setenv("STENCIL_GENERATED_KERNELS", "off", 1);
  EXPECT_EQ(steps_per_sweep(five, 100, nothing), 1) << "kernels compiled ahead take one step";
  unsetenv("STENCIL_GENERATED_KERNELS");
  // in float32 1e-60 becomes 0, and is skipped like other zeros
  const std::string tiny = "1e-60 .1 0; .2 .4 .15; 0 .1 0";
  EXPECT_EQ(
      steps_per_sweep(tiny, 100, [](Config& c) { c.run.precision = PrecisionRequest::float32; }),
      16);
  EXPECT_EQ(
      steps_per_sweep(tiny, 100, [](Config& c) { c.run.precision = PrecisionRequest::float64; }),
      12);
}

/// A mask of rank 2 as text: the sum of two outer products.
std::string rank_two(Index width) {
  std::string words;
  for (Index y = 0; y < width; ++y)
    for (Index x = 0; x < width; ++x) {
      const auto bell = [&](Index i) { return std::exp(-0.02 * double((i - 7) * (i - 7))); };
      const auto ramp = [](Index i) { return 0.1 + 0.01 * double(i); };
      words += fmt::format("{}{}", bell(y) * bell(x) + ramp(y) * ramp(x),
                           x + 1 < width ? " " : (y + 1 < width ? "; " : ""));
    }
  return words;
}

TEST(Plan, SumsOfSeparableMasksSaySoEverywhere) {
  Config config = config_of(rank_two(13));
  config.stages[0].steps = 7;
  const Problem plan = make_problem(config, facts_of({1000, 900}), {}, 4);
  const BoundStage& stage = plan.chain.stages[0];
  ASSERT_EQ(stage.choice.separable_terms(), 2) << stage.choice.reason;
  EXPECT_EQ(stage.adds_per_point(), 52);
  EXPECT_EQ(stage.steps_per_sweep, 1);
  EXPECT_EQ(plan.output.provenance.at("stencil_method"), "stencil: sum of 2 separable");
  EXPECT_NE(plan.output.provenance.at("history").find("sum of 2 separable"), std::string::npos);
  EXPECT_NE(kernel_of(plan.chain, 0).find("cpu sum of 2 separable, 2 x (13 + 13) taps"),
            std::string::npos);
  const std::string text = plan_text(describe(Plan(plan), "", {}));
  EXPECT_NE(text.find("13x13 taps, sum of 2 separable (rank 2 within "), std::string::npos) << text;
  EXPECT_NE(text.find(", 52 instead of 169 taps a point)"), std::string::npos) << text;
  EXPECT_NE(text.find("sum of 2 separable within "), std::string::npos) << text;
}

TEST(Plan, SumsOfSeparableMasksDoNotRenormalizeNorStrideOnGpus) {
  Config config = config_of(rank_two(13));
  const auto choice = [&](Backend backend = Backend::cpu) {
    return make_problem(config, facts_of({99, 90}), {}, 1, backend).chain.stages[0].choice;
  };
  EXPECT_EQ(choice().separable_terms(), 2);
  config.stages[0].stride = {2, 1};
  EXPECT_EQ(choice().separable_terms(), 2);
  EXPECT_NE(choice(Backend::cuda).method, Method::separable);
  config.stages[0].method = MethodRequest::separable;
  EXPECT_EQ(choice().separable_terms(), 2);
  config.stages[0].stride = {1};
  config.missing = {
      .value = Values{std::nan("")}, .policy = MissingPolicy::renormalize, .mask = {}};
  EXPECT_NE(refusal(config, facts_of({99, 90})).find("cannot leave missing points out"),
            std::string::npos);
  config.stages[0].method = MethodRequest::automatic;
  EXPECT_EQ(choice().method, Method::fft);
  EXPECT_EQ(choice(Backend::cuda).method, Method::direct);
}

TEST(Plan, MasksThatSumToOneKeepPackedAttributes) {
  const auto keeps = [](const std::string& mask, const std::string& method) {
    Config config = config_of(mask);
    config.stages[0].method = meaning_of<MethodRequest>(method);
    config.stages[0].parameters.sigma = {1.5};
    return make_problem(config, facts_of({99, 90}), {}, 1).output.packed_attributes;
  };
  // a mask of rank 2, a mask of rank 1 of a named family, and masks whose taps do not sum to 1
  EXPECT_TRUE(
      keeps("0.1 0.1 0.1 0.1 0.1; 0.1 0.1 0.1 0.1 -0.1; 0.1 0.1 0.1 0.1 -0.1; "
            "0.1 0.1 0.1 0.1 -0.1; 0.1 0.1 0.1 0.1 -0.8",
            "separable"));
  EXPECT_TRUE(keeps("gaussian", "separable"));
  EXPECT_FALSE(keeps(rank_two(15), "auto"));
  EXPECT_FALSE(keeps("sobel", "auto"));
}

/// The packing of the output for an input of int16 or floating-point numbers, packed or not.
storage::Packing packing(const std::string& mask, const OutputScale& scale, DatasetFacts facts) {
  Config config = config_of(mask);
  config.output.dtype = ElementType::int16;
  config.output.scale = scale;
  config.stages[0].parameters.sigma = {1.5};
  return make_problem(config, facts, {}, 1).output.packing.value_or(storage::Packing{.scale = -1});
}

TEST(Plan, OutputsArePackedAsAskedOrAsTheInputIs) {
  const OutputScale asked{.scale = 0.5, .offset = 100}, like_input{.is_of_input = true};
  DatasetFacts plain = facts_of({99, 90}), packed = facts_of({99, 90}, ElementType::int16);
  packed.is_packed = true;
  packed.scale_factor = 0.25;
  packed.add_offset = 20;
  EXPECT_EQ(packing("1 2 1", asked, plain), (storage::Packing{.scale = 0.5, .offset = 100}));
  // if the taps sum to 4, the offset becomes 4 times as large
  EXPECT_EQ(
      packing("1 2 1", asked, packed),
      (storage::Packing{.scale = 0.5, .offset = 100, .input_scale = 0.25, .input_offset = 80}));
  EXPECT_EQ(packing("1 2 1", like_input, packed),
            (storage::Packing{.scale = 0.25, .offset = 80, .as_computed = true}));
  EXPECT_EQ(packing("sobel", like_input, packed),
            (storage::Packing{.scale = 0.25, .offset = 0, .as_computed = true}));
  // a sum of taps is treated as 0 if it is small relative to the taps, and not relative to 1
  EXPECT_DOUBLE_EQ(packing("1e-10 2e-10 1e-10", like_input, packed).offset, 4e-10 * 20);
  EXPECT_EQ(packing("1e20 -3e20 2e20", like_input, packed).offset, 0);
  // the output is packed like the input, with its attributes; integers without packing stay so
  EXPECT_EQ(packing("gaussian", like_input, packed).scale, -1);
  EXPECT_EQ(packing("sobel", like_input, facts_of({99, 90}, ElementType::int16)).scale, -1);
}

TEST(Plan, PackingThatNobodyCanKnowIsRefused) {
  Config config = config_of("1 2 1");
  config.output.dtype = ElementType::int16;
  config.output.scale = OutputScale{.is_of_input = true};
  EXPECT_NE(refusal(config, facts_of({90})).find("write output.scale = SCALE OFFSET"),
            std::string::npos);
  DatasetFacts packed = facts_of({90});
  packed.is_packed = true;
  packed.add_offset = 20;
  EXPECT_EQ(refusal(config, packed), "not refused");
  config.stages[0].steps = 2;
  config.output.snapshot_every = 1;
  EXPECT_NE(refusal(config, packed).find("snapshots have one"), std::string::npos);
  packed.scale_factor = 0;
  EXPECT_NE(refusal(config, packed).find("scale_factor = 0"), std::string::npos);
}

TEST(Plan, PackedOutputsKeepTheEndOfTheirRangeForMissingPoints) {
  Config config = config_of("1 2 1");
  const auto missing = [&](ElementType type, std::optional<OutputScale> scale) {
    config.output.dtype = type;
    config.output.scale = scale;
    return make_problem(config, facts_of({90}), {}, 1).output.missing_value;
  };
  const OutputScale scale{.scale = 0.5};
  EXPECT_EQ(missing(ElementType::int8, scale), ElementValue(-128));
  EXPECT_EQ(missing(ElementType::uint8, scale), ElementValue(255));
  EXPECT_EQ(missing(ElementType::int64, scale), ElementValue(INT64_MIN));
  EXPECT_EQ(missing(ElementType::uint64, scale), ElementValue(UINT64_MAX));
  EXPECT_EQ(missing(ElementType::int16, std::nullopt), std::nullopt);
  config.missing.value = Values{-9999};  // with packing, a valid result may equal this number
  EXPECT_EQ(missing(ElementType::int16, scale), ElementValue(-32768));
  EXPECT_EQ(missing(ElementType::int16, std::nullopt), ElementValue(-32768));
}

TEST(Plan, NoResultIsTheNumberOfMissingPoints) {
  Config config = config_of("0.25 0.5 0.25");
  config.output.dtype = ElementType::uint8;
  DatasetFacts facts = facts_of({90}, ElementType::uint8);
  const auto fill = [&](const ElementValue& of_input) {
    facts.missing_unasked = {of_input};
    return make_problem(config, facts, {}, 1).output.missing_value;
  };
  EXPECT_EQ(fill(255), ElementValue(255));
  EXPECT_EQ(fill(0), ElementValue(0)) << "means of numbers from 1 on are not 0";
  EXPECT_EQ(fill(77), ElementValue(255)) << "means of other numbers may be 77";
  config.stages[0].mask = read_mask("-1 0 1");
  EXPECT_EQ(fill(0), ElementValue(255)) << "differences are 0";
  config.missing.policy = MissingPolicy::fill;
  EXPECT_EQ(fill(77), std::nullopt) << "no point is missing";
  config.missing.policy = MissingPolicy::propagate;
  facts.is_packed = facts.reads_values = true;
  facts.scale_factor = 2;
  config.stages[0].mask = read_mask("0.25 0.5 0.25");
  EXPECT_EQ(fill(0), ElementValue(255)) << "0 is a value as any other";
}

TEST(Plan, EdgesMayBeMissing) {
  Config config = config_of("1 2 1");
  config.missing.edges = BeyondEdges::missing;
  const auto boundary = [&] {
    return make_problem(config, facts_of({90}), {}, 1).chain.stages[0].boundary;
  };
  EXPECT_EQ(boundary().rule[x_axis], BoundaryRule::constant);
  EXPECT_TRUE(std::isnan(boundary().value));
  config.output.dtype = ElementType::int8;
  EXPECT_EQ(make_problem(config, facts_of({90}), {}, 1).output.missing_value, ElementValue(-128));
  config.missing.policy = MissingPolicy::fill;
  config.missing.fill_value = 7;
  EXPECT_EQ(boundary().value, 7);
  EXPECT_EQ(make_problem(config, facts_of({90}), {}, 1).output.missing_value, std::nullopt);
}

TEST(Plan, UnpackedValuesHaveTheTypeThatTellsThemApart) {
  const Config config = config_of("1 2 1");
  DatasetFacts facts = facts_of({90}, ElementType::int16);
  const auto type = [&](double scale, double offset) {
    facts.is_packed = facts.reads_values = true;
    facts.scale_factor = scale;
    facts.add_offset = offset;
    return make_problem(config, facts, {}, 1).compute_type();
  };
  EXPECT_EQ(type(0.01, 273.15), ElementType::float32);
  EXPECT_EQ(type(0.001, 1e6), ElementType::float64);
  facts.type = ElementType::int32;
  EXPECT_EQ(type(0.01, 0), ElementType::float64);
  facts.type = ElementType::float32;
  EXPECT_EQ(type(0.01, 0), ElementType::float32);
  facts.type = ElementType::int32;
  facts.reads_values = false;
  EXPECT_EQ(make_problem(config, facts, {}, 1).compute_type(), ElementType::float32);
}

TEST(Plan, UnpackedValuesArePackedAsTheInputIs) {
  const OutputScale like_input{.is_of_input = true};
  DatasetFacts facts = facts_of({99, 90}, ElementType::int16);
  facts.is_packed = facts.reads_values = true;
  facts.scale_factor = 0.25;
  facts.add_offset = 20;
  EXPECT_EQ(packing("gaussian", like_input, facts),
            (storage::Packing{.scale = 0.25, .offset = 20}));
  EXPECT_EQ(packing("1 2 1", like_input, facts), (storage::Packing{.scale = 0.25, .offset = 80}));
  EXPECT_EQ(packing("sobel", like_input, facts), (storage::Packing{.scale = 0.25, .offset = 0}));
  EXPECT_EQ(packing("1 2 1", {.scale = 0.5, .offset = 1}, facts),
            (storage::Packing{.scale = 0.5, .offset = 1}));
  EXPECT_FALSE(make_problem(config_of("0.25 0.5 0.25"), facts, {}, 1).output.packed_attributes);
}

TEST(Plan, DerivativesOfOneAxisTellTheirStep) {
  const auto derivative = [](Config config, const std::vector<Index>& dims = {90, 80}) {
    return make_problem(config, facts_of(dims), {}, 1)
        .output.derivative.value_or(OutputDerivative{.order = 0});
  };
  Config savgol = config_of("savgol");
  savgol.stages[0].parameters.size = {9};
  savgol.stages[0].parameters.polyorder = 3;
  savgol.stages[0].parameters.delta = {0.25};
  EXPECT_EQ(derivative(savgol).order, 0);
  savgol.stages[0].parameters.deriv = 2;
  savgol.stages[0].axis = 0;
  EXPECT_EQ(derivative(savgol).axis, 0u);
  EXPECT_EQ(derivative(savgol).order, 2);
  EXPECT_EQ(derivative(savgol).step, 0.25);
  // after a decimation by four, a spacing of the stage is four spacings of the input
  Config later = savgol;
  later.stages.insert(later.stages.begin(), config_of("1 2 1").stages[0]);
  later.stages[0].name = "stencil.first";
  later.stages[0].axis = 0;
  later.stages[0].stride = {4};
  EXPECT_EQ(derivative(later).step, 0.0625);
  later.stages[1].steps = 2;
  EXPECT_EQ(derivative(later).order, 0);

  Config gaussian = config_of("gaussian");
  gaussian.stages[0].parameters.sigma = {1.5};
  gaussian.stages[0].parameters.order = {0, 1};
  EXPECT_EQ(derivative(gaussian).axis, 1u);
  EXPECT_EQ(derivative(gaussian).step, 1);
  gaussian.stages[0].operation = Operation::convolve;
  EXPECT_EQ(derivative(gaussian).order, 0) << "of the other sign";
  gaussian.stages[0].operation = Operation::correlate;
  gaussian.stages[0].parameters.order = {1, 1};
  EXPECT_EQ(derivative(gaussian).order, 0) << "of both axes";
  EXPECT_EQ(derivative(config_of("sobel")).order, 0) << "not normalized";
  EXPECT_EQ(derivative(config_of("-1 0 1")).order, 0);
}

TEST(Plan, DerivativesAreKnownByNameOrByTheirTaps) {
  const MaskFiles files{{"m.h5:/slope", {{3}, {-0.1f, 0.0f, 0.1f}}},
                        // a band-pass of firwin does not remove the mean completely
                        {"m.h5:/band", {{5}, {-0.25, 0.1, 0.3001, 0.1, -0.25}}},
                        {"m.h5:/channels", {{2, 1, 1, 3}, {0.25, 0.5, 0.25, -1, 2, -1}}},
                        {"m.h5:/blurs", {{2, 1, 1, 3}, {0.25, 0.5, 0.25, 0, 0, 0}}}};
  const auto differentiates = [&](Config config) {
    const std::string& mask = config.stages[0].mask.text;
    const bool has_channels = mask == "m.h5:/channels" || mask == "m.h5:/blurs";
    config.stages[0].groups = has_channels ? 2 : 1;
    return make_problem(config, facts_of({2, 20, 30}), files, 1).output.is_derivative;
  };
  for (const char* mask : {"laplace", "sobel", "prewitt", "1 -2 1", "0 1 0; 1 -4 1; 0 1 0",
                           "m.h5:/slope", "m.h5:/channels"})
    EXPECT_TRUE(differentiates(config_of(mask))) << mask;
  for (const char* mask : {"1 2 1", "0 0 0", "0 1 0; 1 -3.9 1; 0 1 0", "m.h5:/band", "m.h5:/blurs"})
    EXPECT_FALSE(differentiates(config_of(mask))) << mask;
  Config gaussian = config_of("gaussian");
  gaussian.stages[0].parameters.sigma = {1};
  EXPECT_FALSE(differentiates(gaussian));
  gaussian.stages[0].parameters.order = {0, 1};
  EXPECT_TRUE(differentiates(gaussian));
  Config savgol = config_of("savgol");
  savgol.stages[0].parameters.size = {5};
  savgol.stages[0].parameters.polyorder = 2;
  EXPECT_FALSE(differentiates(savgol));
  savgol.stages[0].parameters.deriv = 1;
  EXPECT_TRUE(differentiates(savgol));
  Config highpass = config_of("highpass");
  highpass.input.sampling_rate = 100;
  highpass.stages[0].parameters.taps = 11;
  highpass.stages[0].parameters.cutoff = {10};
  EXPECT_FALSE(differentiates(highpass));
  Config chain = config_of("1 2 1");
  chain.stages.push_back(config_of("1 -1").stages[0]);
  EXPECT_TRUE(differentiates(chain));
}

TEST(Plan, NotesWhatMaySurpriseInTheData) {
  DatasetFacts facts = testing::facts_of({100}, ElementType::int16);
  const auto notes = [&](const Config& config) { return make_problem(config, facts, {}, 1).notes; };
  Config smooth = testing::config_of("0.25 0.5 0.25"), slope = testing::config_of("-1 0 1");
  EXPECT_TRUE(notes(smooth).empty());
  Config attribute = smooth;
  attribute.missing.value = FromAttributes{};
  ASSERT_EQ(notes(attribute).size(), 1u);
  EXPECT_NE(notes(attribute)[0].find("no attribute _FillValue"), std::string::npos);
  EXPECT_FALSE(make_problem(attribute, facts, {}, 1).missing);
  facts.missing_values = facts.missing_unasked = {std::nan("")};
  EXPECT_TRUE(notes(attribute).empty());
  EXPECT_TRUE(notes(smooth).empty());
  facts.missing_values.push_back(-32768);
  EXPECT_TRUE(notes(smooth).empty());
  smooth.missing.value = std::monostate{};
  ASSERT_EQ(notes(smooth).size(), 1u);
  EXPECT_NE(notes(smooth)[0].find("-32768"), std::string::npos) << notes(smooth)[0];
  smooth.missing.value = slope.missing.value = FromAttributes{};
  EXPECT_TRUE(notes(smooth).empty());
  facts.is_packed = true;
  ASSERT_EQ(notes(smooth).size(), 1u);
  EXPECT_EQ(notes(smooth)[0].find("has neither"), std::string::npos) << notes(smooth)[0];
  ASSERT_EQ(notes(slope).size(), 1u);
  EXPECT_NE(notes(slope)[0].find("has neither"), std::string::npos) << notes(slope)[0];
}

TEST(Plan, ChunksAreChosenForCompressionAndNeverLargerThanTheOutput) {
  Config config = config_of("1 2 1");
  config.output.gzip_level = 4;
  const Problem plan = make_problem(config, facts_of({5000, 3000}), {}, 1);
  EXPECT_EQ(plan.output.chunk, (std::vector<Index>{87, 3000}));
  config.output.chunk = {100, 9000};
  EXPECT_EQ(make_problem(config, facts_of({50, 3000}), {}, 1).output.chunk,
            (std::vector<Index>{50, 3000}));
  config.output.chunk = {100};
  EXPECT_NE(refusal(config, facts_of({50, 3000})).find("output.chunk"), std::string::npos);
}

/// The last of several steps is a separate stage: the chain has one stage more than the
/// configuration.
TEST(Plan, ASelectionIsReadWithMarginsAndItsOutputsAreCropped) {
  for (const char* mask : {"1 2 1", "gaussian", "1 -2 1"}) {
    Config config = config_of(mask);
    config.stages[0].steps = 5;
    config.stages[0].parameters.sigma = {0.25};  // taps -1 to 1
    config.input.select = {Slice{}};
    DatasetFacts facts = facts_of({1000});
    facts.wanted = {{100, 2, 300}};
    const Problem plan = make_problem(config, facts, {}, 1);
    ASSERT_EQ(plan.chain.stages.size(), 2u);
    EXPECT_EQ(plan.chain.stages[0].steps, 4);
    EXPECT_EQ(plan.chain.stages[1].steps, 1);
    EXPECT_EQ(plan.designed_for.size(), 2u);
    EXPECT_EQ(plan.input.dims, std::vector<Index>{310});
    EXPECT_EQ(plan.output.dims(), std::vector<Index>{300});
    ASSERT_EQ(plan.output.sampling.size(), 1u);
    EXPECT_EQ(plan.output.sampling[0].first, 100);
    EXPECT_EQ(plan.output.sampling[0].stride, 2);
    EXPECT_EQ(plan.output.is_derivative, std::string(mask) == "1 -2 1");
    EXPECT_EQ(plan.output.provenance.at("stencil_method").find(';'), std::string::npos);
    config.input.edges = Edges::boundary;
    const Problem alone = make_problem(config, facts, {}, 1);
    EXPECT_EQ(alone.chain.stages.size(), 1u);
    EXPECT_EQ(alone.input.dims, std::vector<Index>{300});
    EXPECT_EQ(alone.output.sampling[0].first, 100);
  }
}

/// If another mask needs latitudes beyond the ends of the selection, these latitudes are read, too,
/// and have masks.
TEST(Plan, MasksOfLatitudesAreThoseThatASelectionReads) {
  Config config = testing::gaussian_of_km(500);
  DatasetFacts facts = testing::globe_facts();
  const auto taps = [](const Mask& mask) { return mask.taps.count(); };
  const auto stage_of = [&] { return make_problem(config, facts, {}, 1).chain.stages[0]; };
  const BoundStage whole = stage_of();
  EXPECT_EQ(whole.rows->masks->size(), 181u);
  EXPECT_EQ(taps(whole.choice.mask), 359);
  facts.wanted = {{85, 1, 11}, {100, 1, 50}};  // the latitudes up to 5 degrees from the equator
  const BoundStage equator = stage_of();
  EXPECT_EQ(equator.rows->masks->size(), 11u);
  EXPECT_EQ(taps(equator.choice.mask), taps(whole.rows->masks->at(85)));
  EXPECT_EQ(taps(equator.rows->masks->at(5)), taps(whole.rows->masks->at(90)));

  StageConfig north = testing::with_axes("box", {0}).stages[0];
  north.name = "stencil.north";
  north.parameters.size = {61};
  config.stages.push_back(north);
  const BoundStage wider = stage_of();
  EXPECT_EQ(wider.rows->masks->size(), 71u);
  EXPECT_GE(taps(wider.choice.mask), taps(whole.rows->masks->at(55)));
  EXPECT_LT(taps(wider.choice.mask), 359);
  config.input.edges = Edges::boundary;
  EXPECT_EQ(stage_of().rows->masks->size(), 11u);
  EXPECT_EQ(taps(stage_of().choice.mask), taps(equator.choice.mask));
  config.input.edges = Edges::data;
  config.stages[1].boundary = {BoundaryRule::wrap};
  EXPECT_EQ(taps(stage_of().choice.mask), 359);
}

TEST(Plan, AnAxisOfLatitudesIsNotCalledAnAxisOfAMask) {
  DatasetFacts facts = facts_of({5, 6, 181, 360});
  const DatasetFacts globe = testing::globe_facts();
  facts.earth_radius = globe.earth_radius;
  facts.coordinates = {{}, {}, globe.coordinates[0], globe.coordinates[1]};
  Config config = testing::gaussian_of_km(500);
  config.stages[0].axes = {3};
  config.stages.push_back(testing::with_axes("1 1; 1 1", {0, 1}).stages[0]);
  config.stages.back().name = "stencil.other";
  const std::string message = refusal(config, facts);
  EXPECT_NE(message.find("masks run along the axes 0, 1, 3, and a mask along longitudes also needs "
                         "axis 2, the latitudes"),
            std::string::npos)
      << message;
}

TEST(Plan, StepsOfASelectionCountInRatesAndDerivatives) {
  Config config = config_of("savgol");
  config.stages[0].parameters.size = {7};
  config.stages[0].parameters.polyorder = 3;
  config.stages[0].parameters.deriv = 1;
  config.stages[0].parameters.delta = {0.5};
  DatasetFacts facts = facts_of({1000});
  facts.wanted = {{100, 5, 100}};
  EXPECT_DOUBLE_EQ(make_problem(config, facts, {}, 1).output.derivative.value().step, 0.1);
  Config filter = config_of("lowpass");
  filter.stages[0].parameters.taps = 11;
  filter.stages[0].parameters.cutoff = {5};
  facts.sampling_rate = {200};
  facts.sampling_source = {"attribute"};
  EXPECT_EQ(make_problem(filter, facts, {}, 1).designed_for[0]->samples_per_unit, 40);
  filter.input.sampling_rate = 100;  // the rate of the whole dataset
  EXPECT_EQ(make_problem(filter, facts, {}, 1).designed_for[0]->samples_per_unit, 20);
}

}  // namespace
}  // namespace stencil
