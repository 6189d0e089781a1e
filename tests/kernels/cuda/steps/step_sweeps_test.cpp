// Several steps in one sweep on a GPU compared with single steps on a CPU, bit for bit, including
// the guards around the target.

#include "kernels/cuda/steps/step_sweeps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "framework/device/cuda/cuda_executor.hpp"
#include "kernels/generated/compiled_kernel.hpp"
#include "tests/kernels/cuda/twin_grid.hpp"
#include "tests/kernels/step_cases.hpp"

namespace stencil {
namespace {

using namespace testing;

enum class Taps { all, star, sparse, separable };

/// A kind of mask, and the numbers of steps in one sweep to be tested.
struct Kind {
  Index height, width;
  Taps taps = Taps::all;
  std::vector<Index> depths;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{{3, 3, Taps::star, {16, 1, 3, 6}},
                                     {3, 3, Taps::all, {12, 5}},
                                     {3, 3, Taps::separable, {16, 2}},
                                     {1, 3, Taps::all, {32, 7}},
                                     {3, 1, Taps::all, {16, 4}},
                                     {5, 5, Taps::star, {8, 3}},
                                     {5, 5, Taps::all, {4}},
                                     {5, 3, Taps::sparse, {6}},
                                     {7, 7, Taps::star, {6, 2}},
                                     {3, 7, Taps::separable, {5}},
                                     {1, 9, Taps::all, {4}},
                                     {9, 1, Taps::sparse, {5}},
                                     {9, 9, Taps::sparse, {3}},
                                     {9, 5, Taps::separable, {3}}};
  return all;
}

/// A centred mask that does not amplify the points.
Mask mask_of(Random& random, const Kind& kind, double scale = 1) {
  std::normal_distribution<double> normal;
  const auto drawn = [&](Index count) {
    std::vector<double> taps;
    for (Index k = 0; k < count; ++k)
      taps.push_back(scale * (normal(random) < 0 ? -1 : 1) * (0.8 + double(k % 4) * 0.07) /
                     double(count));
    return taps;
  };
  const auto [height, width, taps, depths] = kind;
  if (taps == Taps::separable) return Mask::outer(drawn(height), drawn(width));
  if (height == 1 && taps == Taps::all) return Mask::line(drawn(width));
  if (width == 1 && taps == Taps::all) return Mask::line(drawn(height), y_axis);
  std::vector<double> values = drawn(height * width);
  for (Index k = 0; k < height * width; ++k) {
    const bool on_axis = k / width == height / 2 || k % width == width / 2;
    if ((taps == Taps::star && !on_axis) || (taps == Taps::sparse && (7 * k + k / width) % 3 == 0))
      values[std::size_t(k)] = 0;
  }
  if (taps == Taps::sparse) values[0] = scale * 0.1;
  Mask mask = Mask::grid(std::move(values), height, width);
  mask.multiply_zeros = false;
  return mask;
}

cuda::StepStreams streams_of(const cuda::CudaExecutor& executor) {
  return {executor.stream(Lane::exchange), executor.stream(Lane::work)};
}

template <class T>
class GpuSteps : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::have_gpu()) GTEST_SKIP() << "no GPU here: the CUDA kernels were not run";
    executor_ = std::make_unique<cuda::CudaExecutor>(0);
  }

  StepCase case_of(const Kind& kind, Index steps, const Point& world) {
    StepCase c;
    c.mask = mask_of(random_, kind);
    c.method = kind.taps == Taps::separable ? Method::separable : Method::direct;
    c.world = world;
    c.block = make_box(world);
    c.rule = {BoundaryRule::wrap, rules[pick(random_, 0, 4)], rules[pick(random_, 0, 4)]};
    c.value = double(pick(random_, -2, 2)) / 4;
    c.steps = steps;
    return c;
  }

  /// Draws a block of the whole array (the world): along each axis the whole extent or any part.
  void draw_block(StepCase& c) {
    for (int axis = 0; axis < axes; ++axis) {
      if (pick(random_, 0, 1) == 0) continue;
      const Index first = pick(random_, 0, c.world[axis] - 1);
      c.block.set(axis, {first, pick(random_, first + 1, c.world[axis])});
    }
  }

  void check(const StepCase& c, Index wild = 0) { check(c, drawn<T>(random_, c.world, wild)); }

  /// Advances the block from exactly the points that StepCase::reads() lists, with NaN around these
  /// points, in fields and in views with any alignment.
  void check(const StepCase& c, const Grid<T>& start) {
    const auto stencil = make_stencil<T>(c.mask, c.method, {1, 1}, {});
    const Grid<T> world = step_by_step(c, stencil, start);
    const Box box = c.reads();
    const Grid<T> ghosted = with_ghosts(c, start, box, T(0));
    constexpr Index line = 64 / sizeof(T);
    const Index left = c.block.first[2] - box.first[2];
    const Index ahead = (left + 2 * line - 1) / line * line;  // at least one cache line
    for (const Placement from : {Placement{ahead - left, 5, line}, Placement{3, 4, 1}}) {
      const Placement to = from.multiple > 1 ? Placement{line, 0, line} : Placement{1, 3, 1};
      const T guard = T(77);
      TwinGrid<T> source(box.extent(), std::numeric_limits<T>::quiet_NaN(), from);
      source.set([&](Index b, Index y, Index x) { return ghosted.read().at(b, y, x); });
      source.upload();
      TwinGrid<T> expected(c.block.extent(), guard, to), found(c.block.extent(), guard, to);
      expected.set([&](Index b, Index y, Index x) {
        return world.read().at(b + c.block.first[0], y + c.block.first[1], x + c.block.first[2]);
      });
      found.upload();
      cuda::StepSweeps<T>(stencil).advance(c.edges(), c.steps,
                                           c.block_in(FieldView<const T>(source.on_device())),
                                           found.on_device(), streams_of(*executor_));
      executor_->synchronize();
      found.download();
      if (std::memcmp(found.host.data(), expected.host.data(), found.host.size() * sizeof(T)) == 0)
        continue;
      std::size_t differing = 0, first = 0;
      for (std::size_t k = found.host.size(); k-- > 0;)
        if (std::memcmp(&found.host[k], &expected.host[k], sizeof(T)) != 0) ++differing, first = k;
      ADD_FAILURE() << c.text() << (from.multiple > 1 ? " in fields: " : " anywhere: ") << differing
                    << " elements differ, first element " << first << ": expected "
                    << expected.host[first] << " found " << found.host[first];
    }
  }

  Random random_{77};

 private:
  std::unique_ptr<cuda::CudaExecutor> executor_;
};

using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GpuSteps, Types);

/// More than one strip, and parts of the outputs that end in one strip and begin in the next.
TYPED_TEST(GpuSteps, ManyStripsAndParts) {
  for (const Kind& kind : kinds())
    for (const Index steps : kind.depths)
      for (const Point& world : {Point{1, 900, 2003}, Point{2, 401, 440}, Point{5, 37, 1000}}) {
        StepCase c = this->case_of(kind, steps, world);
        this->check(c, 100000);
        c.rule = {BoundaryRule::wrap, BoundaryRule::wrap, BoundaryRule::wrap};
        this->draw_block(c);
        this->check(c);
      }
}

TYPED_TEST(GpuSteps, EveryRuleOnEveryEdge) {
  for (const BoundaryRule along_y : rules)
    for (const BoundaryRule along_x : rules)
      for (const std::size_t k : {0, 5, 8, 12}) {
        const Kind& kind = kinds()[k];
        StepCase c = this->case_of(kind, kind.depths[0], {1, 170, 450});
        c.rule = {BoundaryRule::wrap, along_y, along_x};
        this->check(c);
      }
}

/// Arrays that are smaller than the reach of a sweep, down to one point, computed by kernels that
/// were compiled in advance.
TYPED_TEST(GpuSteps, SmallWorlds) {
  for (int i = 0; i < 200; ++i) {
    const Kind& kind = kinds()[std::size_t(i) % kinds().size()];
    StepCase c = this->case_of(
        kind, pick(this->random_, 1, kind.depths[0]),
        {pick(this->random_, 1, 3), pick(this->random_, 1, 40), pick(this->random_, 1, 40)});
    this->draw_block(c);
    this->check(c, i % 2 * 300);
  }
}

/// Large arrays that are narrower than the reach of a sweep, with kernels compiled for the mask.
TYPED_TEST(GpuSteps, NarrowWorlds) {
  for (const std::size_t k : {0, 5, 8, 12})
    for (const Point& world : {Point{3, 9000, 3}, Point{9, 2, 4000}, Point{20000, 2, 2}}) {
      const Kind& kind = kinds()[k];
      StepCase c = this->case_of(kind, kind.depths[0], world);
      this->check(c, 3000);
    }
}

/// A single signal, a stack of signals, and planes of short rows.
TYPED_TEST(GpuSteps, LongLines) {
  for (const Point& world : {Point{1, 1, 140000}, Point{40, 1, 3001}, Point{3, 150, 700}})
    for (const std::size_t k : {3, 10})
      for (const Index steps : kinds()[k].depths) {
        StepCase c = this->case_of(kinds()[k], steps, world);
        this->check(c, 50000);
        this->draw_block(c);
        this->check(c);
        c.rule = {BoundaryRule::wrap, BoundaryRule::wrap, BoundaryRule::wrap};
        this->check(c);
      }
}

/// A full mask in which some taps are 0 and are not skipped.
TYPED_TEST(GpuSteps, ZerosThatAreMultiplied) {
  StepCase c = this->case_of(kinds()[0], 8, {1, 264, 400});
  c.mask.multiply_zeros = true;
  this->check(c, 500);
}

TYPED_TEST(GpuSteps, NeedsNoCompiler) {
  setenv("STENCIL_GENERATED_KERNELS", "off", 1);
  for (const Kind& kind : kinds()) this->check(this->case_of(kind, kind.depths[0], {1, 330, 300}));
  unsetenv("STENCIL_GENERATED_KERNELS");
}

/// An empty folder for compiled kernels.
class EmptyCache {
 public:
  EmptyCache() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "stencil_steps_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~EmptyCache() {
    unsetenv("XDG_CACHE_HOME");
    std::filesystem::remove_all(folder_);
  }
  EmptyCache(const EmptyCache&) = delete;
  EmptyCache& operator=(const EmptyCache&) = delete;
  bool is_empty() const { return std::filesystem::is_empty(folder_); }

 private:
  std::filesystem::path folder_;
};

/// Kernels are neither compiled nor loaded again for another stencil with the same mask, for
/// example in the next call of a function of the Python module.
TEST(GpuStepsKernels, StayLoaded) {
  if (!cuda::have_gpu()) GTEST_SKIP() << "no GPU here: the CUDA kernels were not run";
  cuda::CudaExecutor executor(0);
  Random random(11);
  const auto stencil = make_stencil<float>(mask_of(random, {7, 5, Taps::separable, {}}),
                                           Method::separable, {1, 1}, {});
  const Point world{1, 400, 520};
  const StepAxis y{{0, world[1]}, BoundaryRule::reflect, 3, 3},
      x{{0, world[2]}, BoundaryRule::reflect, 2, 2};
  TwinGrid<float> source(world, 0, {}), target(world, 0, {});
  source.upload();
  const auto advance = [&] {
    cuda::StepSweeps<float>(stencil).advance({.axis = {y, x}}, 3, source.on_device(),
                                             target.on_device(), streams_of(executor));
    executor.synchronize();
  };
  {
    const EmptyCache cache;
    advance();
    EXPECT_NE(cache.is_empty(), generated::can_generate());
  }
  const EmptyCache cache;
  advance();
  EXPECT_TRUE(cache.is_empty());
}

TEST(GpuStepsRefusals, OtherMasksAndDeeperSweepsAreNoneOfTheirs) {
  const StepAxis centred{{0, 9}, BoundaryRule::reflect, 1, 1}, beside{{0, 9}, {}, 0, 2};
  const auto refuses = [](const Mask& mask, Method method, const StepEdges& edges, Index steps) {
    const auto stencil = make_stencil<float>(mask, method, {1, 1}, {});
    EXPECT_THROW(cuda::StepSweeps<float>(stencil).advance(edges, steps, {}, {}, {}),
                 std::logic_error);
  };
  Random random(1);
  const Mask nine = mask_of(random, {3, 3, Taps::all, {}});
  refuses(nine, Method::direct, {.axis = {centred, centred}}, 33);
  refuses(nine, Method::direct, {.axis = {centred, beside}}, 4);
  Mask gap = Mask::outer({1, 0, 1}, {1, 2, 1});
  gap.multiply_zeros = false;
  refuses(gap, Method::separable, {.axis = {centred, centred}}, 2);
  const StepAxis wide{{0, 9}, {}, 5, 5}, none{{0, 9}, {}, 0, 0};
  refuses(mask_of(random, {1, 11, Taps::all, {}}), Method::direct, {.axis = {none, wide}}, 2);
}

/// Products that underflow, some to -0, in the second and in the first of two steps.
TEST(GpuStepsUnderflow, ZerosHaveNoSign) {
  if (!cuda::have_gpu()) GTEST_SKIP() << "no GPU here: the CUDA kernels were not run";
  cuda::CudaExecutor executor(0);
  Random random(5);
  std::normal_distribution<double> normal;
  for (const Kind& kind : kinds())
    for (const double size : {1e-160, 1e-80}) {
      const Mask mask = mask_of(random, kind, size);
      const bool factors = kind.taps == Taps::separable;
      const auto stencil =
          make_stencil<double>(mask, factors ? Method::separable : Method::direct, {1, 1}, {});
      const Point world{1, 340, 200};
      TwinGrid<double> source(world, 0, {}), target(world, 77, {});
      source.set([&](Index, Index, Index) { return 1e-170 * normal(random); });
      source.upload();
      const Index above = stencil.height / 2, beside = stencil.width / 2;
      const StepAxis y{{0, world[1]}, BoundaryRule::reflect, above, above};
      const StepAxis x{{0, world[2]}, BoundaryRule::mirror, beside, beside};
      cuda::StepSweeps<double>(stencil).advance({.axis = {y, x}}, 2, source.on_device(),
                                                target.on_device(), streams_of(executor));
      executor.synchronize();
      target.download();
      for (Index i = 0; i < world[1]; ++i)
        for (Index k = 0; k < world[2]; ++k) {
          const double found = target.on_host().at(0, i, k);
          ASSERT_TRUE(found == 0 && !std::signbit(found)) << found;
        }
    }
}

}  // namespace
}  // namespace stencil
