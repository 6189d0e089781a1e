// Several steps of masks of three axes in one sweep have the same bits as single steps.
#include "kernels/cpu/volume_steps.hpp"

#include "kernels/cpu/advance_cpu.hpp"
#include "tests/kernels/conditions.hpp"
#include "tests/kernels/step_cases.hpp"

namespace stencil {
namespace {

using namespace testing;

/// Several steps of a mask of three axes on one world, and a block of its points.
struct VolumeCase {
  Mask mask;
  Point world{};
  Box block;
  std::array<BoundaryRule, axes> rule{};
  double value = 0;
  Index steps = 1;

  std::string text() const {
    std::string t = to_string(Point{mask.taps.depth, mask.taps.height, mask.taps.width}) +
                    " centre " + to_string(centre()) + ", world " + to_string(world) + ", block " +
                    to_string(block) + ", " + std::to_string(steps) + " steps,";
    for (const BoundaryRule r : rule) t += " " + std::string(to_string(r));
    return t;
  }

  Point centre() const { return {mask.centre_plane, mask.centre[0], mask.centre[1]}; }

  StepAxis along(int axis) const {
    const Index width = Point{mask.taps.depth, mask.taps.height, mask.taps.width}[axis];
    return {{-block.first[axis], world[axis] - block.first[axis]},
            rule[axis],
            centre()[axis],
            width - 1 - centre()[axis]};
  }

  /// The initial points that the block declares to read.
  Box reads() const {
    Box box;
    for (int axis = 0; axis < axes; ++axis) {
      const Interval own{0, block.along(axis).extent()};
      const Interval start = reads_of_start(along(axis), level_spans(along(axis), own, steps));
      box.set(axis, {start.first + block.first[axis], start.last + block.first[axis]});
    }
    return box;
  }
};

/// The world with the ghosts of a box, each computed from the boundary rule by its index.
template <class T>
Grid<T> ghosted(const VolumeCase& c, const Grid<T>& world, const Box& box) {
  Grid<T> grid(box.extent(), std::numeric_limits<T>::quiet_NaN());
  return grid.set([&](Index b, Index y, Index x) {
    const Point at{b + box.first[0], y + box.first[1], x + box.first[2]};
    Point from;
    for (int axis = 0; axis < axes; ++axis) {
      const auto source = source_index(c.rule[axis], at[axis], c.world[axis]);
      if (!source) return T(c.value);
      from[axis] = *source;
    }
    return world.read().at(from[0], from[1], from[2]);
  });
}

/// Computes one step after the other on the whole world, and refills the ghosts before each.
template <class T>
Grid<T> in_single_steps(const VolumeCase& c, const Stencil<T>& stencil, Grid<T> world) {
  Box box;
  for (int axis = 0; axis < axes; ++axis) {
    VolumeCase whole = c;
    whole.block = make_box(c.world);
    box.set(axis, whole.along(axis).reads({0, c.world[axis]}));
  }
  for (Index n = 0; n < c.steps; ++n) {
    const Grid<T> source = ghosted(c, world, box);
    convolve_cpu<T>(stencil, source.read(), world.view());
  }
  return world;
}

template <class T>
void check(const VolumeCase& c, const Grid<T>& start) {
  const auto stencil = make_stencil<T>(c.mask, Method::direct, {1, 1}, {});
  const Box box = c.reads();
  const Grid<T> source = ghosted(c, start, box);
  Grid<T> found(c.block.extent(), T(77));
  FieldView<const T> owned = source.read();
  owned.data = &owned.at(c.block.first[0] - box.first[0], c.block.first[1] - box.first[1],
                         c.block.first[2] - box.first[2]);
  owned.extent = c.block.extent();
  const StepEdges edges{
      .axis = {c.along(y_axis), c.along(x_axis)}, .value = c.value, .batch = c.along(batch_axis)};
  advance_cpu<T>(stencil, edges, c.steps, owned, found.view());
  EXPECT_TRUE(found.guards_untouched()) << c.text();
  Grid<T> expected(c.block.extent(), T(0));
  const Grid<T> all = in_single_steps(c, stencil, start);
  expected.set([&](Index b, Index y, Index x) {
    return all.read().at(b + c.block.first[0], y + c.block.first[1], x + c.block.first[2]);
  });
  expect_same_bits(found.points_of(), expected.points_of(), c.text());
}

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

Interval part_of(Random& random, Index extent) {
  if (pick(random, 0, 1) == 0) return {0, extent};
  const Index first = pick(random, 0, extent - 1);
  return {first, pick(random, first + 1, extent)};
}

VolumeCase drawn_volume_case(Random& random, const Point& largest) {
  VolumeCase c;
  const Index most = pick(random, 0, 2) == 0 ? 6 : 3;
  c.mask = drawn_volume(random, {pick(random, 2, most), pick(random, 1, most),
                                 pick(random, 0, 5) == 0 ? 9 : pick(random, 1, most)});
  for (int axis = 0; axis < axes; ++axis) {
    c.world[axis] = pick(random, 1, pick(random, 0, 3) == 0 ? 4 : largest[axis]);
    c.block.set(axis, part_of(random, c.world[axis]));
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
    const VolumeCase c = drawn_volume_case(random, {14, 20, 50});
    if (!available(extensions[i % 3])) continue;
    const Conditions conditions(extensions[i % 3], i % 5 == 0 ? 3 : 1);
    check<T>(c, drawn<T>(random, c.world, i % 2 * 500));
  }
}

/// Blocks of several tiles along each axis, on several threads.
TYPED_TEST(VolumeSteps, ManyTilesOnManyThreads) {
  using T = TypeParam;
  Random random(51);
  for (int i = 0; i < 8 && !this->HasFatalFailure(); ++i) {
    VolumeCase c = drawn_volume_case(random, {9, 9, 9});
    c.world = i % 2 == 0 ? Point{70, 40, 300} : Point{12, 190, 600};
    for (int axis = 0; axis < axes; ++axis) c.block.set(axis, {0, c.world[axis]});
    if (i % 4 == 0) c.block.set(x_axis, {7, c.world[2] - 3});
    const Conditions conditions(available("avx512") ? "avx512" : "baseline", 1 + i % 7);
    check<T>(c, drawn<T>(random, c.world, i % 2 * 5000));
  }
}

}  // namespace
}  // namespace stencil
