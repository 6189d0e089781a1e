// The production kernels compared with convolve_cpu, bit for bit, including guards.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string_view>

#include "framework/grid/error.hpp"
#include "kernels/cuda/cuda_stencil.hpp"
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/production/choice.hpp"
#include "tests/kernels/cuda/twin_grid.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::DeviceList;
using testing::Placement;
using testing::TwinGrid;

struct Size {
  Index height, width;
};

template <class T>
class Production : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::have_gpu()) GTEST_SKIP() << "no GPU here: the CUDA kernels were not run";
  }

  /// Random numbers of very different size; few are infinite, -0, or NaN with different payloads.
  double wild() {
    const unsigned kind = random() % 3000;
    if (kind == 0) return std::numeric_limits<double>::infinity();
    if (kind == 1) return -std::numeric_limits<double>::infinity();
    if (kind == 2) return std::nan("");
    if (kind == 3) return -std::nan("77");
    if (kind == 4) return -0.0;
    return normal(random) * std::pow(10.0, int(random() % 9) - 4);
  }

  /// Rows aligned as in a Field, and unaligned rows.
  Placement next_placement() {
    const Index line = 64 / Index(sizeof(T));
    const std::vector<Placement> list{{0, 0, line}, {line - 2, 0, line},        {3, 4, 1},
                                      {5, 0, line}, {line - 4 % line, 1, line}, {1, 0, 2},
                                      {2, 3, line}};
    return list[placements++ % list.size()];
  }

  /// Targets with every alignment. In a random half of the cases the inputs are aligned relative to
  /// the target as in a Field, with ghosts before the first owned point, which wide copies
  /// require; otherwise their alignment is arbitrary. The choice is random, because a test may
  /// alternate between direct and separable masks.
  void check(const Stencil<T>& stencil, const Point& extent) {
    const Placement to = next_placement();
    Placement from = next_placement();
    const Index line = 64 / Index(sizeof(T));
    if (random() % 2 == 0)
      from = {(to.lead + line - stencil.width / 2 % line) % line, to.trail, line};
    // often no points or few points are missing, because kernels treat these cases separately
    const unsigned kept = std::vector<unsigned>{0, 30, 1}[random() % 3];
    check(stencil, extent, from, to, [&] {
      const double value = wild();
      return std::isfinite(value) || (kept > 0 && random() % kept == 0) ? value : 1.0;
    });
  }

  template <class Draw>
  void check(const Stencil<T>& stencil, const Point& extent, const Placement& from,
             const Placement& to, const Draw& draw) {
    const T guard = T(-12345.5);
    TwinGrid<T> source(testing::inputs_for(stencil, extent), T(1e30), from);
    source.set([&](Index, Index, Index) { return draw(); });
    source.upload();
    TwinGrid<T> expected(extent, guard, to);
    convolve_cpu<T>(stencil, source.on_host(), expected.on_host());
    const DeviceList<T> taps(stencil.taps), column(stencil.column), row(stencil.row);
    ++checked;
    if (points(extent) > 0)
      chosen = cuda::choose(
                   cuda::make_arguments<T>(stencil, {}, source.on_device(), expected.on_device()),
                   stencil)
                   .kernel;
    for (const char* tensor_cores : {"auto", "off"}) {
      if (sizeof(T) == 4 && tensor_cores == std::string_view("off")) continue;
      setenv("STENCIL_TENSOR_CORES", tensor_cores, 1);
      TwinGrid<T> found(extent, guard, to);
      found.upload();
      const cuda::DeviceTaps<T> device_taps{taps.data(), column.data(), row.data()};
      const auto sweep =
          cuda::make_arguments<T>(stencil, device_taps, source.on_device(), found.on_device());
      if (only.launch != nullptr && points(extent) > 0 && extent[0] <= cuda::most_grid_side &&
          only.fits(sweep)) {
        ++only.launches;
        only.launch(sweep, stencil, nullptr);
      } else {
        cuda::launch_production<T>(stencil, device_taps, source.on_device(), found.on_device(),
                                   nullptr);
      }
      found.download();
      unsetenv("STENCIL_TENSOR_CORES");
      if (std::memcmp(found.host.data(), expected.host.data(), found.host.size() * sizeof(T)) != 0)
        report(stencil, extent, from, to, expected, found, tensor_cores);
    }
  }

  void report(const Stencil<T>& stencil, const Point& extent, const Placement& from,
              const Placement& to, TwinGrid<T>& expected, TwinGrid<T>& found,
              const char* tensor_cores) {
    ADD_FAILURE() << cuda::production_name(stencil) << " tensor cores " << tensor_cores
                  << (stencil.min_valid ? " over valid" : "")
                  << (stencil.multiply_zeros ? "" : " without zeros") << " strides "
                  << stencil.stride[0] << " " << stencil.stride[1] << " on " << to_string(extent)
                  << " lead " << from.lead << " to " << to.lead
                  << first_difference(expected, found);
  }

  std::string first_difference(TwinGrid<T>& expected, TwinGrid<T>& found) {
    const FieldView<T> a = expected.on_host(), b = found.on_host();
    Index count = 0;
    std::ostringstream words;
    for (Index n = 0; n < a.extent[0]; ++n)
      for (Index y = 0; y < a.extent[1]; ++y)
        for (Index x = 0; x < a.extent[2]; ++x) {
          if (std::memcmp(&a.at(n, y, x), &b.at(n, y, x), sizeof(T)) == 0) continue;
          if (count++ < 3)
            words << "; at " << n << " " << y << " " << x << " expected " << a.at(n, y, x)
                  << " found " << b.at(n, y, x);
        }
    words << "; " << count << " points differ";
    return words.str();
  }

  Stencil<T> stencil_of(const Size& size, bool outer, std::array<Index, 2> stride = {1, 1},
                        bool zeros = false, std::optional<double> min_valid = {}) {
    const auto draw = [&] { return zeros && random() % 3 == 0 ? 0.0 : normal(random) + 0.3; };
    return drawn_stencil(size, outer, stride, min_valid, draw, zeros);
  }

  /// Draws taps again if their sum is too small for `min_valid`.
  Stencil<T> drawn_stencil(const Size& size, bool outer, const std::array<Index, 2>& stride,
                           const std::optional<double>& min_valid, const auto& draw,
                           bool leaves_zeros_out = false) {
    for (int tries = 0;; ++tries) {
      Mask mask = testing::drawn_mask(size.height, size.width, outer, draw);
      mask.multiply_zeros = !leaves_zeros_out;
      try {
        return make_stencil<T>(mask, outer ? Method::separable : Method::direct, stride, min_valid);
      } catch (const ShapeError&) {
        if (!min_valid || tries > 20) throw;
      }
    }
  }

  std::mt19937 random{21};
  std::normal_distribution<double> normal;
  unsigned placements = 0;
  Index checked = 0;
  std::string chosen;  ///< kernel of the last check

  /// If set, this kernel is used instead of the chosen kernel for all stencils that it supports.
  struct {
    bool (*fits)(const cuda::KernelArguments<T>&) = nullptr;
    void (*launch)(const cuda::KernelArguments<T>&, const Stencil<T>&, CUstream_st*) = nullptr;
    int launches = 0;
  } only;
};

using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Production, Types);

/// Sizes of masks; kernels are compiled for each of them.
std::vector<Size> mask_sizes() {
  std::vector<Size> sizes;
  for (const Index w : {1, 2, 3, 4, 5, 8, 11, 16, 17, 24, 25, 33, 34}) {
    sizes.push_back({1, w});
    sizes.push_back({w, 1});
  }
  for (const Index h : {2, 3, 4, 5, 7, 8, 10}) {
    for (const Index w : {2, 3, 5, 6, 7, 9}) sizes.push_back({h, w});
  }
  const std::vector<Size> larger{{11, 11}, {12, 13}, {15, 15}, {16, 16}, {21, 19}, {33, 2},
                                 {2, 33},  {17, 31}, {1, 63},  {63, 1},  {1, 257}, {257, 1},
                                 {2, 257}, {33, 33}, {65, 65}, {12, 12}, {14, 14}, {18, 18},
                                 {22, 22}, {20, 20}, {24, 24}, {28, 28}, {32, 32}, {64, 64},
                                 {1, 41},  {1, 51},  {1, 65},  {1, 70},  {48, 1},  {96, 1}};
  sizes.insert(sizes.end(), larger.begin(), larger.end());
  return sizes;
}

TYPED_TEST(Production, EveryMaskSize) {
  const std::vector<Point> extents{{1, 1, 1},  {2, 1, 2},    {1, 5, 5},    {2, 3, 97},
                                   {1, 97, 5}, {1, 2, 1031}, {1, 13, 130}, {2, 40, 200}};
  for (const Size& size : mask_sizes()) {
    for (const bool outer : {false, true}) {
      for (const Point& extent : extents) this->check(this->stencil_of(size, outer), extent);
    }
  }
  EXPECT_GT(this->checked, 1500);
}

/// Masks, strides, missing points, extents and layouts drawn at random. STENCIL_GENERATED_MASKS and
/// STENCIL_GENERATED_SEED set the number of masks and the seed, to test thousands of masks in
/// several processes.
TYPED_TEST(Production, RandomMasks) {
  using T = TypeParam;
  const auto number_from = [](const char* variable, int otherwise) {
    const char* const value = std::getenv(variable);
    return value == nullptr ? otherwise : std::atoi(value);
  };
  const int masks = number_from("STENCIL_GENERATED_MASKS", 30);
  this->random.seed(unsigned(number_from("STENCIL_GENERATED_SEED", 5)));
  const auto pick = [&](Index low, Index high) {
    return low + Index(this->random() % unsigned(high - low + 1));
  };
  const auto one_in = [&](unsigned count) { return this->random() % count == 0; };
  // small numbers are drawn more often
  const auto side = [&](Index most) { return pick(1, pick(1, most)); };
  for (int k = 0; k < masks; ++k) {
    Size size{side(40), side(40)};
    if (one_in(5)) size = {1, side(300)};
    if (one_in(5)) size = {side(300), 1};
    const bool outer = size.height > 1 && size.width > 1 && one_in(3);
    std::array<Index, 2> stride{1, 1};
    if (one_in(4)) stride = {pick(1, 9), pick(1, 18)};
    std::optional<double> min_valid;
    if (one_in(5)) min_valid = double(pick(0, 10)) / 10;
    Point extent{1, pick(1, 300), pick(1, 1500)};
    if (one_in(4)) extent = {pick(2, 5), pick(1, 90), pick(1, 900)};
    if (outer && stride == std::array<Index, 2>{1, 1} && !min_valid && one_in(4)) {
      const Mask sum = testing::drawn_sum(size.height, size.width, pick(2, 3),
                                          [&] { return this->normal(this->random); });
      this->check(make_stencil<T>(sum, Method::separable, stride, {}), extent);
    } else {
      this->check(this->stencil_of(size, outer, stride, !outer && one_in(4), min_valid), extent);
    }
  }
}

TYPED_TEST(Production, SumsOfSeparableMasks) {
  using T = TypeParam;
  const std::vector<Point> extents{
      {1, 1, 1}, {2, 3, 97}, {1, 2, 1031}, {2, 40, 200}, {1, 130, 390}};
  const std::vector<std::array<Index, 2>> strides{{1, 1}, {1, 1}, {1, 1}, {2, 1}, {1, 3}, {5, 4}};
  unsigned n = 0;
  for (const Size& size : std::vector<Size>{{2, 2},
                                            {3, 5},
                                            {9, 9},
                                            {11, 11},
                                            {15, 15},
                                            {16, 12},
                                            {21, 21},
                                            {31, 31},
                                            {63, 65},
                                            {5, 129}}) {
    for (const Index terms : {2, 3}) {
      for (const Point& extent : extents) {
        const Mask mask = testing::drawn_sum(size.height, size.width, terms,
                                             [&] { return this->normal(this->random); });
        this->check(make_stencil<T>(mask, Method::separable, strides[n++ % strides.size()], {}),
                    extent);
        this->check(make_stencil<T>(mask, Method::separable, {1, 1}, {}), extent);
      }
    }
  }
  EXPECT_EQ(this->checked, 200);
  // masks that are too tall for shared memory, and are computed in bands of rows
  for (const Index terms : {2, 3}) {
    const Mask mask =
        testing::drawn_sum(201, 91, terms, [&] { return this->normal(this->random); });
    this->check(make_stencil<T>(mask, Method::separable, {1, 1}, {}), {2, 140, 300});
  }
}

TYPED_TEST(Production, EveryStrideAndZerosLeftOut) {
  const std::vector<Point> extents{{1, 1, 1}, {2, 5, 7}, {1, 9, 97}, {1, 1, 1031}, {2, 70, 140}};
  const std::vector<std::array<Index, 2>> strides{{1, 1}, {1, 2}, {2, 1}, {3, 5}, {5, 4}};
  unsigned n = 0;
  for (const Size& size : mask_sizes()) {
    for (const bool outer : {false, true}) {
      for (const bool zeros : {false, true}) {
        for (int k = 0; k < 2; ++k, ++n) {
          const bool plain = zeros && k == 0 && size.height % 2 == 1;
          const auto& stride = plain ? strides[0] : strides[n % strides.size()];
          this->check(this->stencil_of(size, outer, stride, zeros), extents[n % extents.size()]);
        }
      }
    }
  }
}

/// Extents close to those of the tiles of the kernels.
TYPED_TEST(Production, ExtentsAroundTiles) {
  const std::vector<Size> sizes{{1, 5},  {1, 63}, {5, 1},   {33, 1},  {3, 3},   {5, 5},
                                {7, 7},  {9, 9},  {4, 6},   {15, 15}, {16, 16}, {23, 23},
                                {7, 9},  {40, 1}, {130, 1}, {1, 130}, {9, 40},  {11, 12},
                                {1, 44}, {1, 65}, {50, 1},  {72, 1},  {95, 1}};
  std::vector<Point> extents;
  for (const Index n :
       {63,  64,  65,  127, 128, 129, 159, 160, 161, 191,  192,  193,  255,  256,  257,  319,  321,
        383, 384, 385, 511, 639, 641, 767, 768, 769, 1535, 1537, 3071, 3072, 3073, 6145, 12289}) {
    extents.push_back({1, 1, n});
    extents.push_back({1, n, 33});
    extents.push_back({2, 19, n});
  }
  for (const Index ny : {7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 130}) {
    for (const Index nx : {130, 257, 390}) extents.push_back({1, ny, nx});
  }
  unsigned n = 0;
  for (const Point& extent : extents) {
    for (int k = 0; k < 2; ++k) {
      const Size size = sizes[n++ % sizes.size()];
      this->check(this->stencil_of(size, false), extent);
      const Index w = std::vector<Index>{3, 5, 9, 14, 17, 20, 25, 28, 29, 33, 41, 49, 65}[n % 13];
      this->check(this->stencil_of({w, w}, true), extent);
    }
  }
}

/// Long masks of one row or column, which tensor cores sum if there are many outputs, with sizes
/// around those of their tiles.
TYPED_TEST(Production, LongMasksOfManyOutputs) {
  for (const Index taps : {71, 72, 73, 128, 131, 257, 264, 265, 384, 385, 900}) {
    for (const Index n : {2047, 2048, 3073, 4095, 4097, 5121, 9000})
      this->check(this->stencil_of({1, taps}, false), {2, 2, n});
    for (const Index n : {63, 64, 97, 127, 129, 300})
      this->check(this->stencil_of({taps, 1}, false), {2, n, 67});
  }
}

/// Shapes that the kernels of large masks treat separately: low, narrow, in bands of unequal
/// height.
TYPED_TEST(Production, LargeMasksOfAllShapes) {
  for (const Size& size : std::vector<Size>{
           {8, 9}, {8, 200}, {17, 230}, {27, 27}, {30, 11}, {4, 60}, {5, 13}, {61, 9}})
    for (const Point& extent : std::vector<Point>{{1, 40, 150}, {2, 33, 257}, {1, 100, 300}})
      this->check(this->stencil_of(size, false), extent);
  for (const Size& size : std::vector<Size>{{1, 100},
                                            {4, 100},
                                            {100, 3},
                                            {97, 97},
                                            {22, 22},
                                            {20, 41},
                                            {83, 21},
                                            {66, 66},
                                            {150, 150},
                                            {91, 201}})
    for (const Point& extent : std::vector<Point>{{1, 40, 150}, {2, 33, 257}, {1, 300, 130}})
      this->check(this->stencil_of(size, true), extent);
}

/// Products that underflow, to subnormal numbers and to zeros of either sign: no sum is -0 in
/// float64, however many products with 0 a kernel adds.
TYPED_TEST(Production, SumsThatUnderflow) {
  const bool is_double = sizeof(TypeParam) == 8;
  const auto taps = [&](double exponent) {
    return [this, exponent] { return this->normal(this->random) * std::pow(10.0, exponent); };
  };
  // positive taps, whose sum is large enough to divide by it
  const auto positive = [&](double exponent) {
    return [this, exponent] {
      return std::abs(this->normal(this->random)) * std::pow(10.0, exponent);
    };
  };
  const double tap = is_double ? -160 : -23, tiny = is_double ? -170 : -25;
  const auto check = [&](const Stencil<TypeParam>& stencil, const Point& extent) {
    for (const unsigned subnormal : {10u, 5000u, ~0u})
      this->check(stencil, extent, this->next_placement(), this->next_placement(), [&] {
        const double value = this->normal(this->random);
        if (stencil.min_valid && this->random() % 50 == 0) return std::nan("");
        if (this->random() % subnormal == 0) return value * std::pow(10.0, tiny + 8);
        return this->random() % 3 == 0 ? 0.0 : value * std::pow(10.0, tiny);
      });
  };
  for (const Size& size : std::vector<Size>{{1, 5},
                                            {1, 100},
                                            {1, 300},
                                            {5, 1},
                                            {200, 1},
                                            {3, 3},
                                            {7, 7},
                                            {9, 9},
                                            {15, 15},
                                            {16, 16},
                                            {31, 31}})
    for (const Point& extent : std::vector<Point>{{1, 70, 150}, {1, 129, 2200}})
      check(make_stencil<TypeParam>(testing::drawn_mask(size.height, size.width, false, taps(tap)),
                                    Method::direct, {1, 1}, {}),
            extent);
  for (const Size& size : std::vector<Size>{{1, 17}, {17, 1}, {5, 5}, {9, 9}}) {
    const Mask mask = testing::drawn_mask(size.height, size.width, false, taps(tap));
    for (const std::array<Index, 2> stride : {std::array<Index, 2>{1, 3}, {3, 1}, {2, 2}})
      check(make_stencil<TypeParam>(mask, Method::direct, stride, {}), {1, 70, 150});
    check(
        make_stencil<TypeParam>(testing::drawn_mask(size.height, size.width, false, positive(tap)),
                                Method::direct, {1, 1}, 0.5),
        {1, 70, 150});
  }
  check(make_stencil<TypeParam>(testing::drawn_mask(9, 9, true, positive(tap / 2)),
                                Method::separable, {1, 1}, 0.5),
        {1, 70, 150});
  for (const Index side : {5, 9, 20, 25, 40, 65})
    for (const Index terms : {1, 2})
      for (const std::array<Index, 2> stride : {std::array<Index, 2>{1, 1}, {2, 2}})
        check(make_stencil<TypeParam>(testing::drawn_sum(side, side, terms, taps(tap / 2)),
                                      Method::separable, stride, {}),
              {1, 70, 150});
}

/// Long strips: a block walks down many rows, and several blocks share a strip.
TYPED_TEST(Production, TallGrids) {
  for (const Size& size : std::vector<Size>{
           {3, 3}, {5, 5}, {9, 9}, {15, 15}, {33, 33}, {49, 49}, {17, 1}, {65, 1}, {1, 17}}) {
    this->check(this->stencil_of(size, false), {1, 2500, 70});
    this->check(this->stencil_of(size, true), {1, 2500, 70});
    this->check(this->stencil_of(size, false), {2, 1100, 410});
    this->check(this->stencil_of(size, true), {2, 1100, 410});
  }
}

/// Grids that are so large that their tiles differ from those of smaller grids.
TYPED_TEST(Production, TilesOfEachGridSize) {
  const Index line = 64 / Index(sizeof(TypeParam));
  for (const Point& extent : std::vector<Point>{{1, 700, 603}, {1, 2100, 2003}, {1, 5801, 5790}})
    for (const auto& [size, outer] : std::vector<std::pair<Size, bool>>{{{3, 3}, false},
                                                                        {{7, 5}, false},
                                                                        {{9, 9}, false},
                                                                        {{8, 9}, false},
                                                                        {{9, 1}, false},
                                                                        {{5, 5}, true},
                                                                        {{9, 9}, true},
                                                                        {{17, 13}, true}}) {
      const Placement inside{(line - size.width / 2 % line) % line, 0, line};
      this->check(this->stencil_of(size, outer), extent, inside, {0, 0, line},
                  [&] { return double(this->random()) * 0x1p-32 - 0.5; });
      if (extent[1] < 2000) this->check(this->stencil_of(size, outer), extent);
    }
  // lines on large grids with short rows, on which float32 uses another kernel
  for (const Index taps : {2, 17, 26, 33})
    this->check(this->stencil_of({1, taps}, false), {1, 26000, 1300},
                {line - taps / 2 % line, 0, line}, {0, 0, line},
                [&] { return double(this->random()) * 0x1p-32 - 0.5; });
}

/// Grids of which a block sums several tiles, one after the other.
TYPED_TEST(Production, RunsOfTiles) {
  for (const Point& extent : std::vector<Point>{{1, 2300, 2310}, {3, 1290, 1350}}) {
    for (const Index side : {9, 11, 13, 15})
      this->check(this->stencil_of({side, side}, false), extent);
  }
  // each block computes several tiles, even if four blocks share a multiprocessor
  for (const Index side : {9, 11, 15})
    this->check(this->stencil_of({side, side}, false), {1, 5200, 5200});
  this->check(this->stencil_of({1, 127}, false), {3, 700, 9000});
  this->check(this->stencil_of({257, 1}, false), {2, 2000, 3000});
  // masks for which each warp computes several steps
  for (const Index taps : {44, 63})
    this->check(this->stencil_of({1, taps}, false), {2, 3000, 9001});
  this->check(this->stencil_of({1, 44}, false, {1, 1}, true), {2, 3000, 9001});
  this->check(this->stencil_of({1, 1000}, false), {2, 3000, 9001});
  for (const Index taps : {48, 61, 63, 96})
    this->check(this->stencil_of({taps, 1}, false), {1, 5200, 4129});
}

/// Separable masks of every side for which warps walk down strips, on grids around the width of a
/// strip, and with fewer columns or rows than a warp computes at once.
TYPED_TEST(Production, SeparableStrips) {
  this->only = {cuda::fits_strip_separable<TypeParam>, cuda::launch_strip_separable<TypeParam>};
  const std::vector<Point> extents{{1, 1, 1},    {2, 7, 63},   {1, 8, 64},   {1, 9, 65},
                                   {1, 31, 127}, {1, 97, 128}, {2, 33, 129}, {1, 130, 515},
                                   {1, 600, 3},  {3, 16, 257}, {1, 64, 2051}};
  unsigned n = 0;
  for (Index side = 17; side <= 66; side += 7) {
    for (int k = 0; k < 4; ++k)
      this->check(this->stencil_of({side, side}, true), extents[n++ % extents.size()]);
  }
  // The four cases: inputs and results that are aligned as in a Field, so that all lanes of most
  // strips write at once; unaligned results; inputs that are aligned for another centre of the
  // mask; unaligned inputs.
  const Index line = 64 / Index(sizeof(TypeParam));
  const auto draw = [&] { return this->wild(); };
  for (Index side = 17; side <= 66; side += 3) {
    const Size size{side, side};
    const Placement inside{(line - side / 2 % line) % line, 0, line};
    this->check(this->stencil_of(size, true), {1, 41, 407}, inside, {0, 0, line}, draw);
    this->check(this->stencil_of(size, true), {1, 41, 407}, inside, {0, 1, 1}, draw);
    const Placement otherwise{(inside.lead + 1) % line, 0, line};
    this->check(this->stencil_of(size, true), {1, 41, 407}, otherwise, {0, 0, line}, draw);
    this->check(this->stencil_of(size, true), {1, 41, 407}, {0, 1, 1}, {0, 0, line}, draw);
  }
  for (const Index side : {19, 22, 25, 33, 47, 65})
    this->check(this->stencil_of({side, side}, true), {1, 2100, 2003});
  // masks that are not square; low masks are only computed in strips on large grids
  for (Index height = 2; height <= 33; height += 3) {
    const Size size{height, 22 + Index(this->random() % 20)};
    this->check(this->stencil_of(size, true), {1, 2100, 2003});
    const Placement inside{(line - size.width / 2 % line) % line, 0, line};
    this->check(this->stencil_of(size, true), {1, 2100, 2003}, inside, {0, 0, line}, draw);
  }
  for (const Size& size : std::vector<Size>{{22, 1}, {21, 2}, {9, 120}, {9, 121}, {30, 5}})
    this->check(this->stencil_of(size, true), {2, 1030, 2070});
  for (Index height = 33; height <= 66; height += 4) {
    for (int k = 0; k < 2; ++k)
      this->check(this->stencil_of({height, 1 + Index(this->random() % 125)}, true),
                  extents[n++ % extents.size()]);
  }
  this->check(this->stencil_of({22, 22}, true), {70000, 1, 3});
  EXPECT_GT(this->only.launches, 100);
}

/// Strips of square direct masks.
TYPED_TEST(Production, SquareStrips) {
  this->only = {cuda::fits_strip_dense<TypeParam>, cuda::launch_strip_dense<TypeParam>};
  unsigned n = 0;
  for (int k = 0; k < 6; ++k) {
    for (Index side = 7; side <= 14; ++side) {
      for (const Point& extent : std::vector<Point>{{1, 1 + n % 40, 127}, {2, 33, 126 + n % 5}})
        this->check(this->stencil_of({side, side}, false), extent);
      this->check(this->stencil_of({side, side}, false), {1, 130 + n % 9, 250 + n % 23});
      ++n;
    }
  }
  const Index line = 64 / Index(sizeof(TypeParam));
  for (Index side = 7; side <= 14; ++side) {
    for (const Index other : {0, 1}) {
      const Placement inside{(line - side / 2 % line + other) % line, 0, line};
      this->check(this->stencil_of({side, side}, false), {1, 75, 407}, inside, {0, 0, line},
                  [&] { return this->wild(); });
    }
  }
  // Strips that are unaligned at the right end or at both ends, and are divided separately there.
  // The strips of the last grid have fewer rows than the strips of the other grids (on 132
  // multiprocessors).
  for (Index side = 7; side <= 13; ++side) {
    for (const Index lead : {Index(0), line - 2}) {
      const Placement from{(lead + line - side / 2 % line) % line, 0, line};
      for (const Point& extent : std::vector<Point>{{1, 110, 407}, {3, 50, 515}, {1, 900, 643}})
        this->check(this->stencil_of({side, side}, false), extent, from, {lead, 0, line},
                    [&] { return this->wild(); });
    }
    this->check(this->stencil_of({side, side}, false), {1, 2100, 2003});
  }
  this->check(this->stencil_of({8, 8}, false), {70000, 1, 3});
  EXPECT_GT(this->only.launches, 100);
}

/// Strips of tall columns, which are chosen on larger grids only.
TYPED_TEST(Production, ColumnStrips) {
  if constexpr (sizeof(TypeParam) == 8) {
    GTEST_SKIP() << "float32 only";
  } else {
    this->only = {cuda::fits_strip_column<TypeParam>, cuda::launch_strip_column};
    const std::vector<Point> extents{{1, 41, 2100}, {2, 33, 1027}, {1, 1, 4100}, {3, 200, 514}};
    const Index line = 64 / Index(sizeof(TypeParam));
    for (Index height = 46; height <= 98; height += 4) {
      for (const Point& extent : extents) {
        this->check(this->stencil_of({height, 1}, false), extent);
        this->check(this->stencil_of({height, 1}, false), extent, {0, 0, line}, {0, 0, line},
                    [&] { return this->wild(); });
      }
    }
    EXPECT_GT(this->only.launches, 30);
  }
}

/// A bound stencil repeats the launches of an earlier sweep with the same views. There are more
/// views than it remembers, two lanes, and new inputs in each round.
TYPED_TEST(Production, RepeatedSweeps) {
  using T = TypeParam;
  cuda::CudaExecutor executor(0);
  struct Case {
    Size size;
    bool outer = false;
    std::array<Index, 2> stride{1, 1};
    std::optional<double> min_valid{};
  };
  for (const Case& c : std::vector<Case>{{{3, 3}},
                                         {{9, 9}, true},
                                         {{23, 41}},
                                         {{1, 1000}},
                                         {{500, 1}},
                                         {{5, 5}, false, {2, 3}},
                                         {{5, 5}, false, {1, 1}, 0.5},
                                         {{5, 5}, true, {1, 9}}}) {
    const auto stencil = this->stencil_of(c.size, c.outer, c.stride, false, c.min_valid);
    const auto bound = cuda::bind_cuda_stencil<T>(executor, stencil);
    const Point extent{1, 40, 700};
    TwinGrid<T> source(testing::inputs_for(stencil, extent), T(1e30), this->next_placement());
    TwinGrid<T> target(extent, T(7), this->next_placement());
    for (int round = 0; round < 3; ++round) {
      source.set([&](Index, Index, Index) { return this->wild(); });
      source.upload();
      TwinGrid<T> expected(extent, T(7), {});
      convolve_cpu<T>(stencil, source.on_host(), expected.on_host());
      for (Index first = 0; first < extent[1]; ++first) {
        const Box rows{{0, first, 0}, extent};
        Box inputs{{0, first * stencil.stride[0], 0}, source.on_device().extent};
        target.host.assign(target.host.size(), T(7));
        target.upload();
        const Lane lane = first % 2 == 0 ? Lane::work : Lane::exchange;
        bound->run(source.on_device().window(inputs), target.on_device().window(rows), lane, {});
        executor.synchronize();
        target.download();
        Index differing = 0;
        for (Index y = 0; y < extent[1]; ++y)
          for (Index x = 0; x < extent[2]; ++x) {
            const T wanted = y < first ? T(7) : expected.on_host().at(0, y, x);
            const T found = target.on_host().at(0, y, x);
            differing += std::memcmp(&wanted, &found, sizeof(T)) != 0;
          }
        EXPECT_EQ(differing, 0) << bound->name() << " from row " << first << " in round " << round;
      }
    }
  }
}

TYPED_TEST(Production, WordsOfTheArchitecture) {
  const char* const before = std::getenv("STENCIL_GPU_ARCHITECTURE");
  const std::string kept = before == nullptr ? "" : before;
  for (const char* word : {"sm_80", "compute_70", "80"}) {
    setenv("STENCIL_GPU_ARCHITECTURE", word, 1);
    EXPECT_THROW(cuda::capability(), WordsError) << word;
  }
  setenv("STENCIL_GPU_ARCHITECTURE", "compute_86", 1);
  EXPECT_EQ(cuda::gpu_architecture(), "compute_86");
  EXPECT_LE(cuda::most_shared_bytes(), std::size_t(99 << 10));
  EXPECT_FALSE(cuda::has_ordered_tensor_cores());
  setenv("STENCIL_GPU_ARCHITECTURE", "auto", 1);
  EXPECT_TRUE(cuda::gpu_architecture().starts_with("sm_")) << cuda::gpu_architecture();
  setenv("STENCIL_GPU_ARCHITECTURE", kept.c_str(), 1);
}

TYPED_TEST(Production, WordsOfTensorCores) {
  setenv("STENCIL_TENSOR_CORES", "of", 1);
  EXPECT_THROW(cuda::production_name(this->stencil_of({9, 9}, false)), WordsError);
  unsetenv("STENCIL_TENSOR_CORES");
}

/// The masks that are summed on tensor cores, on GPUs whose tensor cores add in the order of taps.
TYPED_TEST(Production, ChoosesTensorCores) {
  // only the address matters: the inputs of a mask begin at its centre, minus width / 2
  const auto address = [](Index elements) {
    return reinterpret_cast<TypeParam*>((4096 + elements) * sizeof(TypeParam));
  };
  const auto on_tensor_cores = [&](const Size& size, bool outer, Index shift = 0) {
    const Point many{1, 1 << 12, 1 << 16};
    const Index pitch = 1 << 17;
    const auto stencil = this->stencil_of(size, outer);
    const auto sweep = cuda::make_arguments<TypeParam>(
        stencil, {}, {address(shift - size.width / 2), many, 0, pitch},
        {address(0), many, 0, pitch});
    return std::string_view(cuda::choose(sweep, stencil).kernel).starts_with("tensor_");
  };
  const bool some = sizeof(TypeParam) == 8 && cuda::has_ordered_tensor_cores();
  for (const Size& size :
       std::vector<Size>{{12, 12}, {27, 5}, {31, 31}, {1, 72}, {1, 127}, {108, 1}, {400, 1}}) {
    EXPECT_EQ(on_tensor_cores(size, false), some) << size.height << " x " << size.width;
    setenv("STENCIL_TENSOR_CORES", "off", 1);
    EXPECT_FALSE(on_tensor_cores(size, false)) << size.height << " x " << size.width;
    unsetenv("STENCIL_TENSOR_CORES");
  }
  for (const Size& size : std::vector<Size>{{35, 35}, {150, 150}, {40, 25}})
    EXPECT_EQ(on_tensor_cores(size, true), some) << size.height << " x " << size.width;
  for (const Index side : {8, 14, 20, 22}) {  // the centre of these masks is not tap width / 2
    EXPECT_FALSE(on_tensor_cores({side, side}, true)) << side;
    EXPECT_EQ(on_tensor_cores({side, side}, true, 1), some) << side;
  }
  for (const Size& size :
       std::vector<Size>{{3, 3}, {6, 6}, {9, 9}, {10, 10}, {3, 16}, {1, 71}, {107, 1}, {300, 1}})
    EXPECT_FALSE(on_tensor_cores(size, false)) << size.height << " x " << size.width;
  for (const Index side : {9, 21}) EXPECT_FALSE(on_tensor_cores({side, side}, true)) << side;
}

/// Lines in float32 on large grids whose rows would leave many tiles of tile_line empty.
TYPED_TEST(Production, LinesOnShortRows) {
  const auto stencil = this->stencil_of({1, 17}, false);
  auto sweep = cuda::sweep_in_fields(stencil);
  sweep.rows = 100000;
  const auto kernel_for = [&](long columns) {
    sweep.columns = columns;
    return std::string(cuda::choose(sweep, stencil).kernel);
  };
  for (const long columns : {400, 1000, 1300, 2000})
    EXPECT_EQ(kernel_for(columns), sizeof(TypeParam) == 4 ? "tile_dense" : "tile_line") << columns;
  for (const long columns : {1200, 1280, 2500, 65536})
    EXPECT_EQ(kernel_for(columns), "tile_line") << columns;
}

/// The kernel that sums each kind of mask, without tensor cores: the choice, the results of the
/// kernel, and its name in the plan and the report.
TYPED_TEST(Production, KernelOfEachMask) {
  using T = TypeParam;
  const auto sum = [&](const Size& size) {
    const Mask mask =
        testing::drawn_sum(size.height, size.width, 2, [&] { return this->normal(this->random); });
    return make_stencil<T>(mask, Method::separable, {1, 1}, {});
  };
  const auto of = [&](const Size& size, bool outer, std::array<Index, 2> stride = {1, 1},
                      std::optional<double> min_valid = {}) {
    return this->stencil_of(size, outer, stride, false, min_valid);
  };
  struct Case {
    Stencil<T> stencil;
    std::string in_float32, in_float64;  ///< kernels
    std::string name;                    ///< name in the plan
    /// Extent of the outputs; the default is a small grid, for which tiles are chosen more often.
    Point extent{1, 41, 2100};
  };
  const Point larger{1, 2050, 2100};
  const std::vector<Case> cases{
      {of({1, 5}, false), "tile_line", "tile_line", "cuda line 5"},
      {of({1, 300}, false), "line", "line", "cuda line 300"},
      {of({1, 70001}, false), "line", "line", "cuda line 70001"},
      {of({5, 1}, false), "tile_dense", "tile_dense", "cuda column 5"},
      {of({1, 43}, false), "strip_walk", "tile_line", "cuda line 43", larger},
      {of({70, 1}, false), "tile_column", "tile_column", "cuda column 70"},
      {of({70, 1}, false), "strip_column", "tile_column", "cuda column 70", larger},
      {of({5000, 1}, false), "tile_column", "tile_column", "cuda column 5000"},
      {of({3, 3}, false), "tile_dense", "tile_dense", "cuda dense 3x3"},
      {of({6, 6}, false), "tile_dense", "tile_dense", "cuda dense 6x6"},
      {of({5, 7}, false), "tile_dense", "tile_dense", "cuda dense 5x7"},
      {of({3, 17}, false), "tile_dense", "tile_dense", "cuda dense 3x17"},
      {of({3, 17}, false), "strip_dense", "strip_walk", "cuda dense 3x17", larger},
      {of({9, 9}, false), "tile_dense", "tile_dense", "cuda dense 9x9"},
      {of({5, 11}, false), "strip_dense", "strip_dense", "cuda dense 5x11"},
      {of({10, 10}, false), "strip_dense", "tile_wide", "cuda dense 10x10"},
      {of({31, 31}, false), "tile_wide", "tile_wide", "cuda dense 31x31"},
      {of({301, 257}, false), "tile_wide", "tile_wide", "cuda dense 301x257"},
      {of({3, 2500}, false), "line", "line", "cuda dense 3x2500"},
      {of({5, 5}, false, {1, 1}, 0.5), "tile_dense", "tile_dense", "cuda dense 5x5"},
      {of({9, 9}, false, {1, 1}, 0.5), "tile_valid", "tile_valid", "cuda dense 9x9"},
      {of({9, 9}, true), "tile_separable", "tile_separable", "cuda separable 9x9"},
      {of({12, 12}, true), "tile_separable", "tile_separable", "cuda separable 12x12"},
      {of({33, 33}, true), "tile_separable", "tile_separable", "cuda separable 33x33"},
      {of({40, 31}, true), "tile_separable", "strip_separable", "cuda separable 40x31"},
      {of({40, 31}, true), "strip_separable", "strip_separable", "cuda separable 40x31", larger},
      {of({9, 14}, true), "tile_separable", "tile_separable", "cuda separable 9x14"},
      {of({9, 14}, true, {1, 1}, 0.5), "tile_separable_any", "tile_separable_any",
       "cuda separable 9x14"},
      {of({80, 9}, true), "strip_separable", "strip_separable", "cuda separable 80x9"},
      {of({90, 301}, true), "strip_separable", "strip_separable", "cuda separable 90x301"},
      {sum({15, 15}), "strip_separable", "strip_separable", "cuda sum of 2 separable 15x15"},
      {sum({201, 91}), "strip_separable", "strip_separable", "cuda sum of 2 separable 201x91"},
      {of({1, 129}, false, {1, 7}), "strided_line", "strided_line", "cuda strided 1 7 line 129"},
      {of({1, 129}, false, {1, 50}), "strided_any", "strided_any", "cuda strided 1 50 line 129"},
      {of({17, 1}, false, {4, 1}), "strided_column", "strided_column",
       "cuda strided 4 1 column 17"},
      {of({5, 5}, false, {2, 2}), "strided_dense", "strided_dense", "cuda strided 2 2 dense 5x5"},
      {of({9, 9}, true, {2, 2}), "strided_separable", "strided_separable",
       "cuda strided 2 2 separable 9x9"},
      {of({5, 5}, true, {1, 9}), "generic", "generic", "cuda point by point separable 5x5"},
  };
  std::set<std::string> seen;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const Index line = 64 / Index(sizeof(T));
    const Placement inside{(line - c.stencil.width / 2 % line) % line, 0, line};
    setenv("STENCIL_TENSOR_CORES", "off", 1);
    EXPECT_EQ(cuda::prepare_production(c.stencil), "");
    EXPECT_EQ(cuda::production_name(c.stencil), c.name);
    this->check(c.stencil, c.extent, inside, {0, 0, line}, [&] { return this->wild(); });
    // the largest masks have other kernels on GPUs with little shared memory
    if (cuda::most_shared_bytes() >= std::size_t(160 << 10)) {
      EXPECT_EQ(this->chosen, sizeof(T) == 4 ? c.in_float32 : c.in_float64);
    }
    seen.insert(this->chosen);
  }
  for (const char* kernel :
       {"tile_line", "line", "tile_dense", "tile_column", "strip_walk", "strip_dense", "tile_wide",
        "tile_valid", "tile_separable", "strip_separable", "tile_separable_any", "strided_line",
        "strided_column", "strided_dense", "strided_any", "strided_separable", "generic"})
    EXPECT_TRUE(seen.count(kernel)) << "no case for kernel " << kernel;
  EXPECT_EQ(seen.count("strip_column"), sizeof(T) == 4);
}

/// Every stride for which a kernel exists, and the next larger strides; masks that are narrower and
/// wider than the stride.
TYPED_TEST(Production, EveryStrideAlongX) {
  const std::vector<Point> extents{{1, 1, 1}, {2, 3, 31}, {1, 5, 257}, {3, 2, 1030}};
  unsigned n = 0;
  for (Index stride = 2; stride <= 18; ++stride) {
    for (const Index width : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 65, 128, 129, 259}) {
      for (int k = 0; k < 3; ++k, ++n) {
        const Index down = n % 7 == 0 ? 3 : 1;
        this->check(this->stencil_of({1, width}, false, {down, stride}), extents[n % 4]);
      }
    }
  }
}

/// Much larger strides, and masks that skip most of the inputs.
TYPED_TEST(Production, LongStridesAlongX) {
  for (const Index stride : {50, 301, 2001})
    for (const Index width : {1, 5, 51, 259})
      for (const Point& extent : {Point{1, 1, 1}, Point{1, 1, 300}, Point{2, 3, 31}})
        this->check(this->stencil_of({1, width}, false, {1, stride}), extent);
}

TYPED_TEST(Production, EveryStrideAlongY) {
  const std::vector<Point> extents{{1, 1, 1}, {2, 31, 3}, {1, 66, 133}, {3, 130, 40}, {1, 7, 530}};
  unsigned n = 0;
  for (const Index stride : {2, 3, 4, 5, 7, 10, 16, 21, 193, 250}) {
    for (const Index height : {1, 2, 3, 4, 5, 7, 9, 16, 17, 33, 64, 65, 129, 500}) {
      for (int k = 0; k < 3; ++k, ++n) {
        const Index across = n % 7 == 0 ? 2 : 1;
        this->check(this->stencil_of({height, 1}, false, {stride, across}), extents[n % 5]);
      }
    }
  }
}

TYPED_TEST(Production, StridesOfGrids) {
  const std::vector<Size> sizes{{1, 1}, {3, 3}, {3, 8}, {9, 2}, {7, 7}, {17, 17}, {40, 33}};
  const std::vector<std::array<Index, 2>> strides{{2, 2}, {1, 2},  {2, 1},  {3, 1},
                                                  {3, 3}, {4, 4},  {2, 5},  {6, 6},
                                                  {8, 8}, {20, 4}, {7, 20}, {30, 9}};
  const std::vector<Point> extents{{1, 1, 1},   {2, 5, 7},    {1, 33, 129}, {2, 16, 128},
                                   {1, 17, 65}, {1, 70, 300}, {1, 9, 700}};
  unsigned n = 0;
  for (const auto& stride : strides) {
    for (const Size& size : sizes) {
      for (const bool outer : {false, true}) {
        for (const bool zeros : {false, true})
          this->check(this->stencil_of(size, outer, stride, zeros), extents[n++ % extents.size()]);
      }
    }
  }
}

/// Grids in which blocks compute several pieces of a row, walk down many rows, and share strips.
TYPED_TEST(Production, StridesOfLargeGrids) {
  this->check(this->stencil_of({1, 17}, false, {1, 4}), {1, 1, 2100001});
  this->check(this->stencil_of({1, 129}, false, {1, 10}), {1, 1, 900001});
  this->check(this->stencil_of({1, 129}, false, {1, 23}), {1, 1, 400001});
  this->check(this->stencil_of({1, 5}, false, {1, 7}), {1, 530000, 5});
  this->check(this->stencil_of({1, 5}, false, {1, 3}), {2, 1500, 700});
  this->check(this->stencil_of({17, 1}, false, {4, 1}), {1, 1500, 410});
  this->check(this->stencil_of({65, 1}, false, {2, 1}), {2, 1100, 70});
  for (const Size& size : std::vector<Size>{{3, 3}, {5, 5}, {17, 17}}) {
    for (const bool outer : {false, true}) {
      this->check(this->stencil_of(size, outer, {2, 2}), {1, 2500, 70});
      this->check(this->stencil_of(size, outer, {3, 4}), {2, 1100, 410});
    }
  }
}

/// Masks too large for one launch, or for all kernels except `generic`.
TYPED_TEST(Production, StridesOfLargeMasks) {
  this->check(this->stencil_of({1, 4097}, false, {1, 3}), {1, 3, 5000});
  this->check(this->stencil_of({1, 40001}, false, {1, 2}), {1, 1, 1000});
  this->check(this->stencil_of({1500, 1}, false, {2, 1}), {1, 300, 300});
  this->check(this->stencil_of({101, 103}, false, {2, 2}), {1, 50, 300});
  this->check(this->stencil_of({101, 103}, false, {5, 7}), {1, 50, 300});
  this->check(this->stencil_of({118, 90}, false, {3, 4}, true), {2, 40, 270});
  this->check(this->stencil_of({301, 257}, true, {2, 2}), {1, 300, 400});
  this->check(this->stencil_of({301, 257}, true, {4, 8}), {1, 100, 100});
}

TYPED_TEST(Production, MissingPoints) {
  const std::vector<Size> sizes{{1, 1},  {1, 5},  {6, 1},  {3, 3},   {5, 5},   {4, 7},  {9, 2},
                                {2, 11}, {3, 14}, {1, 33}, {15, 15}, {33, 33}, {14, 8}, {1, 12},
                                {17, 1}, {21, 1}, {40, 1}, {64, 1},  {2, 24},  {2, 32}};
  const std::vector<Point> extents{{1, 1, 1}, {2, 5, 7}, {1, 9, 97}, {1, 1, 4031}, {2, 70, 140}};
  const std::vector<std::array<Index, 2>> strides{{1, 1}, {1, 1}, {2, 3}, {4, 1}};
  int n = 0;
  for (const Size& size : sizes) {
    for (const bool outer : {false, true}) {
      for (const bool mixed : {false, true}) {
        for (const Point& extent : extents) {
          for (const double share : {0.0, 0.01, 0.3, 1.0}) {
            const auto draw = [&] {
              const double tap = std::abs(this->normal(this->random)) + 0.1;
              return mixed && this->random() % 4 == 0 ? -0.3 * tap : tap;
            };
            const double min_valid = std::array{0.0, 0.5, 0.83, 1.0}[++n % 4];
            const auto stencil =
                this->drawn_stencil(size, outer, strides[n / 4 % 4], min_valid, draw);
            this->check(stencil, extent, this->next_placement(), this->next_placement(), [&] {
              const double point = this->normal(this->random);
              if (this->random() % 700 == 0) return point / 0.0;
              return this->random() % 10000 < share * 10000 ? std::nan("") : point;
            });
          }
        }
      }
    }
  }
}

/// Bands of rows with missing points alternate with bands without missing points: kernels that sum
/// weights only where points are missing switch between the two kinds of sums.
TYPED_TEST(Production, MissingPointsInBands) {
  for (const Index size : {3, 5, 9, 17, 33}) {
    for (const bool outer : {false, true}) {
      for (const bool mixed : {false, true}) {
        const auto draw = [&] {
          const double tap = std::abs(this->normal(this->random)) + 0.1;
          return mixed && this->random() % 4 == 0 ? -0.3 * tap : tap;
        };
        const Mask mask = testing::drawn_mask(size, size, outer, draw);
        const auto stencil =
            make_stencil<TypeParam>(mask, outer ? Method::separable : Method::direct, {1, 1}, 0.4);
        for (const Point& extent : std::vector<Point>{{1, 1500, 210}, {2, 700, 390}}) {
          const Index band = extent[2] * (20 + Index(this->random() % 200));
          Index n = 0;
          this->check(stencil, extent, this->next_placement(), this->next_placement(), [&] {
            const double point = this->normal(this->random);
            const bool some = n++ / band % 3 == 1 && this->random() % 2000 == 0;
            return some ? std::nan("") : point;
          });
        }
      }
    }
  }
}

/// Rows as long as the tiles of long lines; tiles of shorter rows contain several rows.
TYPED_TEST(Production, RowsOverMissingPoints) {
  for (const Index columns : {319, 321, 639, 640, 641, 1279, 1280, 1281, 2561, 16384, 24633}) {
    for (const Index width : {1, 4, 17, 300}) {
      const Mask mask = Mask::line(std::vector<double>(std::size_t(width), 1.0 / double(width)));
      const auto stencil = make_stencil<TypeParam>(mask, Method::direct, {1, 1}, 0.5);
      for (const Index rows : {1, 37})
        this->check(
            stencil, {1, rows, columns}, this->next_placement(), this->next_placement(),
            [&] { return this->random() % 3 == 0 ? std::nan("") : this->normal(this->random); });
    }
  }
}

/// Renormalized masks that need low tiles, or nearly all of shared memory.
TYPED_TEST(Production, LargeMasksOverMissingPoints) {
  const auto check = [&](const Size& size, bool outer, bool zeros, const Point& extent) {
    this->check(this->stencil_of(size, outer, {1, 1}, zeros, 0.4), extent, this->next_placement(),
                this->next_placement(), [&] {
                  const auto kind = this->random() % 400;
                  const double point = this->normal(this->random);
                  return kind < 10 ? std::nan("") : kind == 10 ? point / 0.0 : point;
                });
  };
  for (const bool zeros : {false, true}) {
    for (const Size& size : std::vector<Size>{{63, 65}, {77, 79}, {85, 87}, {3, 1001}})
      for (const bool outer : {false, true}) check(size, outer, zeros, {2, 40, 150});
    // only infinite points show whether zeros are skipped
    for (const Size& size : std::vector<Size>{{5, 5}, {7, 9}, {3, 21}, {40, 1}})
      check(size, false, zeros, {2, 70, 150});
    check({1, 3001}, false, zeros, {1, 2, 2000});
    check({800, 1}, false, zeros, {1, 140, 40});
  }
}

/// More batches than the largest number of blocks along an axis of a launch.
TYPED_TEST(Production, ManyBatches) {
  this->check(this->stencil_of({3, 1}, false), {70000, 2, 5});
  this->check(this->stencil_of({1, 5}, false), {70000, 1, 6});
  this->check(this->stencil_of({3, 3}, true), {70000, 1, 3});
  this->check(this->stencil_of({3, 1}, false, {2, 1}), {70000, 2, 5});
  this->check(this->stencil_of({1, 5}, false, {1, 2}), {70000, 1, 6});
  this->check(this->stencil_of({3, 3}, true, {2, 2}), {70000, 1, 3});
  this->check(this->stencil_of({3, 3}, false, {2, 2}), {70000, 1, 3});
}

/// A mask along the batch axis is applied to views in which the two outer axes are exchanged.
TYPED_TEST(Production, TransposedViews) {
  using T = TypeParam;
  for (const Index height : {3, 17, 65}) {
    const Stencil<T> stencil = this->stencil_of({height, 1}, false);
    Placement inside = this->next_placement();
    inside.batch_inside = true;
    this->check(stencil, {5, 30, 300}, inside, inside, [&] { return this->wild(); });
    this->check(this->stencil_of({height + 8, height + 8}, true), {5, 30, 300}, inside, inside,
                [&] { return this->wild(); });
    this->check(this->stencil_of({height, 5}, true), {5, 30, 300}, inside, inside,
                [&] { return this->wild(); });
    this->check(this->stencil_of({height, 1}, false, {4, 1}), {5, 30, 300}, inside, inside,
                [&] { return this->wild(); });
  }
}

TYPED_TEST(Production, MasksBeyondConstantAndSharedMemory) {
  this->check(this->stencil_of({1, 9000}, false), {1, 3, 5000});
  this->check(this->stencil_of({1, 70001}, false), {1, 1, 1000});
  this->check(this->stencil_of({5000, 1}, false), {1, 700, 30});
  this->check(this->stencil_of({101, 103}, false), {1, 50, 300});
  this->check(this->stencil_of({3, 2500}, false), {2, 9, 700});
  this->check(this->stencil_of({301, 257}, true), {1, 300, 400});
  this->check(this->stencil_of({7, 4001}, true), {1, 60, 1000});
  // ordinary sums are computed in bands; sums that are NaN are computed again point by point
  this->check(this->stencil_of({301, 257}, false, {1, 1}, false, 0.5), {1, 30, 50});
  this->check(this->stencil_of({1, 70001}, false, {1, 1}, false, 0.5), {1, 1, 100});
  this->check(this->stencil_of({2000, 1}, false, {1, 1}, false, 0.5), {1, 90, 30});
}

TYPED_TEST(Production, NothingToDoTouchesNothing) {
  for (const Point& extent : {Point{0, 3, 3}, Point{2, 0, 3}, Point{2, 3, 0}})
    this->check(this->stencil_of({1, 2}, false), extent);
}

TYPED_TEST(Production, MasksOfSkippedZeros) {
  using T = TypeParam;
  const std::vector<Mask> masks{Mask::grid(std::vector<double>(9, 0.0), 3, 3),
                                Mask::grid({0, 1, 0, 1, -4, 1, 0, 1, 0}, 3, 3),
                                Mask::grid({0, 1, 0, 2, 0}, 1, 5)};
  for (const Mask& mask : masks)
    this->check(make_stencil<T>(mask, Method::direct, {1, 1}, {}), {1, 70, 700});
  for (const Size& size :
       std::vector<Size>{{1, 40}, {1, 2500}, {130, 1}, {900, 1}, {21, 17}, {40, 43}}) {
    std::vector<double> taps(std::size_t(size.height * size.width));
    for (double& tap : taps) tap = this->random() % 3 == 0 ? 0.0 : this->normal(this->random);
    this->check(
        make_stencil<T>(Mask::grid(taps, size.height, size.width), Method::direct, {1, 1}, {}),
        {2, 70, 700});
  }
}

/// Stars, a mask whose taps are 0 except in two rows, and a mask of zeros. Their taps are listed,
/// in bands if necessary.
TYPED_TEST(Production, FewTapsOfLargeMasks) {
  using T = TypeParam;
  const std::vector<Size> sizes{{9, 9}, {5, 31}, {41, 33}, {127, 3}, {101, 103}, {201, 180}};
  const std::vector<std::array<Index, 2>> strides{{1, 1}, {2, 2}, {1, 3},   {3, 1},
                                                  {5, 4}, {7, 3}, {10, 10}, {30, 9}};
  const std::vector<Point> extents{{1, 1, 1}, {2, 5, 7}, {1, 33, 129}, {2, 9, 263}, {1, 70, 64}};
  unsigned n = 0;
  const auto check = [&](const Size& size, const auto& is_tap) {
    std::vector<double> taps;
    for (Index k = 0; k < size.height * size.width; ++k)
      taps.push_back(is_tap(k / size.width, k % size.width) ? this->normal(this->random) : 0);
    Mask mask = Mask::grid(taps, size.height, size.width);
    mask.multiply_zeros = false;
    for (const auto& stride : strides)
      this->check(make_stencil<T>(mask, Method::direct, stride, {}), extents[n++ % extents.size()]);
  };
  for (const Size& size : sizes)
    check(size, [&](Index y, Index x) { return y == size.height / 2 || x == size.width / 2; });
  EXPECT_EQ(this->chosen, "strided_any");
  check({400, 40}, [](Index y, Index) { return y % 399 == 0; });
  check({30, 40}, [](Index, Index) { return false; });
}

}  // namespace
}  // namespace stencil
