// Multi-channel masks on the GPU compared with convolve_channels_cpu, bit for bit, including the
// guards around the target.

#include <gtest/gtest.h>

#include <random>

#include "kernels/channels/convolve_channels_cpu.hpp"
#include "kernels/cuda/channels/channel_tiling.hpp"
#include "kernels/cuda/channels/launch_channels.hpp"
#include "tests/kernels/cuda/twin_grid.hpp"

namespace stencil {
namespace {

using testing::DeviceList;
using testing::Placement;
using testing::TwinGrid;

struct Case {
  Index images, out, in, groups, height, width;
  std::array<Index, 2> stride;
  Index ny, nx;  ///< sides of the output
  std::string name() const {
    return std::to_string(images) + " images of " + std::to_string(in * groups) + " -> " +
           std::to_string(out) + " channels in " + std::to_string(groups) + " groups, " +
           std::to_string(height) + " x " + std::to_string(width) + " taps, strides " +
           std::to_string(stride[0]) + " " + std::to_string(stride[1]) + ", " + std::to_string(ny) +
           " x " + std::to_string(nx) + " points";
  }
};

template <class T>
class GpuChannels : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::have_gpu()) GTEST_SKIP() << "no GPU here: the CUDA kernels were not run";
  }

  std::vector<double> taps(Index count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    for (double& value : values) value = random() % 9 == 0 ? 0 : tap_size * normal(random);
    return values;
  }

  /// Random numbers of very different size; few are infinite, -0, or NaN with different payloads.
  double wild() {
    const unsigned kind = random() % 2000;
    if (kind == 0) return std::numeric_limits<double>::infinity();
    if (kind == 1) return -std::nan("77");
    if (kind == 2) return -0.0;
    return point_size * normal(random) * std::pow(10.0, int(random() % 5) - 2);
  }

  void check(const Case& c) {
    const auto stencil = make_channel_stencil<T>(
        make_channel_mask({c.out, c.in, c.height, c.width}, taps(c.out * c.in * c.height * c.width),
                          c.groups),
        c.stride);
    const Index line = 64 / Index(sizeof(T));
    // rows aligned as in a Field, which begin anywhere within a cache line, and unaligned rows
    const std::vector<Placement> places{{0, 0, line}, {line - 1, 0, line},
                                        {3, 4, 1},    {line - 2, 1, line},
                                        {1, 0, 2},    {line - 3, 0, line}};
    for (int n = 0; n < 2; ++n) {
      const Placement& from = places[at++ % places.size()];
      const Placement& to = places[at++ / 2 % places.size()];
      check(c, stencil, from, to);
      if (this->HasFatalFailure()) return;
    }
  }

  void check(const Case& c, const ChannelStencil<T>& stencil, const Placement& from,
             const Placement& to) {
    const Point inputs{c.images * c.in * c.groups, (c.ny - 1) * c.stride[0] + c.height,
                       (c.nx - 1) * c.stride[1] + c.width};
    const Point outputs{c.images * c.out, c.ny, c.nx};
    TwinGrid<T> source(inputs, T(1e30), from);
    source.set([&](Index, Index, Index) { return wild(); });
    source.upload();
    TwinGrid<T> expected(outputs, T(-123), to), found(outputs, T(-123), to);
    found.upload();
    const DeviceList<T> packed(cuda::packed_channel_taps(stencil));
    convolve_channels_cpu<T>(stencil, source.on_host(), expected.on_host());
    cuda::launch_channels<T>(stencil, packed.data(), source.on_device(), found.on_device(),
                             nullptr);
    found.download();
    for (std::size_t k = 0; k < found.host.size(); ++k)
      ASSERT_EQ(std::memcmp(&found.host[k], &expected.host[k], sizeof(T)), 0)
          << cuda::channels_name(stencil) << ": " << c.name() << ", element " << k << " is "
          << found.host[k] << " instead of " << expected.host[k];
  }

  std::mt19937 random{7};
  std::normal_distribution<double> normal;
  double tap_size = 1, point_size = 1;
  std::size_t at = 0;
};

using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GpuChannels, Types);

TYPED_TEST(GpuChannels, OneOutput) {
  this->check({1, 1, 1, 1, 1, 1, {1, 1}, 1, 1});
}

TYPED_TEST(GpuChannels, EveryBundleAndSizesAroundTheTiles) {
  for (const Index out : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 33, 64})
    for (const Index in : {1, 3, 6})
      for (const Index n : {1, 7, 32, 33, 70})
        this->check({1, out, in, 1, 3, 3, {1, 1}, n, 71 - n});
}

TYPED_TEST(GpuChannels, EveryWidthAndHeight) {
  for (const Index size : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 17})
    for (const Index other : {1, 3, 6, 10}) {
      this->check({2, 6, 5, 1, size, other, {1, 1}, 29, 43});
      this->check({1, 3, 2, 1, other, size, {1, 1}, 17, 66});
    }
}

TYPED_TEST(GpuChannels, StridesAlongBothAxes) {
  for (const Index y : {1, 2, 3, 5})
    for (const Index x : {1, 2, 3, 4, 7}) {
      this->check({2, 8, 3, 1, 3, 3, {y, x}, 21, 37});
      this->check({1, 3, 2, 1, 4, 5, {y, x}, 9, 50});
      this->check({1, 4, 1, 4, 3, 3, {y, x}, 19, 40});
    }
}

TYPED_TEST(GpuChannels, GroupsAndDepthwise) {
  for (const Index groups : {2, 3, 8})
    for (const Index more : {1, 2, 3, 8})
      this->check({2, groups * more, 3, groups, 3, 5, {1, 1}, 18, 35});
  for (const Index width : {1, 2, 3, 4, 5, 7, 9})
    for (const Index nx : {1, 5, 14, 31, 64, 127, 128, 129, 300})
      this->check({3, 5, 1, 5, width, width, {1, 1}, 1 + 3 * nx % 70, nx});
  this->check({2, 6, 1, 3, 3, 3, {1, 1}, 40, 130});
  this->check({2, 5, 1, 5, 3, 5, {1, 1}, 40, 130});
}

/// Products that underflow, to subnormal numbers and to zeros of either sign.
TYPED_TEST(GpuChannels, SumsThatUnderflow) {
  this->tap_size = sizeof(TypeParam) == 8 ? 1e-160 : 1e-23;
  for (const double more : {1.0, 1e-5}) {
    this->point_size = more * (sizeof(TypeParam) == 8 ? 1e-164 : 1e-23);
    for (const Index out : {1, 6, 33}) this->check({2, out, 3, 1, 3, 3, {1, 1}, 33, 70});
    this->check({1, 6, 5, 1, 13, 6, {1, 1}, 29, 43});
    this->check({1, 8, 3, 1, 3, 3, {2, 3}, 21, 37});
    this->check({3, 5, 1, 5, 5, 5, {1, 1}, 40, 130});
    this->check({1, 8, 1, 1, 60, 60, {1, 1}, 12, 20});
  }
}

TYPED_TEST(GpuChannels, MasksTooLargeForSharedMemory) {
  this->check({1, 2, 2, 1, 90, 100, {1, 1}, 5, 9});
  this->check({1, 8, 1, 1, 60, 60, {1, 1}, 12, 20});
  this->check({1, 3, 2, 1, 3, 3, {1, 3000}, 2, 3});
  this->check({1, 9, 2, 3, 2, 3, {500, 400}, 3, 4});
}

TYPED_TEST(GpuChannels, ShapesOfTheBenchmarks) {
  this->check({1, 6, 6, 1, 6, 6, {1, 1}, 63, 207});
  this->check({2, 64, 64, 1, 3, 3, {1, 1}, 32, 64});
  this->check({2, 32, 1, 32, 3, 3, {1, 1}, 64, 256});
}

/// A mask that does not fit into shared memory has no tiling. The tiling is computed on the host,
/// without a GPU.
TEST(ChannelTiling, FitsIntoSharedMemoryOrSaysSo) {
  cuda::ChannelShape shape;
  shape.in = shape.out = 64;
  shape.height = shape.width = 3;
  shape.ny = shape.nx = 128;
  const cuda::ChannelTiling usual = cuda::channel_tiling(shape, 4);
  EXPECT_TRUE(usual.fits);
  EXPECT_EQ(usual.bundle, 8);
  EXPECT_LE(usual.threads(), 256);
  EXPECT_LE(usual.shared_bytes(), 48 << 10);
  shape.height = shape.width = 200;
  EXPECT_FALSE(cuda::channel_tiling(shape, 4).fits);
}

}  // namespace
}  // namespace stencil
