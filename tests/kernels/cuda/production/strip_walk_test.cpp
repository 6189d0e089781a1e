// GPU kernels that are generated for random masks and whose warps walk down strips: their outputs,
// and the memory around the outputs, equal those of convolve_cpu bit for bit.
// `STENCIL_GENERATED_MASKS` is the number of masks, `STENCIL_GENERATED_SEED` their seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <thread>

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/grid/error.hpp"
#include "kernels/bind/bind_stencil.hpp"
#include "kernels/cuda/production/choice.hpp"
#include "kernels/generated/nvrtc.hpp"
#include "kernels/generated/strip_spec.hpp"
#include "tests/kernels/cuda/twin_grid.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::Placement;
using testing::TwinGrid;

int number_from(const char* variable, int otherwise) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? otherwise : std::atoi(value);
}

template <class T>
class StripWalk : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::have_gpu()) GTEST_SKIP() << "no GPU here: the generated kernels were not run";
    if (generated::Nvrtc::find() == nullptr) GTEST_SKIP() << "libnvrtc cannot be loaded here";
  }

  /// Random numbers of very different size; few are infinite, -0, or NaN with different payloads.
  double wild() {
    const unsigned kind = random() % 3000;
    if (kind == 0) return std::numeric_limits<double>::infinity();
    if (kind == 1) return std::nan("");
    if (kind == 2) return -std::nan("77");
    if (kind == 3) return -0.0;
    return normal(random) * std::pow(10.0, int(random() % 9) - 4);
  }

  Index pick(int most) { return Index(random() % unsigned(most)) + 1; }

  Stencil<T> drawn() {
    const int kind = int(random() % 4);
    const Index height = kind == 0 ? 1 : pick(kind == 1 ? 40 : 15);
    const Index width = kind == 1 ? 1 : pick(kind == 0 ? 50 : 15);
    const unsigned zeros = random() % 2 == 0 ? 0 : random() % 90;
    Mask mask = testing::drawn_mask(
        height, width, false, [&] { return random() % 100 < zeros ? 0.0 : normal(random) + 0.3; });
    mask.multiply_zeros = random() % 2 == 0;
    return make_stencil<T>(mask, Method::direct, {1, 1}, {});
  }

  /// Rows whose distance is a multiple of 32 bytes; points begin anywhere in them.
  Placement drawn_placement() {
    const Index sector = 32 / Index(sizeof(T));
    return {Index(random() % unsigned(2 * sector)), Index(random() % 5),
            sector * (1 + Index(random() % 3))};
  }

  void check(const Stencil<T>& stencil, const Point& extent, const Placement& from,
             const Placement& to) {
    const T guard = T(-12345.5);
    const bool tame = random() % 2 == 0;
    TwinGrid<T> source(testing::inputs_for(stencil, extent), T(1e30), from);
    source.set([&](Index, Index, Index) { return tame ? normal(random) : wild(); });
    source.upload();
    TwinGrid<T> expected(extent, guard, to), found(extent, guard, to);
    convolve_cpu<T>(stencil, source.on_host(), expected.on_host());
    found.upload();
    const auto sweep = cuda::make_arguments<T>(stencil, {}, source.on_device(), found.on_device());
    ASSERT_TRUE(cuda::fits_strip_walk(sweep, stencil));
    cuda::launch_strip_walk(sweep, stencil, nullptr);
    found.download();
    testing::expect_same(expected, found,
                         fmt::format("{} x {} on {}, leads {} and {}", stencil.height,
                                     stencil.width, to_string(extent), from.lead, to.lead));
  }

  std::mt19937 random{unsigned(number_from("STENCIL_GENERATED_SEED", 5))};
  std::normal_distribution<double> normal;
};

using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(StripWalk, Types);

TYPED_TEST(StripWalk, RandomMasksOnRandomLayouts) {
  const std::vector<Point> extents{{1, 70, 1000}, {2, 41, 900},  {1, 710, 97}, {1, 130, 513},
                                   {3, 33, 1031}, {1, 1, 70001}, {1, 260, 256}};
  const int masks = number_from("STENCIL_GENERATED_MASKS", 12);
  for (int tried = 0, shape = 0; tried < masks;) {
    const auto stencil = this->drawn();
    if (!generated::has_strip_walk(stencil)) continue;
    ++tried;
    const Index sector = 32 / Index(sizeof(TypeParam)), width = stencil.width;
    const Placement in_field{(4 * sector - width / 2 % sector) % sector, 3, 2 * sector};
    this->check(stencil, extents[unsigned(shape++) % extents.size()], in_field,
                {2 * sector, 5, 2 * sector});
    if (tried % 3 == 0)
      this->check(stencil, extents[unsigned(shape++) % extents.size()], this->drawn_placement(),
                  this->drawn_placement());
  }
}

TYPED_TEST(StripWalk, FitsOnlyAlignedViewsOfManyPoints) {
  using T = TypeParam;
  const auto stencil =
      make_stencil<T>(testing::drawn_mask(7, 5, false, [&] { return this->normal(this->random); }),
                      Method::direct, {1, 1}, {});
  const auto fits = [&](const Point& extent, const Placement& from, const Placement& to) {
    TwinGrid<T> source(testing::inputs_for(stencil, extent), T(1), from);
    TwinGrid<T> target(extent, T(2), to);
    return cuda::fits_strip_walk(
        cuda::make_arguments<T>(stencil, {}, source.on_device(), target.on_device()), stencil);
  };
  const Index sector = 32 / Index(sizeof(T));
  EXPECT_TRUE(fits({1, 100, 1000}, {0, 0, sector}, {0, 0, sector}));
  EXPECT_FALSE(fits({1, 100, 1000}, {0, 1, 1}, {0, 0, sector})) << "inputs";
  EXPECT_FALSE(fits({1, 100, 1000}, {0, 0, sector}, {0, 1, 1})) << "outputs";
  EXPECT_FALSE(fits({1, 10, 1000}, {0, 0, sector}, {0, 0, sector})) << "too few points";
}

/// The parts of the outputs are computed in the same way as by a rank: the inner part first, then
/// the rims from a separate thread. Some rims are too small for a generated kernel.
TYPED_TEST(StripWalk, HasTheBitsOfTheWholeInAnyParts) {
  using T = TypeParam;
  Mask mask = testing::drawn_mask(5, 9, false, [&] { return this->normal(this->random); });
  const auto stencil = make_stencil<T>(mask, Method::direct, {1, 1}, {});
  const Point extent{2, 300, 1100};
  const Index line = 64 / Index(sizeof(T));
  TwinGrid<T> source(testing::inputs_for(stencil, extent), T(1e30), {line - 4, 0, line});
  source.set([&](Index, Index, Index) { return this->wild(); });
  source.upload();
  TwinGrid<T> expected(extent, T(7), {line, 3, line}), found(extent, T(7), {line, 3, line});
  convolve_cpu<T>(stencil, source.on_host(), expected.on_host());
  found.upload();
  const std::vector<Box> parts{{{0, 2, 5}, {2, 297, 1091}},
                               {{0, 0, 0}, {2, 2, 1100}},
                               {{0, 297, 0}, {2, 300, 1100}},
                               {{0, 2, 0}, {2, 297, 5}},
                               {{0, 2, 1091}, {2, 297, 1100}}};
  std::thread([&] {
    cuda::CudaExecutor executor(0);
    executor.enter_thread();
    const auto bound = bind_stencil<T>(executor, stencil);
    EXPECT_EQ(bound->name(), "cuda dense 5x9");
    for (const Box& part : parts) {
      Box inputs = part;
      inputs.last[y_axis] += 4, inputs.last[x_axis] += 8;
      bound->run(source.on_device().window(inputs), found.on_device().window(part), Lane::work, {});
    }
    executor.synchronize();
  }).join();
  found.download();
  testing::expect_same(expected, found, "an inner part and four rims");
}

TYPED_TEST(StripWalk, NamesOfBoundStencils) {
  using T = TypeParam;
  cuda::CudaExecutor executor(0);
  const auto name_of = [&](Index height, Index width, double zeros) {
    Mask mask = testing::drawn_mask(height, width, false, [&, n = 0]() mutable {
      return zeros > 0 && n++ % 2 == 0 ? 0.0 : this->normal(this->random) + 3;
    });
    mask.multiply_zeros = zeros == 0;
    const auto stencil = make_stencil<T>(mask, Method::direct, {1, 1}, {});
    const std::string name = bind_stencil<T>(executor, stencil)->name();
    EXPECT_EQ(kernel_name_on(Backend::cuda, stencil), name);
    return name;
  };
  EXPECT_EQ(name_of(7, 5, 0), "cuda dense 7x5");
  EXPECT_EQ(name_of(5, 7, 0.5), "cuda sparse 17 of 5x7");
  EXPECT_EQ(name_of(43, 1, 0), "cuda column 43");
  setenv("STENCIL_GENERATED_KERNELS", "off", 1);
  EXPECT_EQ(name_of(7, 5, 0), "cuda point by point dense 7x5");
  setenv("STENCIL_GENERATED_KERNELS", "yes", 1);
  EXPECT_THROW(name_of(7, 5, 0), WordsError);
  unsetenv("STENCIL_GENERATED_KERNELS");
}

}  // namespace
}  // namespace stencil
