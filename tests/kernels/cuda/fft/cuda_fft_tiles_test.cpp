// Transforms of 2D masks on a GPU compared with convolve_cpu with Method::fft, bit for bit,
// including the guards around the target.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/fft/cuda_fft_tiles.hpp"
#include "kernels/cuda/fft/memory.hpp"
#include "tests/kernels/cuda/twin_grid.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::DeviceList;
using testing::expect_same;
using testing::Placement;
using testing::TwinGrid;

struct Case {
  Index height, width;
  std::array<Index, 2> points;
  Point extent;
  std::array<Index, 2> stride{1, 1};
  Index lead = 0;

  FftTiles tiles() const { return {{points[0], height}, {points[1], width, fft_tile_unit, lead}}; }
  std::string text() const {
    return fmt::format(
        "{} x {} taps, tiles of {} x {} behind {}, {} x {} x {} outputs, stride {} {}", height,
        width, points[0], points[1], lead, extent[0], extent[1], extent[2], stride[0], stride[1]);
  }
};

template <class T>
class GpuFftTiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::have_gpu()) GTEST_SKIP() << "no GPU here: the CUDA kernels were not run";
    executor_ = std::make_unique<cuda::CudaExecutor>(0);
  }

  Stencil<T> stencil_of(const Case& c, bool skip_zeros = false) {
    std::vector<double> taps(std::size_t(c.height * c.width));
    for (double& tap : taps) tap = skip_zeros && random_() % 3 == 0 ? 0 : normal_(random_);
    Mask mask = Mask::grid(taps, c.height, c.width);
    mask.multiply_zeros = !skip_zeros;
    return make_stencil<T>(mask, Method::fft, c.stride, {}, {}, c.tiles());
  }

  double normal() { return normal_(random_); }
  cuda::CudaExecutor& executor() { return *executor_; }

  void check(const Case& c) {
    check(c, stencil_of(c), [&] { return normal(); });
  }
  /// @param draw         returns one input
  /// @param most_marked  argument of CudaFftTiles
  template <class Draw>
  void check(const Case& c, const Stencil<T>& stencil, const Draw& draw, Index most_marked = 0) {
    const std::vector<Placement> places{
        {3, 4, 1}, {0, 0, 64 / Index(sizeof(T))}, {1, 0, 2}, {1, 0, 2, true}};
    const Placement from = places[random_() % places.size()],
                    to = places[random_() % places.size()];
    const T guard = T(-12345.5);
    TwinGrid<T> source(testing::inputs_for(stencil, c.extent), std::numeric_limits<T>::quiet_NaN(),
                       from);
    source.set([&](Index, Index, Index) { return draw(); });
    source.upload();
    TwinGrid<T> expected(c.extent, guard, to), found(c.extent, guard, to);
    convolve_cpu<T>(stencil, source.on_host(), expected.on_host());
    found.upload();
    const DeviceList<T> taps(stencil.taps);
    const cuda::CudaFftTiles<T> fft(*executor_, stencil, most_marked);
    CUstream_st* stream = executor_->stream(Lane::work);
    fft.run(taps.data(), source.on_device(), found.on_device(), {}, stream);
    executor_->synchronize();
    found.download();
    expect_same(expected, found, c.text());
    // the outputs in windows, each computed from exactly the inputs that its tiles read
    TwinGrid<T> parts(c.extent, guard, to);
    parts.upload();
    for (const Interval& rows : cuts(c.extent[1]))
      for (const Interval& columns : cuts(c.extent[2])) {
        Box box = make_box(c.extent), reads = make_box(testing::inputs_for(stencil, c.extent));
        box.set(y_axis, rows);
        box.set(x_axis, columns);
        reads.set(y_axis, c.tiles().y.reads(rows, c.stride[0], c.extent[1]));
        reads.set(x_axis, c.tiles().x.reads(columns, c.stride[1], c.extent[2]));
        fft.run(taps.data(), FieldView<const T>(source.on_device()).window(reads),
                parts.on_device().window(box),
                {columns.first, c.extent[2], rows.first, c.extent[1]}, stream);
      }
    executor_->synchronize();
    parts.download();
    expect_same(expected, parts, c.text() + " in windows");
  }

 private:
  std::vector<Interval> cuts(Index all) {
    std::vector<Interval> parts;
    for (Index first = 0; first < all; first = parts.back().last)
      parts.push_back({first, std::min<Index>(all, first + 1 + Index(random_() % all))});
    return parts;
  }

  std::unique_ptr<cuda::CudaExecutor> executor_;
  std::mt19937 random_{37};
  std::normal_distribution<double> normal_;
};

using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GpuFftTiles, Types);

/// Transforms that stay in shared memory, transforms that pass through device memory, rows that do
/// not fit into shared memory, and every number of passes.
TYPED_TEST(GpuFftTiles, TransformsOfAllSizes) {
  for (const Index y : {64, 128, 256, 512, 1024})
    for (const Index x : {32, 64, 128, 256, 512, 1024})
      this->check({y / 8, x / 4 + 1, {y, x}, {1, y * 3 / 2, 2 * x + 7}});
  // columns of 8192 points in float64 do not fit into the shared memory of GPUs that have 99 KiB
  const bool small = cuda::most_shared_bytes() < std::size_t(160 << 10) && sizeof(TypeParam) == 8;
  for (const Index y : {64, 2048, 4096, 8192, 16384})
    if (y < 8192 || !small) this->check({y / 2, 3, {y, 32}, {1, y * 3 / 4, 50}});
  for (const Index x : {2048, 4096, 8192, 16384})
    this->check({3, x / 2, {64, x}, {1, 90, x * 3 / 4}});
}

TYPED_TEST(GpuFftTiles, GridsOfAllKinds) {
  for (const Case& c : std::vector<Case>{{2, 2, {64, 32}, {1, 1, 1}},
                                         {3, 5, {64, 32}, {2, 150, 70}},
                                         {40, 3, {64, 128}, {3, 60, 125}},
                                         {64, 2, {64, 64}, {1, 5, 50}},
                                         {7, 49, {128, 64}, {1, 130, 40}},
                                         {6, 7, {64, 64}, {1, 77, 61}, {2, 3}},
                                         {6, 7, {64, 64}, {2, 12, 11}, {19, 25}},
                                         {10, 9, {64, 512}, {1, 60, 1100}, {1, 2}},
                                         {21, 12, {1024, 32}, {1, 1030, 33}},
                                         {33, 40, {512, 512}, {2, 1200, 900}, {3, 1}},
                                         {101, 90, {512, 1024}, {1, 700, 2000}},
                                         {7, 9, {128, 128}, {2, 260, 250}, {1, 1}, 9},
                                         {33, 3, {64, 64}, {1, 90, 200}, {1, 1}, 15},
                                         {9, 12, {64, 128}, {2, 70, 60}, {2, 3}, 4},
                                         {63, 63, {512, 512}, {1, 1000, 1100}, {1, 1}, 1}})
    this->check(c);
}

/// More tiles than are computed at once, on all lanes.
TYPED_TEST(GpuFftTiles, MoreTilesThanFitAtOnce) {
  const Index element = sizeof(TypeParam);
  const Case c{200, 180, {512, 512}, {2, 2300, 2600}};
  const Index tiles = 2 * (2300 / c.tiles().y.outputs() + 1) * (2600 / c.tiles().x.outputs() + 1);
  ASSERT_LT(3 * cuda::fft_tiles_at_once(c.tiles(), element), tiles);
  this->check(c);
}

/// The announced amount of memory covers the amount that is allocated.
TYPED_TEST(GpuFftTiles, TakesNoMoreMemoryThanCounted) {
  const Index element = sizeof(TypeParam);
  for (const Index points : {64, 256, 1024, 2048}) {
    const Case c{points / 4, points / 4, {points, points}, {1, 1, 1}};
    const Stencil<TypeParam> stencil = this->stencil_of(c);
    const Index before = *this->executor().device_memory();
    const cuda::CudaFftTiles<TypeParam> fft(this->executor(), stencil);
    EXPECT_LE(before - *this->executor().device_memory(),
              cuda::fft_device_bytes(c.tiles(), element))
        << c.text();
  }
}

/// Tiles with inputs that are not finite, or with results that overflow.
TYPED_TEST(GpuFftTiles, TilesThatAreNoNumbers) {
  using T = TypeParam;
  std::mt19937 random(3);
  for (const Index points : {128, 512})
    for (const Index every : {Index{3}, 40 * points, 8 * points * points})
      for (const std::array<Index, 2> stride : {std::array<Index, 2>{1, 1}, {2, 3}}) {
        const Case c{points / 8, points / 8 + 1,        {points, points}, {1, 2 * points, points},
                     stride,     stride[0] == 1 ? 7 : 0};
        const Stencil<T> stencil = this->stencil_of(c, stride[0] == 1);
        this->check(c, stencil, [&]() -> double {
          const unsigned kind = unsigned(random() % every);
          if (kind == 0) return std::numeric_limits<double>::infinity();
          if (kind == 1) return -std::numeric_limits<double>::infinity();
          if (kind == 2) return std::nan("77");
          if (kind == 3 && every > 10000) return 0.4 * double(std::numeric_limits<T>::max());
          return every == 3 ? -0.0 : this->normal();
        });
      }
}

/// Tiles with inputs that are not finite, of which only some are recomputed at a time: after
/// several batches, or within one batch.
TYPED_TEST(GpuFftTiles, TilesThatAreNoNumbersSomeAtATime) {
  std::mt19937 random(5);
  const Case c{100, 110, {256, 512}, {1, 1500, 2000}};
  const Stencil<TypeParam> stencil = this->stencil_of(c);
  const auto draw = [&] { return random() % 100000 == 0 ? std::nan("") : this->normal(); };
  for (const Index most_marked : {1, 7, 20}) this->check(c, stencil, draw, most_marked);
}

TYPED_TEST(GpuFftTiles, UnderflowAndSilence) {
  using T = TypeParam;
  for (const double size : {0.0, double(std::numeric_limits<T>::denorm_min()),
                            1000 * double(std::numeric_limits<T>::min())})
    for (const Index points : {128, 512}) {
      const Case c{9, 10, {points, points}, {1, 600, 300}};
      this->check(c, this->stencil_of(c), [&] { return size == 0 ? -0.0 : size * this->normal(); });
    }
}

}  // namespace
}  // namespace stencil
