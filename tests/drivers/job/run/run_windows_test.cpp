// Runs in windows of any thickness, several at a time or one after the other, compared with runs
// that compute all points at once: the bytes of the file are the same for any layout, type and
// number of ranks. The runs use the CPU, an executor whose memory is not the host's, or GPUs.
#include "drivers/job/run/run_windows.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "drivers/job/run/run.hpp"
#include "drivers/plan/make/make_problem.hpp"
#include "drivers/plan/split/passes.hpp"
#include "drivers/plan/split/windows.hpp"
#include "framework/grid/error.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/probe.hpp"
#include "io/write/lock/scratch_file.hpp"
#include "io/write/output/output_file.hpp"
#include "tests/io/shared_scratch.hpp"
#include "tests/support/backend.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/other_memory.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

using testing::Random;

/// A dataset of random shape, layout and type, and the configuration of a chain that filters it.
struct Job {
  std::vector<hsize_t> dims;
  testing::Storing storing;
  ElementType type = ElementType::float32;
  Config config;
  MaskFiles masks;

  explicit Job(Random& random) {
    // blocks of contiguous outputs have about 1 MiB, so only large datasets have several blocks
    const bool is_large = random.chance(5);
    const int axes = static_cast<int>(random.pick(1, 4));
    const Index most = is_large ? 900'000 : 20'000;
    Index room = random.pick(most / 4, most);
    for (int axis = 0; axis < axes; ++axis) {
      const Index extent =
          axis == axes - 1 ? room : std::min(room, random.pick(1, axis == 0 ? 300 : 30));
      dims.push_back(static_cast<hsize_t>(std::max<Index>(1, extent)));
      room = std::max<Index>(1, room / extent);
    }
    if (axes > 1 && random.chance(2)) std::swap(dims.front(), dims.back());
    type = random.any_of<ElementType>({ElementType::float32, ElementType::float64,
                                       ElementType::int16, ElementType::uint8, ElementType::int64});
    storing.file_type = storage::native_type(type);
    if (random.chance(2)) storing.chunk = random_chunk(random);
    if (!storing.chunk.empty() && random.chance(2)) storing.gzip = 1;
    config = testing::config_of("1");
    config.stages.clear();
    if (dims.size() > 2 && dims[dims.size() - 3] <= 40 && random.chance(2)) add_channels(random);
    for (Index count = random.pick(masks.empty() ? 1 : 0, 2); count > 0; --count) add_stage(random);
    if (!is_large) {
      const auto chunk = random_chunk(random);
      config.output.chunk.assign(chunk.begin(), chunk.end());
      config.output.gzip_level = static_cast<int>(random.pick(0, 1));
    }
    if (random.chance(4)) config.output.dtype = ElementType::int16;
    if (random.chance(4)) config.missing.value = std::vector{parse_element_value("5")};
    if (random.chance(8)) config.output.verify = Verification::none;
  }

  void write(const testing::Scratch& scratch) const {
    const auto file = testing::create_file(scratch / "in.h5");
    testing::write_dataset(file, "x", dims, storing, [](Index i) { return double(i * 37 % 101); });
  }

 private:
  std::vector<hsize_t> random_chunk(Random& random) const {
    std::vector<hsize_t> chunk;
    for (const hsize_t extent : dims)
      chunk.push_back(static_cast<hsize_t>(
          random.chance(3) ? Index(extent) : random.pick(1, std::min<Index>(Index(extent), 40))));
    // limits the number of chunks along each axis
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
      if (dims[axis] / chunk[axis] > 40) chunk[axis] = dims[axis] / 40 + 1;
    return chunk;
  }
  /// A mask of four axes, in which the third axis from the end is that of channels.
  void add_channels(Random& random) {
    const auto in = static_cast<Index>(dims[dims.size() - 3]);
    const std::vector<Index> shape{random.pick(1, 3), in, random.pick(1, 3), random.pick(1, 2)};
    SmallArray mask{shape, {}};
    for (Index k = shape[0] * in * shape[2] * shape[3]; k > 0; --k)
      mask.values.push_back(double(random.pick(-3, 4)));
    StageConfig stage = testing::config_of("m.h5:/mask").stages.front();
    stage.name = "stencil.mixed";
    stage.boundary = {static_cast<BoundaryRule>(random.pick(0, 4))};
    if (shape[0] == in && random.chance(2)) stage.steps = 2;
    masks["m.h5:/mask"] = mask;
    config.stages.push_back(stage);
  }
  void add_stage(Random& random) {
    const bool is_volume = dims.size() > 2 && masks.empty() && random.chance(2);
    const bool is_grid = is_volume || (dims.size() > 1 && (!masks.empty() || random.chance(2)));
    StageConfig stage =
        testing::config_of(
            is_volume ? random.any_of<std::string>({"1 2; 3 -4 | 0 1; 2 0 | 1 1; 0 -1", "box"})
            : is_grid ? random.any_of<std::string>({"1 2 1; 2 4 2; 1 2 1", "1 2; 3 -4; 5 6"})
                      : random.any_of<std::string>({"1 2 1", "1", "2 -1 3 1", "1 0 0 0 0 0 1"}))
            .stages.front();
    if (is_volume) {
      const auto last = static_cast<int>(dims.size());
      stage.parameters.size = {3};
      stage.axes = {last - 3, last - 2, last - 1};
    }
    stage.name = "stencil.s" + std::to_string(config.stages.size());
    stage.boundary = {static_cast<BoundaryRule>(random.pick(0, 4))};
    if (!is_grid) stage.axis = static_cast<int>(random.pick(0, std::ssize(dims) - 1));
    if (random.chance(4)) stage.stride = {random.pick(1, 3)};
    if (random.chance(4)) stage.extent = random.chance(2) ? Extent::valid : Extent::full;
    if (stage.stride.front() == 1 && stage.extent == Extent::same && random.chance(4))
      stage.steps = random.pick(2, 3);
    config.stages.push_back(stage);
  }
};

/// Returns the number of images, if a stage computes each output channel from all channels of its
/// image; otherwise 0.
Index mixed_images(const Problem& plan) {
  for (const BoundStage& stage : plan.chain.stages)
    if (stage.channels) return stage.input.shape()[batch_axis] / stage.channels->channels();
  return 0;
}

/// Returns random windows that end only at positions at which windows may end.
Windows random_windows(const Problem& plan, Random& random) {
  Windows windows;
  const Point& shape = plan.chain.output_shape();
  const Index images = mixed_images(plan);
  const bool cuts_images = images == 1 || (images > 1 && random.chance(2));
  if (images > 1) windows.group = shape[batch_axis] / images;
  if (cuts_images) windows = {.axis = y_axis};
  while (images == 0 && windows.axis < x_axis && shape[windows.axis] == 1) ++windows.axis;
  const Index count = shape[windows.axis];
  const auto in_groups = [&](Index outputs) {
    return (outputs - 1) / windows.group * windows.group + windows.group;
  };
  // the windows are computed one after the other
  if (random.chance(images > 1 ? 2 : 4) || cuts_images || plan.output_form.volumes() > 1) {
    windows.outputs = in_groups(random.pick(1, count));
    return windows;
  }
  windows.unit = std::lcm(whole_blocks(plan.output, windows.axis), windows.group);
  const Index units = (count - 1) / windows.unit + 1;
  windows.outputs = windows.unit * random.pick(1, std::min<Index>(units, 1 + units / 3));
  if (random.chance(3)) windows.outputs = in_groups(random.pick(1, count));
  windows.at_a_time = static_cast<int>(random.pick(1, 4));
  windows.threads = static_cast<int>(random.pick(1, 2));
  if (!plan.input.chunk.empty()) windows.kept_chunk_bytes = random.pick(1, 40'000);
  return windows;
}

/// The problem of a job; std::nullopt if the job is refused, for example because a mask is wider
/// than its axis.
std::optional<Problem> problem_of(const Job& job, const testing::Scratch& scratch, int ranks) {
  Config config = job.config;
  config.input.file = scratch / "in.h5";
  config.input.dataset = "/x";
  config.output.dataset = "/x";
  config.output.file = scratch / "whole.h5";
  config.output.overwrite = true;
  try {
    Problem problem = make_problem(config, probe_dataset(config.input.file, config.input.dataset),
                                   job.masks, ranks, testing::backend_under_test());
    if (points(problem.chain.output_shape()) == 0) return std::nullopt;
    return problem;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::words) << error.what();
    return std::nullopt;
  }
}

/// Number of random jobs of each test: 50, or the number in STENCIL_TEST_CASES.
unsigned number_of_cases() {
  const char* const wanted = std::getenv("STENCIL_TEST_CASES");
  return wanted ? static_cast<unsigned>(std::atoi(wanted)) : 50;
}

/// Jobs of several sweeps, divided at random into passes, each in random windows.
TEST(RunWindows, AnyJobInPasses) {
  const Communicator world(MPI_COMM_WORLD);
  const auto scratch = testing::shared_scratch(world);
  Session session(MPI_COMM_WORLD, testing::executor_under_test(world.rank()));
  unsigned tried = 0, more_than_two = 0;
  const unsigned cases = number_of_cases();
  for (unsigned number = 0; number < cases; ++number) {
    Random random(5000 + number);
    Job job(random);
    for (StageConfig& stage : job.config.stages)
      if (stage.stride.front() == 1 && stage.extent == Extent::same &&
          stage.mask.text.find(".h5") == std::string::npos)
        stage.steps = random.pick(1, 5);
    world.agree([&] {
      if (world.rank() == 0) job.write(*scratch);
    });
    std::optional<Problem> problem;
    world.agree([&] { problem = problem_of(job, *scratch, world.size()); });
    if (!problem) continue;
    const Index sweeps = problem->chain.steps();
    if (sweeps < 2 || problem->input_form.volumes() > 1) continue;
    Passes passes;
    for (Index first = 0; first < sweeps;) {
      const Index last = random.pick(first + 1, first == 0 ? sweeps - 1 : sweeps);
      passes.push_back(pass_of(*problem, first, last));
      passes.back().windows = random_windows(passes.back(), random);
      first = last;
    }
    ++tried;
    more_than_two += passes.size() > 2;
    const RunSummary whole = run_plan(session, Plan(*problem));
    problem->output.file = *scratch / "windows.h5";
    passes.back().output.file = problem->output.file;
    const RunSummary parts = run_plan(session, Plan(*problem, passes));
    if (world.rank() == 0) {
      EXPECT_EQ(parts.missing_in, whole.missing_in) << number;
      EXPECT_TRUE(testing::bytes_of(*scratch / "windows.h5") ==
                  testing::bytes_of(*scratch / "whole.h5"))
          << number << ": " << passes.size() << " passes";
      for (const int n : {0, 1})
        EXPECT_FALSE(std::filesystem::exists(scratch_name(problem->output.file, n))) << number;
    }
    world.barrier();
  }
  if (world.rank() == 0) {
    EXPECT_EQ(std::filesystem::path(scratch_name(*scratch / "o.h5", 1)).filename(),
              ".o.h5.stencil-scratch1");
    std::filesystem::copy(*scratch / "in.h5", scratch_name(*scratch / "o.h5", 0));
    EXPECT_THROW(require_not_scratch(*scratch / "o.h5", scratch_name(*scratch / "o.h5", 0)),
                 WordsError);
    require_not_scratch(*scratch / "o.h5", *scratch / "in.h5");
  }
  EXPECT_GT(tried, cases / 4);
  EXPECT_GT(more_than_two, cases / 16);
}

TEST(RunWindows, AnyJobInAnyWindows) {
  const unsigned cases = number_of_cases();
  const Communicator world(MPI_COMM_WORLD);
  const auto scratch = testing::shared_scratch(world);
  testing::OtherMemory other;
  Session session(MPI_COMM_WORLD, testing::executor_under_test(world.rank())),
      elsewhere(MPI_COMM_WORLD, other);
  unsigned tried = 0, side_by_side = 0, mixed = 0, volumes = 0;
  for (unsigned number = 0; number < cases; ++number) {
    Random random(number);
    const Job job(random);
    world.agree([&] {
      if (world.rank() == 0) job.write(*scratch);
    });
    std::optional<Problem> problem;
    world.agree([&] { problem = problem_of(job, *scratch, world.size()); });
    if (!problem) continue;
    ++tried;
    mixed += !job.masks.empty();
    volumes += job.config.stages.front().axes.size() == 3;
    const RunSummary whole = run_plan(session, Plan(*problem));
    const Windows in = random_windows(*problem, random);
    side_by_side += in.at_a_time > 1;
    problem->output.file = *scratch / "windows.h5";
    const bool is_elsewhere = testing::backend_under_test() == Backend::cpu && random.chance(3);
    const RunSummary windows = run_plan(is_elsewhere ? elsewhere : session, Plan(*problem, in));
    if (world.rank() == 0) {
      EXPECT_EQ(windows.missing_in, whole.missing_in) << number;
      EXPECT_EQ(windows.output.missing, whole.output.missing) << number;
      EXPECT_EQ(windows.output.saturated, whole.output.saturated) << number;
      EXPECT_TRUE(testing::bytes_of(*scratch / "windows.h5") ==
                  testing::bytes_of(*scratch / "whole.h5"))
          << number << ": windows of " << in.outputs << " of "
          << problem->chain.output_shape()[in.axis] << ", " << in.at_a_time
          << " at a time, in units of " << in.unit;
    }
    world.barrier();
  }
  EXPECT_GT(tried, cases / 2);
  EXPECT_GT(side_by_side, cases / 4);
  EXPECT_GT(mixed, cases / 20);
  EXPECT_GT(volumes, cases / 50);
}

}  // namespace
}  // namespace stencil
