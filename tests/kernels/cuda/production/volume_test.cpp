// The kernels of direct and separable masks of three axes compared with convolve_cpu, bit for bit,
// including guards.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "framework/device/cuda/cuda_executor.hpp"
#include "kernels/cuda/cuda_stencil.hpp"
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/production/volume_choice.hpp"
#include "kernels/cuda/volume_passes.hpp"
#include "kernels/families/families_round.hpp"
#include "kernels/method/fft_tile_choice.hpp"
#include "tests/kernels/cuda/twin_grid.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::DeviceList;
using testing::Placement;
using testing::TwinGrid;

template <class T>
class VolumeKernels : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::have_gpu()) GTEST_SKIP() << "no GPU here: the CUDA kernels were not run";
  }

  /// Random numbers of very different size; few are infinite, -0, or NaN.
  double wild() {
    const unsigned kind = random() % 4000;
    if (kind == 0) return std::numeric_limits<double>::infinity();
    if (kind == 1) return std::nan("77");
    if (kind == 2) return -0.0;
    return normal(random) * std::pow(10.0, int(random() % 9) - 4);
  }

  /// @param zeros  share of the taps that are 0 and skipped
  Stencil<T> direct(const Point& size, double zeros, const Point& stride = {1, 1, 1}) {
    Taps taps{size[1], size[2], std::vector<double>(std::size_t(points(size))), size[0]};
    std::bernoulli_distribution is_zero(zeros);
    for (double& tap : taps.values) tap = is_zero(random) ? 0.0 : normal(random) + 0.3;
    Mask mask = Mask::volume(std::move(taps));
    mask.multiply_zeros = zeros == 0;
    auto stencil = make_stencil<T>(mask, Method::direct, {stride[1], stride[2]}, {});
    stencil.plane_stride = stride[0];
    return stencil;
  }

  Stencil<T> separable(const Point& size, Index terms, const Point& stride = {1, 1, 1}) {
    std::vector<std::array<std::vector<double>, 3>> products;
    products.resize(std::size_t(terms));
    for (auto& lists : products)
      for (int axis = 0; axis < axes; ++axis)
        for (Index i = 0; i < size[axis]; ++i)
          lists[std::size_t(axis)].push_back(normal(random) + 0.3);
    auto stencil =
        make_stencil<T>(sum_of_products(products), Method::separable, {stride[1], stride[2]}, {});
    stencil.plane_stride = stride[0];
    return stencil;
  }

  /// Targets with every alignment. Inputs of small masks are aligned relative to the target in any
  /// way, and those of large masks, whose kernels take long to compile, as in a Field.
  void check(const Stencil<T>& stencil, const Point& extent) {
    const Index line = 64 / Index(sizeof(T));
    const std::vector<Placement> list{{0, 0, line}, {line - 2, 0, line}, {3, 4, 1},
                                      {5, 0, line}, {1, 0, 2},           {2, 3, line}};
    const Placement to = list[checked % list.size()];
    Placement from = list[random() % list.size()];
    if (checked % 2 == 0 || stencil.taps.size() > 30)
      from = {(to.lead + line - stencil.width / 2 % line) % line, to.trail, line};
    ++checked;
    TwinGrid<T> source(testing::inputs_for(stencil, extent), T(1e30), from);
    const bool tame = random() % 3 == 0;
    source.set([&](Index, Index, Index) { return tame ? normal(random) : wild(); });
    source.upload();
    const T guard = T(-12345.5);
    TwinGrid<T> expected(extent, guard, to), found(extent, guard, to);
    convolve_cpu<T>(stencil, source.on_host(), expected.on_host());
    found.upload();
    if (stencil.method == Method::separable && stencil.depth > 1) {
      cuda::VolumePasses<T>(executor(), stencil)
          .run(source.on_device(), found.on_device(), nullptr);
    } else {
      const DeviceList<T> taps(stencil.taps);
      if (stencil.depth > 1)
        compiled += cuda::has_volume_kernel(
            cuda::make_volume_arguments<T>(stencil, {}, source.on_device(), found.on_device()),
            stencil);
      cuda::launch_production<T>(stencil, {taps.data(), nullptr, nullptr}, source.on_device(),
                                 found.on_device(), nullptr);
    }
    found.download();
    testing::expect_same(expected, found,
                         cuda::production_name(stencil) + " on " + to_string(extent) + " lead " +
                             std::to_string(from.lead) + " to " + std::to_string(to.lead));
  }

  static cuda::CudaExecutor& executor() {
    static cuda::CudaExecutor gpu(0);
    return gpu;
  }

  std::mt19937 random{50};
  std::normal_distribution<double> normal;
  std::size_t checked = 0;
  int compiled = 0;  ///< checks of kernels that are compiled for the mask
};

using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(VolumeKernels, Types);

const std::vector<Point> sizes{{3, 3, 3}, {2, 3, 5}, {5, 5, 5}, {3, 1, 4},  {4, 5, 1}, {2, 1, 1},
                               {7, 7, 7}, {1, 3, 3}, {9, 5, 3}, {13, 2, 3}, {24, 1, 1}};

/// Extents close to the sides of tiles, and small extents, which are summed point by point.
const std::vector<Point> extents{{1, 1, 1},    {5, 6, 7},     {9, 33, 129}, {1, 130, 300},
                                 {33, 31, 64}, {70, 40, 127}, {2, 90, 257}, {150, 5, 31}};

TYPED_TEST(VolumeKernels, DirectMasks) {
  for (const Point& size : sizes)
    for (const double zeros : {0.0, 0.5}) {
      const auto stencil = this->direct(size, zeros);  // each pattern of zeros has its own kernel
      for (const Point& extent : extents) this->check(stencil, extent);
    }
  EXPECT_GT(this->compiled, 60);
}

TYPED_TEST(VolumeKernels, SevenPoints) {
  Taps taps{3, 3, std::vector<double>(27), 3};
  for (const int k : {4, 10, 12, 13, 14, 16, 22}) taps.values[std::size_t(k)] = 0.1 * k - 1.05;
  const auto stencil = make_stencil<TypeParam>(Mask::volume(taps), Method::direct, {1, 1}, {});
  EXPECT_EQ(cuda::production_name(stencil), "cuda volume 7 of 3x3x3");
  for (const Point& extent : extents) this->check(stencil, extent);
  this->check(stencil, {200, 100, 300});
}

TYPED_TEST(VolumeKernels, LargeMasksAndStrides) {
  for (const Point& size : std::vector<Point>{{9, 9, 9}, {30, 2, 2}, {2, 40, 3}, {2, 3, 90}})
    this->check(this->direct(size, 0.3), {20, 40, 70});
  for (const Point& stride : std::vector<Point>{{2, 1, 1}, {1, 3, 2}, {4, 2, 5}, {1, 1, 2}})
    for (const Point& size : sizes) this->check(this->direct(size, 0.2, stride), {9, 12, 50});
}

/// Without a run-time compiler all masks are summed point by point.
TYPED_TEST(VolumeKernels, WithoutCompiler) {
  setenv("STENCIL_GENERATED_KERNELS", "off", 1);
  for (const Point& size : sizes) this->check(this->direct(size, 0.4), {20, 33, 70});
  for (const Index terms : {1, 2}) this->check(this->separable({5, 4, 3}, terms), {20, 33, 70});
  EXPECT_EQ(this->compiled, 0);
  unsetenv("STENCIL_GENERATED_KERNELS");
}

TYPED_TEST(VolumeKernels, SeparableMasks) {
  for (const Point& size :
       std::vector<Point>{{3, 3, 3}, {9, 9, 9}, {2, 5, 7}, {17, 4, 3}, {33, 33, 33}})
    for (const Index terms : {1, 2, 3})
      for (const Point& extent : extents) this->check(this->separable(size, terms), extent);
  for (const Point& stride : std::vector<Point>{{2, 1, 1}, {1, 3, 2}, {4, 2, 5}})
    for (const Index terms : {1, 3})
      this->check(this->separable({7, 5, 6}, terms, stride), {9, 12, 50});
}

/// Zeros of a factor are not multiplied by infinite or missing inputs.
TYPED_TEST(VolumeKernels, SeparableMasksWithZeros) {
  for (int axis = 0; axis < axes; ++axis) {
    auto stencil = this->separable({9, 5, 7}, 1);
    auto& factor = axis == 0 ? stencil.plane : axis == 1 ? stencil.column : stencil.row;
    factor[2] = 0;
    stencil.multiply_zeros = false;
    for (const Point& extent : extents) this->check(stencil, extent);
  }
}

/// A mask of one plane with a stride along batch, computed by transforms.
TYPED_TEST(VolumeKernels, TransformsOfEverySecondPlane) {
  const Point extent{5, 40, 70};
  for (const auto& [height, width] : std::vector<std::pair<Index, Index>>{{9, 9}, {1, 33}}) {
    Taps taps{height, width, std::vector<double>(std::size_t(height * width)), 1};
    for (double& tap : taps.values) tap = this->normal(this->random);
    const Mask mask = Mask::volume(std::move(taps));
    const FftTiles tiles =
        height > 1 ? choose_fft_tiles(height, width, {{extent[1], extent[2]}, 1, sizeof(TypeParam)})
                   : FftTiles{};
    auto stencil = make_stencil<TypeParam>(mask, Method::fft, {1, 1}, {}, {}, tiles);
    stencil.plane_stride = 2;
    const TypeParam guard(-12345.5);
    TwinGrid<TypeParam> source(testing::inputs_for(stencil, extent), guard, {});
    source.set([&](Index, Index, Index) { return this->normal(this->random); });
    source.upload();
    TwinGrid<TypeParam> expected(extent, guard, {}), found(extent, guard, {});
    convolve_cpu<TypeParam>(stencil, source.on_host(), expected.on_host());
    found.upload();
    cuda::bind_cuda_stencil<TypeParam>(this->executor(), stencil)
        ->run(source.on_device(), found.on_device(), Lane::work, {});
    this->executor().synchronize(Lane::work);
    found.download();
    testing::expect_same(expected, found, "transforms of " + std::to_string(width) + " columns");
  }
}

/// Outputs that are computed in several pieces, because the scratch memory is too small for all
/// outputs together.
TYPED_TEST(VolumeKernels, SeparableMasksInPieces) {
  this->check(this->separable({25, 3, 3}, 1), {12, 1300, 1500});
  this->check(this->separable({3, 2, 5}, 1, {3, 1, 1}), {30, 1100, 1300});
}

}  // namespace
}  // namespace stencil
