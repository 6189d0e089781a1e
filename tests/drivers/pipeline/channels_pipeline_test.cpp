// Multi-channel masks through plan and pipeline, on one to six ranks, compared with the formula in
// plain loops. Data and taps are small integers, so that all results are exact.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "drivers/config/kind_words.hpp"
#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/pipeline.hpp"
#include "drivers/plan/make/make_problem.hpp"
#include "framework/grid/error.hpp"
#include "io/probe.hpp"
#include "tests/support/backend.hpp"
#include "tests/support/plan_words.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using testing::facts_of;
using Random = std::mt19937_64;

Index pick(Random& random, Index low, Index high) {
  return std::uniform_int_distribution<Index>(low, high)(random);
}

/// Images `[n, channels, y, x]`.
struct Images {
  std::array<Index, 4> shape{};
  std::vector<double> values;
  explicit Images(const std::array<Index, 4>& s)
      : shape(s), values(static_cast<std::size_t>(s[0] * s[1] * s[2] * s[3])) {}
  double& at(Index n, Index c, Index y, Index x) {
    return values[((n * shape[1] + c) * shape[2] + y) * shape[3] + x];
  }
  /// The value at any index, for boundary `wrap` or `constant` with value 2.
  double beyond(Index n, Index c, Index y, Index x, bool wraps) const {
    const auto inside = [](Index i, Index extent) { return i >= 0 && i < extent; };
    const auto fold = [](Index i, Index extent) { return ((i % extent) + extent) % extent; };
    if (!wraps && (!inside(y, shape[2]) || !inside(x, shape[3]))) return 2;
    return values[((n * shape[1] + c) * shape[2] + fold(y, shape[2])) * shape[3] +
                  fold(x, shape[3])];
  }
};

/// One stage: a mask of four axes, or of two axes if `in` is 0.
struct MixStage {
  Index out = 1, in = 1, groups = 1, height = 1, width = 1;
  std::vector<double> taps;
  std::string operation = "correlate", extent = "same";
  bool wraps = true;
  std::array<Index, 2> origin{0, 0}, stride{1, 1};
  Index steps = 1;

  StageConfig words(const std::string& name) const {
    StageConfig stage;
    stage.name = "stencil." + name;
    stage.operation = meaning_of<Operation>(operation);
    stage.mask = read_mask(name + ".h5:/mask");
    stage.boundary = {wraps ? BoundaryRule::wrap : BoundaryRule::constant};
    stage.boundary_value = 2;
    stage.extent = meaning_of<Extent>(extent);
    stage.origin = {origin[0], origin[1]};
    stage.stride = {stride[0], stride[1]};
    stage.groups = groups;
    stage.steps = steps;
    return stage;
  }
  SmallArray file() const {
    if (in == 0) return {{height, width}, taps};
    return {{out, in, height, width}, taps};
  }

  /// Returns, along one axis, the first input under the mask for output 0, and the number of
  /// outputs.
  std::pair<Index, Index> placed(Index width_, Index origin_, Index stride_, Index n) const {
    const Index centre =
        operation == "convolve" ? width_ - 1 - (width_ / 2 + origin_) : width_ / 2 + origin_;
    if (extent == "valid") return {0, (n - width_) / stride_ + 1};
    if (extent == "full") return {1 - width_, (n + width_ - 2) / stride_ + 1};
    return {-centre, (n - 1) / stride_ + 1};
  }

  Images apply(const Images& input) const {
    const auto [first_y, ny] = placed(height, origin[0], stride[0], input.shape[2]);
    const auto [first_x, nx] = placed(width, origin[1], stride[1], input.shape[3]);
    const bool flat = in == 0;
    const Index outs = flat ? input.shape[1] : out, ins = flat ? 1 : in;
    Images result({input.shape[0], outs, ny, nx});
    for (Index n = 0; n < input.shape[0]; ++n)
      for (Index o = 0; o < outs; ++o)
        for (Index y = 0; y < ny; ++y)
          for (Index x = 0; x < nx; ++x) {
            double sum = 0;
            for (Index c = 0; c < ins; ++c)
              for (Index j = 0; j < height; ++j)
                for (Index i = 0; i < width; ++i) {
                  const bool flip = operation == "convolve";
                  const Index tj = flip ? height - 1 - j : j, ti = flip ? width - 1 - i : i;
                  const Index plane = flat ? 0 : o * in + c;
                  const Index from = flat ? o : o / (out / groups) * in + c;
                  sum += taps[(plane * height + tj) * width + ti] *
                         input.beyond(n, from, first_y + y * stride[0] + j,
                                      first_x + x * stride[1] + i, wraps);
                }
            result.at(n, o, y, x) = sum;
          }
    return result;
  }
};

MixStage random_stage(Random& random, Index channels, Index ny, Index nx) {
  MixStage s;
  // 0: all channels, 1: depthwise, 2: two groups, 3: a 2D mask
  const Index kind = pick(random, 0, 3);
  s.groups = kind == 1 ? channels : kind == 2 && channels % 2 == 0 ? 2 : 1;
  s.in = kind == 3 ? 0 : channels / s.groups;
  s.out = s.groups * pick(random, 1, 3);
  const char* extents[] = {"same", "valid", "full"};
  s.extent = extents[pick(random, 0, 2)];
  s.height = std::min(pick(random, 1, 5), s.extent == "valid" ? ny : 5);
  s.width = std::min(pick(random, 1, 7), s.extent == "valid" ? nx : 7);
  s.operation = pick(random, 0, 1) ? "correlate" : "convolve";
  s.wraps = pick(random, 0, 1) == 0;
  if (s.height > 2) s.origin[0] = pick(random, -1, 1);
  if (s.width > 2) s.origin[1] = pick(random, -1, 1);
  for (Index& stride : s.stride) stride = pick(random, 0, 2) ? 1 : pick(random, 2, 3);
  s.taps.resize(static_cast<std::size_t>((s.in == 0 ? 1 : s.out * s.in) * s.height * s.width));
  for (double& tap : s.taps) tap = double(pick(random, -2, 2));
  return s;
}

Problem plan_of(const std::vector<MixStage>& stages, const std::vector<Index>& dims, int ranks,
                const std::vector<Index>& decomposition = {}) {
  Config config;
  MaskFiles files;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    config.stages.push_back(stages[i].words("s" + std::to_string(i)));
    files[config.stages.back().mask.text] = stages[i].file();
  }
  config.run.precision = PrecisionRequest::float32;
  config.run.transport = testing::transport_under_test();
  config.run.decomposition = decomposition;
  return make_problem(config, facts_of(dims), files, ranks);
}

/// The whole output, with 0 at the points of other ranks.
std::vector<float> run_on(const Communicator& communicator, const Problem& plan, const Images& in) {
  Executor& executor = testing::executor_under_test(communicator.rank());
  Session session(communicator.handle(), executor, plan.transport);
  Pipeline<float> pipeline(session, plan.chain);
  Field<float> field = pipeline.make_input();
  const Box owned = plan.chain.stages.front().input.owned(communicator.rank());
  const Point shape = plan.input_form.shape();
  testing::HostMirror<float> mirror(executor, field);
  const FieldView<float> view = mirror.owned();
  for (Index b = 0; b < view.extent[0]; ++b)
    for (Index y = 0; y < view.extent[1]; ++y)
      for (Index x = 0; x < view.extent[2]; ++x)
        view.at(b, y, x) = static_cast<float>(
            in.values[((owned.first[0] + b) * shape[1] + owned.first[1] + y) * shape[2] +
                      owned.first[2] + x]);
  mirror.upload();
  Field<float> result = pipeline.run(std::move(field), [](Index) {});
  testing::HostMirror<float> fetched(executor, result);
  fetched.download();
  const Point all = plan.output_form.shape();
  std::vector<float> values(static_cast<std::size_t>(points(all)));
  const FieldView<float> out = fetched.owned();
  const Box box = plan.chain.stages.back().output.owned(communicator.rank());
  for (Index b = 0; b < out.extent[0]; ++b)
    for (Index y = 0; y < out.extent[1]; ++y)
      for (Index x = 0; x < out.extent[2]; ++x)
        values[((box.first[0] + b) * all[1] + box.first[1] + y) * all[2] + box.first[2] + x] =
            out.at(b, y, x);
  return values;
}

void check_chain(Random& random, int number) {
  const Communicator world(MPI_COMM_WORLD);
  const std::array<Index, 4> shape{pick(random, 1, 4), pick(random, 1, 6), pick(random, 5, 19),
                                   pick(random, 7, 40)};
  Images expected(shape);
  for (double& value : expected.values) value = double(pick(random, -4, 4));
  const Images input = expected;
  std::vector<MixStage> stages;
  for (Index k = pick(random, 1, 2); k > 0; --k) {
    stages.push_back(random_stage(random, expected.shape[1], expected.shape[2], expected.shape[3]));
    expected = stages.back().apply(expected);
  }
  const Problem plan = plan_of(stages, {shape.begin(), shape.end()}, world.size());
  const std::vector<Index> dims{expected.shape.begin(), expected.shape.end()};
  ASSERT_EQ(plan.output_form.dims(), dims) << "chain " << number;
  std::vector<float> found = run_on(world, plan, input);
  ASSERT_EQ(found.size(), expected.values.size()) << "chain " << number;
  MPI_Allreduce(MPI_IN_PLACE, found.data(), static_cast<int>(found.size()), MPI_FLOAT, MPI_SUM,
                MPI_COMM_WORLD);
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(double(found[i]), expected.values[i])
        << "chain " << number << " point " << i << " on " << world.size() << " ranks";
}

TEST(ChannelsPipeline, RandomChainsOfMasksOfTwoAndFourAxes) {
  Random random(21);
  const int count = testing::cases(150, 70);
  for (int number = 0; number < count; ++number) check_chain(random, number);
}

/// Every decomposition gives the same bits as one rank, for data whose sums are rounded.
TEST(ChannelsPipeline, TheSameBitsHoweverTheWorldIsCut) {
  const Communicator world(MPI_COMM_WORLD);
  const int ranks = world.size();
  Random random(22);
  MixStage mix = random_stage(random, 4, 20, 30);
  mix = {.out = 5, .in = 4, .height = 3, .width = 4, .taps = {}};
  std::normal_distribution<double> normal;
  for (int i = 0; i < 5 * 4 * 3 * 4; ++i) mix.taps.push_back(normal(random));
  Images input({3, 4, 20, 30});
  for (double& value : input.values) value = normal(random);
  const std::vector<Index> dims{3, 4, 20, 30};
  const Communicator alone(MPI_COMM_SELF);
  const std::vector<float> expected = run_on(alone, plan_of({mix}, dims, 1), input);
  for (const std::vector<Index>& grid :
       {std::vector<Index>{ranks}, {ranks, 1, 1}, {1, ranks, 1}, {1, 1, ranks}}) {
    std::vector<float> found = run_on(world, plan_of({mix}, dims, ranks, grid), input);
    MPI_Allreduce(MPI_IN_PLACE, found.data(), static_cast<int>(found.size()), MPI_FLOAT, MPI_SUM,
                  MPI_COMM_WORLD);
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(float)), 0)
        << "blocks " << grid.front() << " of " << grid.size();
  }
}

TEST(ChannelsPipeline, StepsEqualRepeatedApplication) {
  const Communicator world(MPI_COMM_WORLD);
  Random random(23);
  MixStage mix{.out = 3, .in = 3, .height = 3, .width = 3, .taps = {}, .steps = 3};
  for (int i = 0; i < 81; ++i) mix.taps.push_back(double(pick(random, -1, 1)));
  Images expected({2, 3, 11, 14});
  for (double& value : expected.values) value = double(pick(random, -2, 2));
  const Images input = expected;
  for (int n = 0; n < 3; ++n) expected = mix.apply(expected);
  std::vector<float> found = run_on(world, plan_of({mix}, {2, 3, 11, 14}, world.size()), input);
  MPI_Allreduce(MPI_IN_PLACE, found.data(), static_cast<int>(found.size()), MPI_FLOAT, MPI_SUM,
                MPI_COMM_WORLD);
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(double(found[i]), expected.values[i]) << i;
}

/// Inputs that are incompatible with the configuration are refused; the message names the key.
TEST(ChannelsPlan, RefusesWhatDoesNotFit) {
  const MixStage mix{
      .out = 4, .in = 3, .height = 1, .width = 1, .taps = std::vector<double>(12, 1)};
  const auto refused = [](
                           MixStage stage, const std::vector<Index>& dims, const std::string& word,
                           const std::function<void(Config&)>& change = [](Config&) {}) {
    Config config;
    config.stages = {stage.words("mix")};
    change(config);
    const MaskFiles files{{config.stages[0].mask.text, stage.file()}};
    try {
      make_problem(config, facts_of(dims), files, 1);
      ADD_FAILURE() << "accepted, but " << word;
    } catch (const WordsError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  EXPECT_EQ(plan_of({mix}, {3, 8, 8}, 1).output_form.dims(), (std::vector<Index>{4, 8, 8}));
  EXPECT_EQ(plan_of({mix}, {2, 5, 3, 8, 8}, 1).output_form.dims(),
            (std::vector<Index>{2, 5, 4, 8, 8}));
  refused(mix, {2, 4, 8, 8}, "take 3 channels, but there are 4");
  refused(mix, {8, 8}, "dataset of three or more");
  MixStage other = mix;
  other.groups = 3;
  refused(other, {2, 9, 8, 8}, "groups = 3 does not divide");
  other = mix;
  other.steps = 2;
  refused(other, {2, 3, 8, 8}, "steps = 2");
  refused(mix, {2, 3, 8, 8}, "separable",
          [](Config& c) { c.stages[0].method = MethodRequest::separable; });
  MixStage grouped = mix;
  grouped.groups = 2;
  refused(grouped, {2, 6, 8, 8}, "method = fft",
          [](Config& c) { c.stages[0].method = MethodRequest::fft; });
  refused(mix, {2, 3, 8, 8}, "axis means nothing", [](Config& c) { c.stages[0].axis = 1; });
  refused(mix, {2, 3, 8, 8}, "renormalize", [](Config& c) {
    c.missing.value = std::vector<ElementValue>{std::nan("")};
    c.missing.policy = MissingPolicy::renormalize;
  });
  refused(mix, {2, 3, 8, 8},
          "axis 1: in a chain with a mask of 4 axes, other masks run along the last two axes",
          [](Config& c) {
            StageConfig line;
            line.name = "stencil.line";
            line.mask = read_mask("1 2 1");
            line.axis = 1;
            c.stages.push_back(line);
          });
  MixStage flat{.in = 0, .groups = 2, .height = 1, .width = 3, .taps = {1, 2, 1}};
  refused(flat, {2, 4, 8, 8}, "groups = 2 means nothing");
}

}  // namespace
}  // namespace stencil
