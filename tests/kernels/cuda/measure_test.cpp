// Functions with which benchmarks and limits on a GPU are measured.
#include "kernels/cuda/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/cuda/twin_grid.hpp"

namespace stencil::cuda {
namespace {

using stencil::testing::Placement;
using stencil::testing::TwinGrid;

template <class T>
class Measure : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_gpu()) GTEST_SKIP() << "no GPU here: nothing was measured";
  }
};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Measure, Types);

TYPED_TEST(Measure, CountsPointsOfOtherBitsAndNothingBesideThem) {
  using T = TypeParam;
  const Point extent{3, 70, 301};
  TwinGrid<T> a(extent, T(1), Placement{}), b(extent, T(2), Placement{});  // the guards differ
  const auto value = [](Index n, Index y, Index x) { return double(n * 7 + y * 3 + x); };
  a.set(value);
  b.set(value);
  for (const Point& at : {Point{0, 0, 0}, {2, 69, 300}, {1, 33, 300}})
    b.on_host().at(at[0], at[1], at[2]) = std::numeric_limits<T>::quiet_NaN();
  a.on_host().at(1, 2, 3) = T(0);
  b.on_host().at(1, 2, 3) = -T(0);
  a.upload();
  b.upload();
  EXPECT_EQ(count_differing<T>(a.on_device(), b.on_device()), 4);
  EXPECT_EQ(count_differing<T>(b.on_device(), b.on_device()), 0) << "NaN equals itself bit by bit";
}

TYPED_TEST(Measure, OneOfSomeElementsIsLost) {
  using T = TypeParam;
  const Point extent{1, 1, 1000};
  TwinGrid<T> a(extent, T(5), Placement{});
  a.upload();
  lose_points(a.on_device(), 7);
  a.download();
  for (Index x = 0; x < extent[2]; ++x) {
    const T value = a.on_host().at(0, 0, x);
    EXPECT_EQ(std::isnan(value), x % 7 == 0 && x < 1000 / 7 * 7) << x;
  }
}

TYPED_TEST(Measure, RandomNumbersFillAllRowsAndAreTheSameForASeed) {
  using T = TypeParam;
  const Point extent{2, 40, 100};
  TwinGrid<T> a(extent, T(5), Placement{}), b(extent, T(5), Placement{});
  a.upload();
  b.upload();
  fill_random(a.on_device(), 3);
  fill_random(b.on_device(), 3);
  EXPECT_EQ(count_differing<T>(a.on_device(), b.on_device()), 0);
  fill_random(b.on_device(), 4);
  EXPECT_GT(count_differing<T>(a.on_device(), b.on_device()), points(extent) * 9 / 10);
  a.download();
  double sum = 0;
  for (Index n = 0; n < extent[0]; ++n)
    for (Index y = 0; y < extent[1]; ++y)
      for (Index x = 0; x < extent[2]; ++x) {
        const T value = a.on_host().at(n, y, x);
        ASSERT_TRUE(value >= T(-0.5) && value < T(0.5)) << value;
        sum += double(value);
      }
  EXPECT_LT(std::abs(sum) / double(points(extent)), 0.05);
  EXPECT_EQ(a.host.back(), T(5)) << "beyond the last point";
}

TYPED_TEST(Measure, LongerWorkTakesLonger) {
  DeviceArray from(std::size_t{256} << 20), to(std::size_t{256} << 20);
  const auto seconds = [&](std::size_t bytes) {
    return median_seconds(
        [&](CUstream_st* stream) { copy_bytes(from.data(), to.data(), bytes, stream); }, 5);
  };
  seconds(1 << 20);
  EXPECT_GT(seconds(std::size_t{256} << 20), 2 * seconds(1 << 20));
}

TYPED_TEST(Measure, TimesTheWorkOfOneStream) {
  int calls = 0;
  TwinGrid<TypeParam> grid(Point{1, 4000, 4000}, TypeParam(1), Placement{});
  const auto fill = [&] {
    ++calls;
    fill_random(grid.on_device(), 3);
  };
  EXPECT_GT(seconds_on(nullptr, fill), 0);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace stencil::cuda
