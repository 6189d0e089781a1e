// The results of every tiling strategy have the same bits as those of convolve_cpu.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "examples/strategies/geometry.hpp"
#include "examples/strategies/launch_strategy.hpp"
#include "framework/grid/error.hpp"
#include "tests/kernels/cuda/twin_grid.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil::cuda::ladder {
namespace {

using stencil::testing::DeviceList;
using stencil::testing::Placement;
using stencil::testing::TwinGrid;

struct Case {
  Index height = 1, width = 1;
  Point outputs{};
  std::array<Index, 2> stride{1, 1};
  bool skip_zeros = false;
  bool underflows = false;  ///< whether products underflow
};

std::string words(Strategy strategy, const Case& c) {
  return fmt::format("{} mask {}x{} outputs {} stride {}x{}{}", to_string(strategy), c.height,
                     c.width, stencil::to_string(c.outputs), c.stride[0], c.stride[1],
                     c.skip_zeros ? " skipping zeros" : "");
}

bool on_rung(Strategy strategy, const Case& c) {
  if (strategy == Strategy::global || strategy == Strategy::constant) return true;
  if (c.stride != std::array<Index, 2>{1, 1}) return false;
  if (strategy == Strategy::tiled_two_step) return c.height == 1;
  const TileGeometry g = tile_geometry(strategy, c.height, c.width);
  return g.tile_y >= 1 && g.tile_x >= 1;
}

template <class T>
Stencil<T> stencil_of(const Case& c) {
  std::mt19937 random(unsigned(c.height * 1000 + c.width));
  std::normal_distribution<double> normal(0.2);
  const double size = !c.underflows ? 1 : (sizeof(T) == 8 ? 1e-160 : 1e-23);
  Mask mask = testing::drawn_mask(c.height, c.width, false, [&] {
    return c.skip_zeros && random() % 3 == 0 ? 0.0 : size * normal(random);
  });
  mask.multiply_zeros = !c.skip_zeros;
  return make_stencil<T>(mask, Method::direct, c.stride, {});
}

/// A grid of numbers of very different size, sometimes Inf or NaN with different payloads. The
/// guards around the points, on which no output may depend, are large numbers.
template <class T>
TwinGrid<T> wild(const Point& extent, double size) {
  std::mt19937 random(17);
  std::normal_distribution<double> normal;
  TwinGrid<T> grid(extent, T(1e30), {});
  grid.set([&](Index, Index, Index) {
    const unsigned kind = random() % 4000;
    if (kind == 0) return std::numeric_limits<double>::infinity();
    if (kind == 1) return -std::numeric_limits<double>::infinity();
    if (kind == 2) return -std::nan("77");
    return size * normal(random) * std::pow(10.0, int(random() % 9) - 4);
  });
  grid.upload();
  return grid;
}

/// Compares a result with that of the CPU, including the guards around the target.
template <class T>
void expect_bits_of_cpu(const Case& c) {
  const Stencil<T> stencil = stencil_of<T>(c);
  const double size = !c.underflows ? 1 : (sizeof(T) == 8 ? 1e-166 : 1e-25);
  TwinGrid<T> source = wild<T>(testing::inputs_for(stencil, c.outputs), size);
  const Placement place{.lead = 5, .trail = 0};
  TwinGrid<T> expected(c.outputs, T(-12345.5), place);
  convolve_cpu<T>(stencil, source.on_host(), expected.on_host());
  const DeviceList<T> taps(stencil.taps);
  for (const Strategy strategy : strategies) {
    if (!on_rung(strategy, c)) continue;
    TwinGrid<T> found(c.outputs, T(-12345.5), place);
    found.upload();
    launch_strategy<T>(strategy, stencil, {taps.data()}, source.on_device(), found.on_device(),
                       nullptr);
    found.download();
    for (std::size_t k = 0; k < found.host.size(); ++k)
      ASSERT_EQ(std::memcmp(&found.host[k], &expected.host[k], sizeof(T)), 0)
          << words(strategy, c) << ", element " << k << ": " << found.host[k] << " "
          << expected.host[k];
  }
}

template <class T>
class Ladder : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_gpu()) GTEST_SKIP() << "no GPU here: the CUDA kernels were not run";
  }
};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Ladder, Types);

/// Lengths close to those of one, two and three tiles.
std::vector<Index> lengths(Index tile) {
  return {1, 2, 3, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 5};
}

TYPED_TEST(Ladder, LinesOfEveryWidthAndLength) {
  for (Index width = 1; width <= 33; ++width)
    for (const Index n : lengths(line_tile)) expect_bits_of_cpu<TypeParam>({1, width, {1, 1, n}});
  for (const Index width : {64, 65, 127, 256, 257, 258, 511, 512, 513, 1500, 4000})
    for (const Index n : {Index{1}, Index{line_tile}, Index{line_input_tile} + 1, Index{3000}})
      expect_bits_of_cpu<TypeParam>({1, width, {1, 1, n}});
}

TYPED_TEST(Ladder, LinesInRowsAndBatches) {
  for (const Index width : {2, 5, 17, 31, 65})
    for (const Point outputs : {Point{1, 7, 300}, {3, 1, 300}, {4, 5, 259}})
      expect_bits_of_cpu<TypeParam>({1, width, outputs});
}

TYPED_TEST(Ladder, GridsAroundTheTiles) {
  for (const auto& [rows, columns] :
       {std::pair<Index, Index>{tile_rows, tile_columns}, {square_input_tile, square_input_tile}})
    for (const Index ny : lengths(rows))
      for (const Index nx : lengths(columns))
        for (const Index m : {3, 4, 5}) expect_bits_of_cpu<TypeParam>({m, m, {1, ny, nx}});
}

TYPED_TEST(Ladder, MasksOfEverySide) {
  for (Index height = 1; height <= 9; ++height)
    for (Index width = 1; width <= 9; ++width)
      expect_bits_of_cpu<TypeParam>({height, width, {2, 37, 53}});
  for (const Index m : {15, 16, 31, 32, 33}) expect_bits_of_cpu<TypeParam>({m, m, {2, 67, 81}});
  expect_bits_of_cpu<TypeParam>({3, 40, {1, 40, 90}});
  expect_bits_of_cpu<TypeParam>({63, 63, {1, 40, 90}});
}

/// Masks along y have a width of 1. Tiles of masks with more than a few hundred rows need more
/// shared memory than a block gets by default.
TYPED_TEST(Ladder, Columns) {
  for (const Index height : {2, 3, 5, 16, 17, 31, 32, 257, 600})
    for (const Point outputs : {Point{1, 1, 1}, {1, 50, 1}, {2, 70, 35}})
      expect_bits_of_cpu<TypeParam>({height, 1, outputs});
}

TYPED_TEST(Ladder, Strides) {
  for (const std::array<Index, 2> stride : {std::array<Index, 2>{1, 2}, {3, 1}, {2, 5}, {20, 40}})
    for (const auto& [height, width] :
         {std::pair<Index, Index>{1, 9}, {1, 5}, {5, 1}, {4, 3}, {3, 3}})
      for (const Point outputs : {Point{1, 1, 1}, {2, 33, 47}})
        expect_bits_of_cpu<TypeParam>({height, width, outputs, stride});
}

/// A tap of 0 that is skipped keeps NaN and Inf under it out of the output.
TYPED_TEST(Ladder, ZerosAreSkippedWhereTheMaskSaysSo) {
  for (const auto& [height, width] :
       {std::pair<Index, Index>{1, 33}, {1, 17}, {33, 1}, {3, 3}, {9, 7}})
    expect_bits_of_cpu<TypeParam>({height, width, {2, 61, 301}, {1, 1}, true});
}

/// Products that underflow to subnormal numbers and to zeros of either sign.
TYPED_TEST(Ladder, ProductsThatUnderflow) {
  for (const auto& [height, width] :
       {std::pair<Index, Index>{1, 33}, {1, 5}, {33, 1}, {3, 3}, {9, 7}})
    expect_bits_of_cpu<TypeParam>({height, width, {2, 61, 301}, {1, 1}, false, true});
}

/// More rows and batches than the largest number of blocks along an axis of a launch.
TYPED_TEST(Ladder, MoreRowsThanAGridHasBlocks) {
  expect_bits_of_cpu<TypeParam>({1, 3, {1, 65'535 + 3, 2}});
  expect_bits_of_cpu<TypeParam>({1, 3, {65'535 + 3, 1, 2}});
  expect_bits_of_cpu<TypeParam>({3, 2, {1, 65'535 * tile_rows + 3, 1}});
  expect_bits_of_cpu<TypeParam>({1, 2, {1, 65'535 + 3, 2}, {2, 1}});
}

TYPED_TEST(Ladder, RefusesBeforeAnyLaunch) {
  using T = TypeParam;
  const auto separable =
      make_stencil<T>(Mask::outer({1, 2, 3}, {4, 5, 6}), Method::separable, {1, 1}, {});
  const Stencil<T> tall = stencil_of<T>({3900, 1});  // more than any GPU's shared memory
  for (const Strategy strategy : strategies)
    EXPECT_THROW(launch_strategy<T>(strategy, separable, {}, {}, {}, nullptr), WordsError);
  EXPECT_THROW(launch_strategy<T>(Strategy::tiled_halo, tall, {}, {}, {}, nullptr), WordsError);
}

TYPED_TEST(Ladder, NothingToDoIsDone) {
  using T = TypeParam;
  const Stencil<T> stencil = stencil_of<T>({3, 3});
  const DeviceList<T> taps(stencil.taps);
  TwinGrid<T> other({1, 1, 1}, T(1), {});
  for (const Strategy strategy : strategies) {
    if (strategy == Strategy::tiled_two_step) continue;
    launch_strategy<T>(strategy, stencil, {taps.data()}, {}, {}, nullptr);
    // upload() waits for the work that was started
    EXPECT_NO_THROW(other.upload()) << to_string(strategy);
  }
}

}  // namespace
}  // namespace stencil::cuda::ladder
