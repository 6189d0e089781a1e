// Several steps per sweep on one to seven ranks, on CPUs or GPUs, compared bit by bit with single
// steps on one CPU.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "drivers/config/kind_words.hpp"
#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/pipeline.hpp"
#include "drivers/plan/make/make_problem.hpp"
#include "drivers/plan/make/plan_stage.hpp"
#include "framework/grid/error.hpp"
#include "kernels/cpu/vector_extension.hpp"
#include "tests/support/backend.hpp"
#include "tests/support/other_memory.hpp"
#include "tests/support/plan_words.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using testing::facts_of;
using Random = std::mt19937_64;

Index pick(Random& random, Index low, Index high) {
  return std::uniform_int_distribution<Index>(low, high)(random);
}

/// Returns a random value for a point of the dataset, which is the same on every rank. About one of
/// `rare` values is NaN.
double value_at(std::size_t place, std::uint64_t rare) {
  std::uint64_t mixed = place * 0x9e3779b97f4a7c15u;  // as splitmix64 does
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
  if (mixed % rare == 0) return std::nan("");
  return (double(mixed >> 11 & 2047) - 1024) / 7;
}

/// Plans with direct or separable sums, whose sweeps have `depth` steps. With `depth` = 0 the plan
/// chooses the number of steps. On a GPU, no sweep has more steps than the plan chooses.
Problem plan_of(const Config& config, const std::vector<Index>& dims, int ranks, Index depth,
                Backend backend) {
  Problem plan = make_problem(config, facts_of(dims), {}, ranks, backend);
  if (plan.chain.stages[0].choice.method == Method::fft) {
    Config direct = config;
    direct.stages[0].method = MethodRequest::direct;
    plan = make_problem(direct, facts_of(dims), {}, ranks, backend);
  }
  if (depth == 0) return plan;
  for (BoundStage& stage : plan.chain.stages) {
    const Index most = backend == Backend::cuda ? stage.steps_per_sweep : stage.steps;
    stage.steps_per_sweep = std::min(depth, most);
    stage.halo = needed_halo(stage);
  }
  return plan;
}

template <class T>
struct Result {
  Box box;
  std::vector<T> values;
  Index advanced = 0;  ///< sum of the numbers of points that were passed to on_step
};

template <class T>
Result<T> run_on(const Communicator& communicator, const Problem& plan, Executor& executor,
                 std::uint64_t rare) {
  Session session(communicator.handle(), executor, plan.transport);
  Pipeline<T> pipeline(session, plan.chain);
  Field<T> field = pipeline.make_input();
  const Box owned = plan.chain.stages.front().input.owned(communicator.rank());
  const Point shape = plan.input_form.shape();
  const auto each = [&](const Box& box, const FieldView<T>& view, const auto& visit) {
    for (Index b = 0; b < view.extent[0]; ++b)
      for (Index y = 0; y < view.extent[1]; ++y)
        for (Index x = 0; x < view.extent[2]; ++x)
          visit(std::size_t(((box.first[0] + b) * shape[1] + box.first[1] + y) * shape[2] +
                            box.first[2] + x),
                view.at(b, y, x));
  };
  testing::HostMirror<T> start(executor, field);
  each(owned, start.owned(),
       [&](std::size_t place, T& point) { point = T(value_at(place, rare)); });
  start.upload();
  Result<T> result{plan.chain.stages.back().output.owned(communicator.rank()), {}};
  Field<T> out =
      pipeline.run(std::move(field), [&](Index advanced) { result.advanced += advanced; });
  testing::HostMirror<T> found(executor, out);
  found.download();
  each(result.box, found.owned(),
       [&](std::size_t, const T& point) { result.values.push_back(point); });
  return result;
}

/// Returns the executor of the runs on several ranks: the executor of the backend under test. On
/// the CPU, every second call returns an executor whose memory is not the host's, and for which
/// inner points do not wait for halos.
Executor& parts_on(int rank) {
  static testing::OtherMemory other;
  static int runs = 0;
  const bool take_other = testing::backend_under_test() == Backend::cpu && ++runs % 2 == 0;
  return take_other ? other : testing::executor_under_test(rank);
}

/// Compares this rank's part of a run on all ranks with a run on one rank that computes one step
/// per sweep.
template <class T>
void check(const Config& config, const std::vector<Index>& dims, Index depth,
           std::uint64_t rare = 1009) {
  const Communicator world(MPI_COMM_WORLD), alone(MPI_COMM_SELF);
  Config whole = config, parts = config;
  whole.run.decomposition.clear();
  parts.run.transport = testing::transport_under_test();
  const Problem plan = plan_of(parts, dims, world.size(), depth, testing::backend_under_test());
  CpuExecutor cpu;
  const Result<T> expected = run_on<T>(alone, plan_of(whole, dims, 1, 1, Backend::cpu), cpu, rare);
  const Result<T> found = run_on<T>(world, plan, parts_on(world.rank()), rare);
  ASSERT_EQ(found.advanced, plan.points_out) << "every step counts";
  const Point shape = plan.output_form.shape();
  std::size_t i = 0;
  for (Index b = found.box.first[0]; b < found.box.last[0]; ++b)
    for (Index y = found.box.first[1]; y < found.box.last[1]; ++y)
      for (Index x = found.box.first[2]; x < found.box.last[2]; ++x, ++i) {
        const T& want = expected.values[std::size_t((b * shape[1] + y) * shape[2] + x)];
        const StageConfig& stage = config.stages[0];
        ASSERT_EQ(std::memcmp(&found.values[i], &want, sizeof(T)), 0)
            << stage.mask.text << ", " << word_of(stage.boundary[0]) << " "
            << word_of(stage.boundary.back()) << ", " << stage.steps << " steps, " << depth
            << " per sweep, shape " << to_string(shape) << " in "
            << to_string(plan.chain.stages[0].input.grid()) << ": " << found.values[i]
            << " instead of " << want << " at " << b << " " << y << " " << x;
      }
}

std::string drawn_taps(Random& random, Index height, Index width, bool two) {
  std::string text;
  for (Index k = 0; k < height * width; ++k) {
    if (k > 0) text += k % width == 0 ? "; " : " ";
    const double scale = 1.0 / double(height * width);
    text += std::to_string(pick(random, 0, 4) == 0 ? 0.0 : double(pick(random, -9, 9)) / 5 * scale);
  }
  return two ? text + ";" : text;
}

struct Case {
  Config config;
  std::vector<Index> dims;
};

Case drawn_case(Random& random) {
  Case c;
  const Index rank = pick(random, 1, 3);
  for (Index i = 0; i < rank; ++i)
    c.dims.push_back(pick(random, 0, 2) == 0 ? pick(random, 1, 6) : pick(random, 7, 40));
  const bool two = rank > 1 && pick(random, 0, 2) > 0;
  StageConfig stage;
  stage.name = "stencil";
  const Index height = two ? pick(random, 1, 5) : 1, width = pick(random, 1, 5);
  stage.mask = read_mask(drawn_taps(random, height, width, two));
  if (pick(random, 0, 3) == 0 && two) stage.mask = read_mask("0 .1 0; .2 .4 .15; 0 .1 0");
  if (pick(random, 0, 3) == 0 && two) stage.mask = read_mask(".1 .2 .1; .05 .1 .07; .1 .2 .1");
  if (pick(random, 0, 5) == 0 && two) stage.mask = read_mask("0 .3 0; .2 0 .25; 0 .3 0");
  if (pick(random, 0, 3) == 0 && two) {
    stage.mask = read_mask(".1 .2 .1; .05 .1 .05; .1 .2 .1");
    stage.method = MethodRequest::separable;
  }
  if (!two) stage.axis = static_cast<int>(pick(random, 0, rank - 1));
  stage.boundary = {BoundaryRule(pick(random, 0, 4))};
  if (two) stage.boundary.push_back(BoundaryRule(pick(random, 0, 4)));
  stage.boundary_value = double(pick(random, -3, 3));
  stage.operation = Operation(pick(random, 0, 1));
  stage.steps = pick(random, 1, 13);
  c.config.stages = {stage};
  return c;
}

TEST(PipelineSteps, AnyStencilAndNumberOfStepsPerSweep) {
  Random random(1);
  const int count = testing::cases(250, 110);
  for (int i = 0; i < count && !::testing::Test::HasFatalFailure(); ++i) {
    Case c = drawn_case(random);
    const Index depth = pick(random, 0, 9);
    c.config.run.precision = PrecisionRequest::float32;
    check<float>(c.config, c.dims, depth);
    c.config.run.precision = PrecisionRequest::float64;
    check<double>(c.config, c.dims, depth);
  }
}

TEST(PipelineSteps, DecompositionsAsAsked) {
  const Communicator world(MPI_COMM_WORLD);
  Random random(2);
  const int count = testing::cases(40, 20);
  for (int i = 0; i < count && !::testing::Test::HasFatalFailure(); ++i) {
    Case c = drawn_case(random);
    c.config.run.precision = PrecisionRequest::float32;
    for (Index rows = 1; rows <= world.size(); ++rows) {
      if (world.size() % rows != 0) continue;
      c.config.run.decomposition = {rows, world.size() / rows};
      check<float>(c.config, c.dims, pick(random, 2, 7));
    }
  }
}

/// Blocks in which most points need no ghosts, with the steps per sweep that the plan chooses.
TEST(PipelineSteps, LargeBlocks) {
  Random random(4);
  for (const char* mask : {"0 .1 0; .2 .4 .15; 0 .1 0", ".1 .2 .1; .05 .1 .07; .1 .2 .1",
                           "0 .3 0; .2 0 .25; 0 .3 0", ".1 .2 .1; .05 .1 .05; .1 .2 .1"})
    for (const BoundaryRule rule : {BoundaryRule::reflect, BoundaryRule::mirror, BoundaryRule::wrap,
                                    BoundaryRule::constant}) {
      Case c = drawn_case(random);
      c.dims = {210, 330};
      c.config.stages[0].mask = read_mask(mask);
      c.config.stages[0].boundary = {rule};
      c.config.stages[0].axis.reset();
      c.config.stages[0].steps = pick(random, 12, 40);
      c.config.run.precision = PrecisionRequest::float32;
      check<float>(c.config, c.dims, 0, 100003);
      c.config.run.precision = PrecisionRequest::float64;
      check<double>(c.config, c.dims, 0, 100003);
    }
  for (const int axis : {0, 1, 2}) {  // signals along each axis
    Case c = drawn_case(random);
    c.dims = {31, 40, 600};
    c.config.stages[0].mask = read_mask(".3 .35 .25");
    c.config.stages[0].axis = axis;
    c.config.stages[0].boundary = {axis == 1 ? BoundaryRule::wrap : BoundaryRule::mirror};
    c.config.stages[0].steps = 40;
    c.config.run.precision = PrecisionRequest::float32;
    check<float>(c.config, c.dims, 0, 100003);
  }
}

/// The number of steps in a sweep is the number that the plan chooses for large volumes.
TEST(PipelineSteps, LargeVolumes) {
  Case c;
  c.dims = {60, 70, 80};
  StageConfig stage;
  stage.name = "stencil";
  stage.mask = read_mask("0 0 0; 0 .1 0; 0 0 0 | 0 .2 0; .1 .1 .1; 0 .2 0 | 0 0 0; 0 .1 0; 0 0 0");
  stage.method = MethodRequest::direct;
  stage.boundary = {BoundaryRule::wrap, BoundaryRule::mirror, BoundaryRule::nearest};
  stage.steps = 9;
  c.config.stages = {stage};
  c.config.run.precision = PrecisionRequest::float32;
  check<float>(c.config, c.dims, 0);
  c.config.run.precision = PrecisionRequest::float64;
  check<double>(c.config, c.dims, 0);
}

/// Masks of three axes, on arrays that are divided along each axis.
TEST(PipelineSteps, MasksOfThreeAxes) {
  Random random(5);
  const int count = testing::cases(60, 24);
  for (int i = 0; i < count && !::testing::Test::HasFatalFailure(); ++i) {
    Case c;
    for (int axis = 0; axis < 3; ++axis) c.dims.push_back(pick(random, 1, i % 3 == axis ? 40 : 12));
    StageConfig stage;
    stage.name = "stencil";
    const Index depth = pick(random, 2, 4), height = pick(random, 1, 4), width = pick(random, 1, 4);
    std::string text;
    for (Index k = 0; k < depth; ++k)
      text += (k > 0 ? " | " : "") + drawn_taps(random, height, width, false);
    if (i % 4 == 0) text = "0 0 0; 0 .1 0; 0 0 0 | 0 .2 0; .1 .1 .1; 0 .2 0 | 0 0 0; 0 .1 0; 0 0 0";
    stage.mask = read_mask(text);
    stage.method = MethodRequest::direct;
    stage.boundary.clear();
    for (int axis = 0; axis < 3; ++axis) stage.boundary.push_back(BoundaryRule(pick(random, 0, 4)));
    stage.boundary_value = double(pick(random, -3, 3));
    stage.steps = pick(random, 1, 9);
    c.config.stages = {stage};
    c.config.run.precision = PrecisionRequest::float32;
    check<float>(c.config, c.dims, pick(random, 0, 5));
    c.config.run.precision = PrecisionRequest::float64;
    check<double>(c.config, c.dims, pick(random, 0, 5));
  }
}

TEST(PipelineSteps, EveryVectorExtension) {
  if (testing::backend_under_test() != Backend::cpu) GTEST_SKIP() << "processors have these";
  Random random(3);
  for (const char* extension : {"baseline", "avx2", "avx512"}) {
    setenv("STENCIL_SIMD", extension, 1);
    try {
      cpu::vector_extension();
    } catch (const WordsError&) {
      continue;
    }
    for (int i = 0; i < 30 && !::testing::Test::HasFatalFailure(); ++i) {
      Case c = drawn_case(random);
      c.config.run.precision = PrecisionRequest::float64;
      check<double>(c.config, c.dims, pick(random, 0, 5));
    }
  }
  unsetenv("STENCIL_SIMD");
}

}  // namespace
}  // namespace stencil
