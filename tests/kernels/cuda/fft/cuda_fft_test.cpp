// Transforms on a GPU compared with convolve_cpu with Method::fft, bit for bit, including guards.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/cuda/fft/cuda_fft.hpp"
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
  Index width, points, outputs;
  bool along_y = false;
  Index stride = 1, across_stride = 1;
  Index batch = 1, across = 1;

  Point extent() const {
    return along_y ? Point{batch, outputs, across} : Point{batch, across, outputs};
  }
  int axis() const { return along_y ? y_axis : x_axis; }
  std::string text() const {
    return fmt::format("{} taps, {} points, {} outputs, strides {} {}, {} x {} lines along {}",
                       width, points, outputs, stride, across_stride, batch, across,
                       along_y ? "y" : "x");
  }
};

template <class T>
class GpuFft : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::have_gpu()) GTEST_SKIP() << "no GPU here: the CUDA kernels were not run";
    executor_ = std::make_unique<cuda::CudaExecutor>(0);
  }

  Stencil<T> stencil_of(const Case& c, bool skip_zeros = false) {
    std::vector<double> taps(std::size_t(c.width));
    for (double& tap : taps) tap = skip_zeros && random_() % 3 == 0 ? 0 : normal_(random_);
    Mask mask = Mask::line(taps, c.along_y ? y_axis : x_axis);
    mask.multiply_zeros = !skip_zeros;
    const auto strides = c.along_y ? std::array<Index, 2>{c.stride, c.across_stride}
                                   : std::array<Index, 2>{c.across_stride, c.stride};
    return make_stencil<T>(mask, Method::fft, strides, {}, {c.points, c.width});
  }

  double normal() { return normal_(random_); }
  cuda::CudaExecutor& executor() { return *executor_; }

  /// @param draw  returns one input
  template <class Draw>
  void check(const Case& c, const Stencil<T>& stencil, const Draw& draw) {
    const std::vector<Placement> places{
        {3, 4, 1}, {0, 0, 64 / Index(sizeof(T))}, {1, 0, 2}, {1, 0, 2, true}};
    const Placement from = places[random_() % places.size()],
                    to = places[random_() % places.size()];
    const T guard = T(-12345.5);
    TwinGrid<T> source(testing::inputs_for(stencil, c.extent()),
                       std::numeric_limits<T>::quiet_NaN(), from);
    source.set([&](Index, Index, Index) { return draw(); });
    source.upload();
    TwinGrid<T> expected(c.extent(), guard, to), found(c.extent(), guard, to);
    convolve_cpu<T>(stencil, source.on_host(), expected.on_host());
    found.upload();
    const DeviceList<T> taps(stencil.taps);
    const cuda::CudaFft<T> fft(*executor_, stencil);
    CUstream_st* stream = executor_->stream(Lane::work);
    fft.run(taps.data(), source.on_device(), found.on_device(), {}, stream);
    executor_->synchronize();
    found.download();
    expect_same(expected, found, c.text());
    // the outputs in windows, each computed from exactly the inputs that its blocks read
    TwinGrid<T> parts(c.extent(), guard, to);
    parts.upload();
    for (Index first = 0; first < c.outputs;) {
      const Index last = std::min<Index>(c.outputs, first + 1 + Index(random_() % c.outputs));
      Box box = make_box(c.extent());
      box.set(c.axis(), {first, last});
      Box reads = make_box(testing::inputs_for(stencil, c.extent()));
      reads.set(c.axis(), stencil.fft->blocks.reads({first, last}, c.stride, c.outputs));
      fft.run(taps.data(), FieldView<const T>(source.on_device()).window(reads),
              parts.on_device().window(box), {first, c.outputs}, stream);
      first = last;
    }
    executor_->synchronize();
    parts.download();
    expect_same(expected, parts, c.text() + " in windows");
  }

 private:
  std::unique_ptr<cuda::CudaExecutor> executor_;
  std::mt19937 random_{31};
  std::normal_distribution<double> normal_;
};

using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GpuFft, Types);

/// Transforms with every number of passes in shared memory, and with one to three passes in device
/// memory before these passes.
TYPED_TEST(GpuFft, TransformsOfAllLengths) {
  for (Index points = 256; points <= 1 << 19; points *= 2)
    for (const Index width : {points / 8 + 1, points / 2}) {
      const Case c{width, points, points * 5 / 2 + 33};
      this->check(c, this->stencil_of(c), [&] { return this->normal(); });
    }
}

TYPED_TEST(GpuFft, LinesAndColumnsOfAllKinds) {
  for (const Case& c : std::vector<Case>{{1, 256, 1},
                                         {2, 256, 500},
                                         {241, 256, 100, false, 1, 1, 2, 3},
                                         {64, 1024, 20000, false, 3},
                                         {300, 512, 77},
                                         {33, 256, 1000, false, 7, 2, 3, 5},
                                         {100, 2048, 9000, false, 1, 3, 1, 2},
                                         {31, 256, 2000, true, 1, 1, 2, 37},
                                         {130, 512, 1500, true, 2, 1, 1, 19},
                                         {257, 1024, 700, true, 1, 1, 3, 5},
                                         {3, 256, 30, true, 1, 1, 1, 100},
                                         {70, 256, 3000, true, 5, 3, 2, 40},
                                         {130, 512, 3000, false, 4, 1, 2, 5},
                                         {300, 4096, 2000, true, 8, 1, 1, 67},
                                         {700, 16384, 9000, false, 10, 1, 1, 5},
                                         {900, 32768, 70000, true, 1, 1, 1, 7}})
    this->check(c, this->stencil_of(c), [&] { return this->normal(); });
}

/// More lines and more columns than are computed at once, on all lanes: lines and columns of long
/// transforms, and columns of transforms of which few fit into shared memory.
TYPED_TEST(GpuFft, MorePiecesThanFitAtOnce) {
  const Index element = sizeof(TypeParam);
  for (const Case& c :
       {Case{20000, 65536, 150000, false, 1, 1, 1, 331},
        Case{200, 32768, 70000, true, 1, 1, 1, 331}, Case{1000, 8192, 20000, true, 3, 1, 1, 651}}) {
    const FftBlocks blocks{c.points, c.width};
    const Index pieces = (c.outputs * c.stride / blocks.pair() + 1) * c.across;
    ASSERT_LT(3 * cuda::fft_pieces_at_once(blocks, element, !c.along_y, c.points > 8192), pieces);
    this->check(c, this->stencil_of(c), [&] { return this->normal(); });
  }
}

/// The announced amount of memory covers the amount that is allocated.
TYPED_TEST(GpuFft, TakesNoMoreMemoryThanCounted) {
  const Index element = sizeof(TypeParam);
  for (const bool along_y : {false, true})
    for (Index points = 1024; points <= 1 << 20; points *= 4) {
      const Case c{points / 4, points, 1, along_y};
      const Stencil<TypeParam> stencil = this->stencil_of(c);
      const Index before = *this->executor().device_memory();
      const cuda::CudaFft<TypeParam> fft(this->executor(), stencil);
      EXPECT_LE(before - *this->executor().device_memory(),
                cuda::fft_device_bytes(stencil.fft->blocks, element, !along_y))
          << c.text();
    }
}

/// Pairs with inputs or results that are not finite, and pairs of zeros.
TYPED_TEST(GpuFft, PairsThatAreNoNumbers) {
  using T = TypeParam;
  std::mt19937 random(3);
  for (const bool along_y : {false, true})
    for (const Index points : {Index{512}, Index{65536}})
      for (const Index every : {Index{3}, points, 8 * points}) {
        const Case c{points / 5, points, points * 6, along_y, along_y ? 2 : 1, 1, 1, 9};
        const Stencil<T> stencil = this->stencil_of(c, every == points);
        this->check(c, stencil, [&]() -> double {
          const unsigned kind = unsigned(random() % (8 * every));
          if (kind == 0) return std::numeric_limits<double>::infinity();
          if (kind == 1) return -std::numeric_limits<double>::infinity();
          if (kind == 2) return std::nan("77");
          if (kind == 3) return 0.4 * double(std::numeric_limits<T>::max());
          return every == 3 ? -0.0 : this->normal();
        });
      }
}

/// Inputs so large that some outputs overflow, whether a stride selects these outputs or not.
TYPED_TEST(GpuFft, OutputsThatNoStrideWantsMayOverflow) {
  using T = TypeParam;
  std::mt19937 random(4);
  for (const bool along_y : {false, true})
    for (const Index points : {Index{512}, Index{4096}, Index{65536}})
      for (const Index stride : {2, 4, 8, 12}) {
        const Case c{65, points, 6 * points / stride, along_y, stride, 1, 1, 9};
        Mask mask = Mask::line(std::vector<double>(65, 0.0), along_y ? y_axis : x_axis);
        mask.taps.values[0] = 2;
        const auto stencil = make_stencil<T>(
            mask, Method::fft,
            along_y ? std::array<Index, 2>{stride, 1} : std::array<Index, 2>{1, stride}, {},
            {c.points, c.width});
        this->check(c, stencil, [&]() -> double {
          return random() % unsigned(3 * points) == 0 ? 0.6 * double(std::numeric_limits<T>::max())
                                                      : this->normal();
        });
      }
}

TYPED_TEST(GpuFft, UnderflowAndSilence) {
  using T = TypeParam;
  for (const double size : {0.0, double(std::numeric_limits<T>::denorm_min()),
                            1000 * double(std::numeric_limits<T>::min())})
    for (const bool along_y : {false, true}) {
      const Case c{100, 1024, 5000, along_y, 1, 1, 1, 3};
      this->check(c, this->stencil_of(c), [&] { return size == 0 ? -0.0 : size * this->normal(); });
    }
}

}  // namespace
}  // namespace stencil
