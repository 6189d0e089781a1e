// Several steps of masks of three axes in one sweep have the same bits as single steps.
#include "kernels/cpu/volume_steps.hpp"

#include "tests/kernels/cpu/one_sweep.hpp"

namespace stencil {
namespace {

using namespace testing;

/// A mask whose steps do not amplify the points: a full mask, a star, or some taps of 0.
Mask drawn_volume(Random& random, const Point& size) {
  std::normal_distribution<double> normal;
  const Index shape = pick(random, 0, 2);
  Taps taps{size[1], size[2], {}, size[0]};
  for (Index k = 0; k < size[0]; ++k)
    for (Index j = 0; j < size[1]; ++j)
      for (Index i = 0; i < size[2]; ++i) {
        const bool is_beside = (k != size[0] / 2) + (j != size[1] / 2) + (i != size[2] / 2) > 1;
        const bool is_zero = shape == 1 ? is_beside : shape == 2 && pick(random, 0, 2) == 0;
        taps.values.push_back(is_zero ? 0 : normal(random) / double(points(size)));
      }
  std::array<Index, 3> origin{};
  if (pick(random, 0, 2) == 0)
    for (int axis = 0; axis < axes; ++axis)
      origin[std::size_t(axis)] = pick(random, 0, size[axis] - 1) - size[axis] / 2;
  Mask mask = Mask::volume(std::move(taps), origin);
  mask.multiply_zeros = pick(random, 0, 2) == 0;
  return mask;
}

StepCase drawn_volume_case(Random& random, const Point& largest) {
  StepCase c;
  const Index most = pick(random, 0, 2) == 0 ? 6 : 3;
  c.mask = drawn_volume(random, {pick(random, 2, most), pick(random, 1, most),
                                 pick(random, 0, 5) == 0 ? 9 : pick(random, 1, most)});
  for (int axis = 0; axis < axes; ++axis) {
    c.world[axis] = pick(random, 1, pick(random, 0, 3) == 0 ? 4 : largest[axis]);
    c.block.set(axis, drawn_part(random, c.world[axis]));
    c.rule[std::size_t(axis)] = rules[pick(random, 0, 4)];
  }
  c.value = double(pick(random, -2, 2));
  c.steps = pick(random, 1, 5);
  return c;
}

template <class T>
class VolumeSteps : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(VolumeSteps, Types);

TYPED_TEST(VolumeSteps, AnyMaskBoundaryBlockAndNumberOfSteps) {
  using T = TypeParam;
  Random random(50);
  constexpr const char* extensions[] = {"baseline", "avx2", "avx512"};
  for (int i = 0; i < 600 && !this->HasFatalFailure(); ++i) {
    const StepCase c = drawn_volume_case(random, {14, 20, 50});
    if (!available(extensions[i % 3])) continue;
    const Conditions conditions(extensions[i % 3], i % 5 == 0 ? 3 : 1);
    check_one_sweep<T>(c, drawn<T>(random, c.world, i % 2 * 500));
  }
}

/// Blocks of several tiles along each axis, on several threads.
TYPED_TEST(VolumeSteps, ManyTilesOnManyThreads) {
  using T = TypeParam;
  Random random(51);
  for (int i = 0; i < 8 && !this->HasFatalFailure(); ++i) {
    StepCase c = drawn_volume_case(random, {9, 9, 9});
    c.world = i % 2 == 0 ? Point{70, 40, 300} : Point{12, 190, 600};
    for (int axis = 0; axis < axes; ++axis) c.block.set(axis, {0, c.world[axis]});
    if (i % 4 == 0) c.block.set(x_axis, {7, c.world[2] - 3});
    const Conditions conditions(available("avx512") ? "avx512" : "baseline", 1 + i % 7);
    check_one_sweep<T>(c, drawn<T>(random, c.world, i % 2 * 5000));
  }
}

TYPED_TEST(VolumeSteps, ScratchMemoryIsBounded) {
  using T = TypeParam;
  Random random(53);
  const Conditions conditions("baseline", 2);
  const auto& kernels = cpu::row_kernels<T>(cpu::vector_extension());
  for (int i = 0; i < 300; ++i) {
    StepCase c = drawn_volume_case(random, {9, 9, 9});
    for (int axis = 0; axis < axes; ++axis) {
      c.world[axis] = pick(random, 1, pick(random, 0, 1) == 0 ? 8 : 700);
      c.block.set(axis, drawn_part(random, c.world[axis]));
    }
    const auto stencil = make_stencil<T>(c.mask, Method::direct, {1, 1}, {});
    const Index elements =
        cpu::volume_steps_elements<T>(stencil, kernels, c.edges(), c.steps, c.block.extent(), 2);
    const Index bound = cpu::volume_steps_scratch_bytes<T>(c.widths(), c.steps);
    EXPECT_LE(2 * Index{sizeof(T)} * elements, bound) << c.text();
    if (c.steps <= 4 && points(c.widths()) <= 27) {
      EXPECT_LE(bound, 2 * (2 << 20)) << "more than a cache needs: " << c.text();
    }
  }
}

}  // namespace
}  // namespace stencil
