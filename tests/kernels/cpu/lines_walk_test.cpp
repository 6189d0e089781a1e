// Sums along batch, y and x in one pass have the same bits as three calls of convolve_cpu.
#include "kernels/cpu/lines_walk.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/conditions.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil {
namespace {

using namespace testing;

/// The results of three calls of convolve_cpu, one after the other.
template <class T>
std::vector<T> one_by_one(const std::array<Stencil<T>, 3>& lines, const Grid<T>& source,
                          const Point& inputs) {
  Point extent = inputs;
  Grid<T> points = source;
  for (int axis = 0; axis < axes; ++axis) {
    extent[axis] -= std::ssize(lines[std::size_t(axis)].taps) - 1;
    Grid<T> results(extent, T(0));
    if (axis == batch_axis)
      convolve_cpu<T>(lines[0], points.read().transposed_outer(),
                      results.view().transposed_outer());
    else
      convolve_cpu<T>(lines[std::size_t(axis)], points.read(), results.view());
    points = results;
  }
  return points.points_of();
}

template <class T>
class LinesWalk : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LinesWalk, Types);

TYPED_TEST(LinesWalk, HasTheBitsOfThreeCalls) {
  using T = TypeParam;
  std::mt19937_64 random(52);
  std::normal_distribution<double> normal;
  const auto pick = [&](Index low, Index high) {
    return std::uniform_int_distribution<Index>(low, high)(random);
  };
  const Point extents[] = {{1, 1, 1},   {3, 7, 5},    {20, 9, 40},
                           {33, 30, 3}, {5, 40, 300}, {40, 17, 530}};
  const char* const extensions[] = {"baseline", "avx2", "avx512"};
  for (int i = 0; i < 240 && !this->HasFatalFailure(); ++i) {
    const Point& extent = extents[i % 6];
    if (!available(extensions[i % 3])) continue;
    const Conditions conditions(extensions[i % 3], 1 + i % 4);
    Point inputs = extent;
    std::array<Stencil<T>, 3> lines;
    for (int axis = 0; axis < axes; ++axis) {
      const Index width = pick(0, 4) == 0 ? pick(1, 33) : pick(1, 9);
      const bool has_zeros = pick(0, 2) == 0;
      std::vector<double> taps;
      for (Index k = 0; k < width; ++k)
        taps.push_back(has_zeros && pick(0, 2) == 0 ? 0 : normal(random));
      Mask mask = Mask::line(taps, Axis(axis));
      mask.multiply_zeros = pick(0, 1) == 0;
      lines[std::size_t(axis)] = make_stencil<T>(mask, Method::direct, {1, 1}, {});
      inputs[axis] += width - 1;
    }
    Grid<T> source(inputs, T(1e30)), found(extent, T(-1), 5);
    source.set([&](Index, Index, Index) {
      const Index kind = i % 2 == 0 ? 9 : pick(0, 3000);
      return kind == 0 ? std::nan("") : kind == 1 ? HUGE_VAL : normal(random);
    });
    cpu::walk_lines<T>(lines, cpu::row_kernels<T>(cpu::vector_extension()), source.read(),
                       found.view());
    EXPECT_TRUE(found.guards_untouched());
    expect_same_bits(found.points_of(), one_by_one(lines, source, inputs), to_string(extent));
  }
}

/// The rings of two threads, which fit into the second-level cache except for very wide masks.
TYPED_TEST(LinesWalk, ScratchMemory) {
  using T = TypeParam;
  const Conditions conditions("baseline", 2);
  constexpr Index row = (256 + 16) * sizeof(T);
  EXPECT_GE(cpu::lines_scratch_bytes<T>({17, 17, 17}), 2 * 4 * (16 + 8) * row);
  EXPECT_LE(cpu::lines_scratch_bytes<T>({17, 17, 17}), 2 * (600 << 10));
  EXPECT_GE(cpu::lines_scratch_bytes<T>({3, 4001, 3}), 2 * 4 * 4000 * 256 * Index{sizeof(T)});
}

}  // namespace
}  // namespace stencil
