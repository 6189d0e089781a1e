// Masks of three axes, compared with the reference, and bit by bit with the definition of the sum.
#include "kernels/cpu/volume_walk.hpp"

#include <gtest/gtest.h>

#include "kernels/cpu/vector_extension.hpp"
#include "kernels/cpu/volume_cut.hpp"
#include "kernels/cpu/volume_sums.hpp"
#include "kernels/families/families_round.hpp"
#include "tests/kernels/conditions.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using testing::Conditions;
using testing::Grid;

template <class T>
class VolumeWalk : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(VolumeWalk, Types);

const std::vector<Point> sizes{{2, 1, 1}, {3, 3, 3}, {2, 4, 5}, {5, 1, 3}, {3, 7, 1}, {9, 8, 7}};
const std::vector<Point> extents{{1, 1, 1}, {4, 5, 7}, {2, 4, 90}, {7, 3, 33}, {1, 5, 1100}};
const std::vector<Point> strides{{1, 1, 1}, {1, 1, 1}, {2, 1, 1}, {1, 3, 2}, {4, 2, 5}};

template <class T, class Draw>
Stencil<T> drawn(const Point& size, const Point& stride, bool multiplies_zeros, Draw draw) {
  Taps taps{size[1], size[2], std::vector<double>(std::size_t(points(size))), size[0]};
  for (double& tap : taps.values) tap = draw();
  Mask mask = Mask::volume(std::move(taps));
  mask.multiply_zeros = multiplies_zeros;
  auto stencil = make_stencil<T>(mask, Method::direct, {stride[1], stride[2]}, {});
  stencil.plane_stride = stride[0];
  return stencil;
}

/// A stencil of three axes whose factors are drawn from `draw`.
template <class T, class Draw>
Stencil<T> drawn_factors(const Point& size, const Point& stride, Index terms, Draw draw) {
  std::vector<std::array<std::vector<double>, 3>> products;
  products.resize(std::size_t(terms));
  for (auto& lists : products)
    for (int axis = 0; axis < axes; ++axis)
      for (Index i = 0; i < size[axis]; ++i) lists[std::size_t(axis)].push_back(draw());
  auto stencil =
      make_stencil<T>(sum_of_products(products), Method::separable, {stride[1], stride[2]}, {});
  stencil.plane_stride = stride[0];
  return stencil;
}

/// The definition of a sum by factors: for each plane the results of all terms, rounded to T; then
/// the sum of these results.
template <class T>
T defined_by_factors(const Stencil<T>& stencil, FieldView<const T> source, Index b, Index y,
                     Index x) {
  T sum = 0;
  for (Index k = 0; k < stencil.depth; ++k)
    for (Index term = 0; term < stencil.terms; ++term) {
      T column = 0;
      for (Index j = 0; j < stencil.height; ++j) {
        T row = 0;
        for (Index i = 0; i < stencil.width; ++i)
          row = std::fma(stencil.row[std::size_t(term * stencil.width + i)],
                         source.at(b * stencil.plane_stride + k, y * stencil.stride[0] + j,
                                   x * stencil.stride[1] + i),
                         row);
        column = std::fma(stencil.column[std::size_t(term * stencil.height + j)], row, column);
      }
      sum = std::fma(stencil.plane[std::size_t(term * stencil.depth + k)], column, sum);
    }
  return sum;
}

/// The definition of the direct sum: beginning with +0, one fused multiply-add per tap, plane by
/// plane and row by row.
template <class T>
T defined(const Stencil<T>& stencil, FieldView<const T> source, Index b, Index y, Index x) {
  if (stencil.method == Method::separable) return defined_by_factors(stencil, source, b, y, x);
  T sum = 0;
  std::size_t tap = 0;
  for (Index k = 0; k < stencil.depth; ++k)
    for (Index j = 0; j < stencil.height; ++j)
      for (Index i = 0; i < stencil.width; ++i, ++tap)
        if (stencil.taps[tap] != 0 || stencil.multiply_zeros)
          sum = std::fma(stencil.taps[tap],
                         source.at(b * stencil.plane_stride + k, y * stencil.stride[0] + j,
                                   x * stencil.stride[1] + i),
                         sum);
  return sum;
}

template <class T, class Check>
void for_many(const Check& check) {
  std::mt19937 random(50);
  std::uniform_int_distribution<int> tap(-3, 3);
  std::normal_distribution<double> value;
  std::size_t n = 0;
  for (const Point& size : sizes)
    for (const Point& extent : extents) {
      const Point& stride = strides[n++ % strides.size()];
      const auto draw = [&] { return double(tap(random)) * value(random); };
      const bool has_factors = n % 3 == 0 && size[1] > 1 && size[2] > 1;
      const auto stencil = has_factors ? drawn_factors<T>(size, stride, 1 + Index(n / 3) % 3, draw)
                                       : drawn<T>(size, stride, n % 2 == 0, draw);
      Grid<T> source(testing::inputs_for(stencil, extent), T(1e30));
      source.set([&](Index, Index, Index) { return value(random); });
      check(stencil, source, extent);
    }
}

TYPED_TEST(VolumeWalk, NearTheReference) {
  using T = TypeParam;
  for_many<T>([](const Stencil<T>& stencil, const Grid<T>& source, const Point& extent) {
    const auto both = testing::compute_both(stencil, source, extent);
    EXPECT_TRUE(both.guards_untouched);
    double bound = testing::error_bound(stencil, source.read());
    if (stencil.method == Method::separable) bound *= 20;  // the terms may cancel
    for (std::size_t k = 0; k < both.cpu.size(); ++k)
      ASSERT_NEAR(both.cpu[k], both.reference[k], bound) << to_string(extent) << " at " << k;
  });
}

TYPED_TEST(VolumeWalk, HasTheBitsOfItsDefinition) {
  using T = TypeParam;
  for (const char* extension : {"baseline", "avx2", "avx512"})
    for (const int threads : {1, 3}) {
      if (!testing::available(extension)) continue;
      const Conditions conditions(extension, threads);
      for_many<T>([](const Stencil<T>& stencil, const Grid<T>& source, const Point& extent) {
        Grid<T> found(extent, T(-12345.5), 5), expected(extent, T(-12345.5), 5);
        convolve_cpu<T>(stencil, source.read(), found.view());
        expected.set(
            [&](Index b, Index y, Index x) { return defined(stencil, source.read(), b, y, x); });
        testing::expect_same_bits(found.points_of(), expected.points_of(), to_string(extent));
      });
    }
}

/// Parts of the outputs, as ranks and windows compute them, have the same bits as the whole.
TYPED_TEST(VolumeWalk, PartsHaveTheBitsOfTheWhole) {
  using T = TypeParam;
  for_many<T>([](const Stencil<T>& stencil, const Grid<T>& source, const Point& extent) {
    Grid<T> whole(extent, T(0)), parts(extent, T(0));
    convolve_cpu<T>(stencil, source.read(), whole.view());
    for (Index b = 0; b < extent[0]; ++b)
      for (const Interval rows : {Interval{0, extent[1] / 2}, Interval{extent[1] / 2, extent[1]}}) {
        if (rows.empty()) continue;
        const Box box{{b, rows.first, 0}, {b + 1, rows.last, extent[2]}};
        const Point inputs = testing::inputs_for(stencil, box.extent());
        const Point first{b * stencil.plane_stride, rows.first * stencil.stride[0], 0};
        convolve_cpu<T>(
            stencil,
            source.read().window(
                {first, {first[0] + inputs[0], first[1] + inputs[1], first[2] + inputs[2]}}),
            parts.view().window(box));
      }
    testing::expect_same_bits(parts.points_of(), whole.points_of(), to_string(extent));
  });
}

TYPED_TEST(VolumeWalk, SkipsPointsUnderTapsOfZero) {
  using T = TypeParam;
  Taps star{3, 3, std::vector<double>(27, 0.0), 3};
  for (const std::size_t place : {4u, 10u, 12u, 13u, 14u, 16u, 22u}) star.values[place] = 1;
  Mask mask = Mask::volume(star);
  Grid<T> source({3, 3, 3}, T(0));
  source.set([](Index b, Index y, Index x) {
    return (b == 1) + (y == 1) + (x == 1) >= 2 ? 1.0 : std::nan("");
  });
  Grid<T> target({1, 1, 1}, T(0));
  convolve_cpu<T>(make_stencil<T>(mask, Method::direct, {1, 1}, {}), source.read(), target.view());
  EXPECT_EQ(target.points_of()[0], T(7));
  mask.multiply_zeros = true;
  convolve_cpu<T>(make_stencil<T>(mask, Method::direct, {1, 1}, {}), source.read(), target.view());
  EXPECT_TRUE(std::isnan(target.points_of()[0]));
}

TYPED_TEST(VolumeWalk, ScratchMemoryIsBounded) {
  using T = TypeParam;
  const Conditions conditions("baseline", 3);
  for (const Point& size : {Point{2, 2, 2}, {9, 8, 7}, {33, 65, 17}, {3, 400, 5}})
    for (const Point& stride : {Point{1, 1, 1}, {2, 3, 4}})
      for (const Index terms : {1, 3}) {
        const auto stencil = drawn_factors<T>(size, stride, terms, [] { return 0.5; });
        const Index element = sizeof(T), bound = cpu::volume_scratch_bytes(stencil, element, false);
        const cpu::VolumeShape shape(stencil);
        const Point box = cpu::VolumeCut(shape, {900, 2000, 3000}, element, 3, 900).largest();
        const auto sums =
            cpu::make_volume_sums(stencil, cpu::row_kernels<T>(cpu::vector_extension()), box);
        EXPECT_LE(3 * element * sums->elements(), bound) << to_string(size);
        EXPECT_GE(cpu::volume_scratch_bytes(stencil, element, true) - bound,
                  3 * element * 2 * points(shape.inputs({4, box[1], box[2]})));
      }
  const auto plain = drawn<T>({3, 3, 3}, {1, 1, 1}, true, [] { return 0.5; });
  EXPECT_EQ(cpu::volume_scratch_bytes(plain, sizeof(T), false), 0);
}

/// A mask of three axes with a single plane is computed by the kernels for two axes, with and
/// without a stride.
TYPED_TEST(VolumeWalk, OnePlaneIsAMaskOfTwoAxes) {
  using T = TypeParam;
  std::mt19937 random(5);
  std::normal_distribution<double> value;
  const auto stencil = drawn<T>({1, 3, 5}, {3, 1, 2}, false, [&] { return value(random); });
  Grid<T> source(testing::inputs_for(stencil, {4, 6, 9}), T(1e30)), found({4, 6, 9}, T(0)),
      expected({4, 6, 9}, T(0));
  source.set([&](Index, Index, Index) { return value(random); });
  convolve_cpu<T>(stencil, source.read(), found.view());
  expected.set([&](Index b, Index y, Index x) { return defined(stencil, source.read(), b, y, x); });
  testing::expect_same_bits(found.points_of(), expected.points_of(), "one plane");
}

/// The factors along batch of a mask with a single plane are part of its taps.
TYPED_TEST(VolumeWalk, OnePlaneIsMultipliedByItsFactor) {
  using T = TypeParam;
  using Products = std::vector<std::array<std::vector<double>, 3>>;
  Products products;
  products.push_back({std::vector<double>{2}, {1, 2, 3}, {4, 5, 6}});
  for (const bool has_two_terms : {false, true}) {
    if (has_two_terms) products.push_back({std::vector<double>{-3}, {1, 0, 1}, {0, 2, 1}});
    const Mask mask = sum_of_products(products);
    Grid<T> source({4, 8, 11}, T(1e30));
    source.set([](Index b, Index y, Index x) { return T(b * 64 + y * 8 + x); });
    std::vector<std::vector<double>> results;
    for (const Method method : {Method::direct, Method::separable}) {
      const auto stencil = make_stencil<T>(mask, method, {1, 1}, {});
      const auto both = testing::compute_both(stencil, source, {4, 6, 9});
      results.emplace_back(both.cpu.begin(), both.cpu.end());
      results.emplace_back(both.reference.begin(), both.reference.end());
    }
    for (const auto& result : results) EXPECT_EQ(result, results[0]);
  }
}

}  // namespace
}  // namespace stencil
