// Every kind of stage through the public constructor, on one to six ranks, compared with the
// definition (kernels/reference) on the whole array. Data and taps are small integers, so that all
// results are exact, except where missing points are left out of the sums.
#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/pipeline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "kernels/reference/convolve_reference.hpp"
#include "tests/support/backend.hpp"

namespace stencil {
namespace {

using Random = std::mt19937_64;

Index pick(Random& random, Index low, Index high) {
  return std::uniform_int_distribution<Index>(low, high)(random);
}

std::vector<double> integers(Random& random, Index count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = double(pick(random, -3, 3));
  return values;
}

/// All points of the whole array (the world), in row-major order.
struct World {
  Point shape{};
  std::vector<double> values;
  explicit World(const Point& s) : shape(s), values(static_cast<std::size_t>(points(s))) {}
  double& at(Index b, Index y, Index x) { return values[(b * shape[1] + y) * shape[2] + x]; }
  FieldView<double> view() { return {values.data(), shape, shape[1] * shape[2], shape[2]}; }
};

/// The points of a box. Points beyond the edges of the world are computed by the boundary rules.
World extended(World& world, const Box& box, const Boundary& boundary) {
  World result(box.extent());
  for (Index b = 0; b < result.shape[0]; ++b)
    for (Index y = 0; y < result.shape[1]; ++y)
      for (Index x = 0; x < result.shape[2]; ++x) {
        const Point at{box.first[0] + b, box.first[1] + y, box.first[2] + x};
        std::array<std::optional<Index>, axes> from;
        for (int axis = 0; axis < axes; ++axis)
          from[axis] = source_index(boundary.rule[axis], at[axis], world.shape[axis]);
        result.at(b, y, x) =
            from[0] && from[1] && from[2] ? world.at(*from[0], *from[1], *from[2]) : boundary.value;
      }
  return result;
}

/// Applies one mask to a world according to the definition. The taps of a mask along batch are
/// stored along y.
World apply_mask(const Stage& stage, const Mask& mask, World world) {
  const bool along_batch = mask.rank == 1 && mask.axis == batch_axis;
  const int rows = along_batch ? batch_axis : y_axis;
  Box box = make_box(world.shape);
  Point outputs = world.shape;
  for (const int axis : {rows, int{x_axis}}) {
    const std::size_t place = axis == x_axis ? 1 : 0;
    const AxisSampling sampling =
        make_sampling(stage.extent, world.shape[axis], place ? mask.taps.width : mask.taps.height,
                      mask.centre[place], stage.stride[place]);
    box.set(axis, sampling.reads({0, sampling.count}));
    outputs[axis] = sampling.count;
  }
  World source = extended(world, box, stage.boundary), result(outputs);
  FieldView<const double> from = source.view();
  FieldView<double> to = result.view();
  if (along_batch) {
    from = from.transposed_outer();
    to = to.transposed_outer();
  }
  convolve_reference<double>(
      make_stencil<double>(mask, Method::direct, stage.stride, stage.min_valid), from, to);
  return result;
}

/// The batches `first`, `first + step`, ... of a world.
World batches(World& world, Index first, Index step) {
  World result({(world.shape[0] - first + step - 1) / step, world.shape[1], world.shape[2]});
  for (Index b = 0; b < result.shape[0]; ++b)
    for (Index y = 0; y < result.shape[1]; ++y)
      for (Index x = 0; x < result.shape[2]; ++x)
        result.at(b, y, x) = world.at(first + b * step, y, x);
  return result;
}

/// The inverse of batches(): batch b of part k becomes batch `b * parts.size() + k`.
World interleaved(std::vector<World>& parts) {
  const Point shape = parts.front().shape;
  const Index count = std::ssize(parts);
  World result({shape[0] * count, shape[1], shape[2]});
  for (Index k = 0; k < count; ++k)
    for (Index b = 0; b < shape[0]; ++b)
      for (Index y = 0; y < shape[1]; ++y)
        for (Index x = 0; x < shape[2]; ++x)
          result.at(b * count + k, y, x) = parts[static_cast<std::size_t>(k)].at(b, y, x);
  return result;
}

/// Applies a multi-channel mask: each output channel is the sum, over the input channels of its
/// group, of the input channel filtered by one plane of the mask.
World apply_channels(const Stage& stage, World world) {
  const ChannelMask& mask = *stage.channels;
  const Index plane = mask.height * mask.width;
  std::vector<World> outputs;
  for (Index o = 0; o < mask.out; ++o)
    for (Index c = 0; c < mask.in; ++c) {
      const auto first = mask.values.begin() + (o * mask.in + c) * plane;
      Mask one = Mask::grid({first, first + plane}, mask.height, mask.width);
      one.centre = mask.centre;
      const Index channel = o / (mask.out / mask.groups) * mask.in + c;
      World part = apply_mask(stage, one, batches(world, channel, mask.channels()));
      if (c == 0) {
        outputs.push_back(std::move(part));
        continue;
      }
      for (std::size_t i = 0; i < part.values.size(); ++i)
        outputs.back().values[i] += part.values[i];
    }
  return interleaved(outputs);
}

World apply_stage(const Stage& stage, World world) {
  for (Index step = 0; step < stage.steps; ++step) {
    if (stage.channels) {
      world = apply_channels(stage, std::move(world));
    } else if (!stage.bank.empty()) {
      std::vector<World> parts;
      for (const Mask& mask : stage.bank) parts.push_back(apply_mask(stage, mask, world));
      world = interleaved(parts);
    } else {
      world = apply_mask(stage, stage.mask, std::move(world));
    }
  }
  return world;
}

/// @param tolerance  relative to 1 plus the absolute value
template <class T>
void check(const std::vector<Stage>& stages, World world, const std::string& what,
           double tolerance = 0) {
  Session session(MPI_COMM_WORLD, {.backend = testing::backend_under_test(),
                                   .transport = testing::transport_under_test()});
  Pipeline<T> pipeline(session, stages, world.shape);
  Field<T> input = pipeline.make_input();
  session.fill(input, [&](Index b, Index y, Index x) { return world.at(b, y, x); });
  for (const Stage& stage : stages) world = apply_stage(stage, std::move(world));
  ASSERT_EQ(pipeline.chain().output_shape(), world.shape) << what;
  const std::vector<T> found = session.gather(pipeline.run(std::move(input)), world.shape);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double right = world.values[i], is = double(found[i]);
    if (std::isnan(right) && std::isnan(is)) continue;
    ASSERT_LE(std::abs(is - right), tolerance * (1 + std::abs(right)))
        << what << ", point " << i << ": " << is << " instead of " << right;
  }
}

template <class T>
void check_whole(const std::vector<Stage>& stages, const Point& shape, const std::string& what) {
  Random random(5);
  World world(shape);
  world.values = integers(random, points(shape));
  check<T>(stages, world, what);
}

Boundary random_boundary(Random& random) {
  Boundary boundary;
  for (BoundaryRule& rule : boundary.rule) rule = static_cast<BoundaryRule>(pick(random, 0, 4));
  boundary.value = 2;
  return boundary;
}

ChannelMask mixing(Random& random, Index out, Index in, Index size, Index groups = 1) {
  return make_channel_mask({out, in, size, size}, integers(random, out * in * size * size), groups);
}

Stage channels_stage(Random& random, Index out, Index in, Index size, Index groups = 1) {
  Stage stage;
  stage.channels = mixing(random, out, in, size, groups);
  stage.boundary.rule.fill(BoundaryRule::wrap);
  return stage;
}

class StageKinds : public ::testing::Test {
 protected:
  Random random_{17};
};

TEST_F(StageKinds, Lines) {
  for (const Axis axis : {batch_axis, y_axis, x_axis})
    for (const Index width : {1, 2, 5}) {
      Stage stage;
      stage.mask = Mask::line(integers(random_, width), axis);
      stage.boundary = random_boundary(random_);
      const std::string what = fmt::format("{} taps along {}", width, to_string(axis));
      check_whole<float>({stage}, {4, 9, 11}, what);
      check_whole<double>({stage}, {7, 1, 13}, what);
      stage.extent = Extent::full;
      check_whole<double>({stage}, {5, 6, 7}, "full, " + what);
    }
}

TEST_F(StageKinds, Grids) {
  for (const Extent extent : {Extent::same, Extent::valid, Extent::full}) {
    Stage stage;
    stage.mask = Mask::grid(integers(random_, 12), 3, 4);
    stage.boundary = random_boundary(random_);
    stage.extent = extent;
    check_whole<float>({stage}, {3, 10, 12}, "grid");
    stage.mask = Mask::outer(integers(random_, 5), integers(random_, 3), {1, 0});
    check_whole<double>({stage}, {1, 17, 9}, "outer product");
  }
}

TEST_F(StageKinds, Strides) {
  for (const Index stride : {2, 3}) {
    Stage stage;
    stage.mask = Mask::grid(integers(random_, 9), 3, 3);
    stage.stride = {stride, 5 - stride};
    stage.boundary = random_boundary(random_);
    check_whole<float>({stage}, {2, 11, 16}, "strides of a grid");
    for (const Axis axis : {batch_axis, y_axis, x_axis}) {
      Stage line;
      line.mask = Mask::line(integers(random_, 4), axis);
      line.stride[axis == x_axis ? 1 : 0] = stride;
      line.boundary = random_boundary(random_);
      check_whole<double>({line, stage}, {7, 9, 12},
                          fmt::format("strides along {}", to_string(axis)));
    }
  }
}

TEST_F(StageKinds, Steps) {
  Stage grid;
  grid.mask = Mask::grid({0, 1, 0, 1, -1, 0, 0, 1, 0}, 3, 3);
  grid.boundary = random_boundary(random_);
  grid.steps = 7;
  check_whole<double>({grid}, {2, 12, 10}, "steps of a grid");
  for (const Axis axis : {batch_axis, y_axis, x_axis}) {
    Stage line;
    line.mask = Mask::line({1, -2, 1}, axis);
    line.boundary = random_boundary(random_);
    line.steps = 5;
    check_whole<double>({line}, {8, 9, 10}, fmt::format("steps along {}", to_string(axis)));
  }
}

TEST_F(StageKinds, Banks) {
  Stage bank;
  for (int k = 0; k < 3; ++k) bank.bank.push_back(Mask::line(integers(random_, 5)));
  bank.boundary = random_boundary(random_);
  for (const Index batch : {1, 2, 5}) check_whole<float>({bank}, {batch, 3, 14}, "bank");
  Stage grid;
  grid.mask = Mask::grid(integers(random_, 9), 3, 3);
  check_whole<double>({bank, grid}, {4, 6, 9}, "a bank before a grid");
  check_whole<double>({grid, bank}, {4, 6, 9}, "a grid before a bank");
}

TEST_F(StageKinds, Channels) {
  for (const Index images : {1, 2, 3, 6}) {
    const Point shape{2 * images, 8, 9};
    check_whole<float>({channels_stage(random_, 2, 2, 1)}, shape, "channels of a point");
    check_whole<double>({channels_stage(random_, 3, 2, 3)}, shape, "channels 2 to 3");
    check_whole<float>({channels_stage(random_, 2, 1, 3, 2)}, shape, "depthwise");
    Stage moved = channels_stage(random_, 3, 2, 1);
    moved.channels = make_channel_mask({3, 2, 3, 2}, integers(random_, 36), 1, {1, -1});
    check_whole<double>({moved}, shape, "channels with an origin");
    Stage steps = channels_stage(random_, 2, 2, 3);
    steps.steps = 3;
    check_whole<double>({steps}, shape, "steps of channels");
    Stage strides = channels_stage(random_, 1, 2, 3);
    strides.stride = {2, 3};
    check_whole<double>({strides}, shape, "strides of channels");
  }
}

/// Multi-channel masks before and after stages of other kinds: the blocks of one stage must fit the
/// blocks of all stages before it.
TEST_F(StageKinds, ChannelsBesideOthers) {
  Stage line;
  line.mask = Mask::line({1, 2, -1}, batch_axis);
  line.boundary.rule.fill(BoundaryRule::wrap);
  Stage bank;
  for (int k = 0; k < 3; ++k) bank.bank.push_back(Mask::line(integers(random_, 3)));
  const Stage mix = channels_stage(random_, 4, 2, 3), after = channels_stage(random_, 1, 6, 3);
  check_whole<double>({mix, after}, {12, 4, 5}, "4 channels of 2, then 1 of 6");
  check_whole<double>({line, mix}, {8, 4, 5}, "a line along batch before");
  check_whole<double>({mix, line}, {8, 4, 5}, "a line along batch after");
  check_whole<double>({bank, after}, {8, 4, 5}, "channels of two inputs in three filters");
  for (const Extent extent : {Extent::valid, Extent::full}) {
    line.extent = extent;
    check_whole<double>({line, mix}, {8, 4, 5}, "a line that changes the batch");
  }
  line.extent = Extent::same;
  line.stride = {2, 1};
  check_whole<double>({line, mix}, {8, 4, 5}, "every second batch");
  check_whole<double>({line, mix}, {7, 4, 5}, "every second batch of 7");
}

TEST_F(StageKinds, Missing) {
  for (const double min_valid : {0.0, 0.5}) {
    World world({3, 10, 12});
    world.values = integers(random_, points(world.shape));
    for (double& value : world.values)
      if (pick(random_, 0, 4) == 0) value = std::numeric_limits<double>::quiet_NaN();
    Stage stage;
    stage.mask = Mask::grid({1, 2, 1, 2, 4, 2, 1, 2, 1}, 3, 3);
    stage.boundary = random_boundary(random_);
    stage.min_valid = min_valid;
    check<double>({stage}, world, "missing points under a grid", 1e-13);
    stage.mask = Mask::line({1, 2, 1}, batch_axis);
    stage.steps = 3;
    check<double>({stage}, world, "missing points in steps along batch", 1e-13);
    stage.steps = 1;
    stage.stride = {2, 1};
    stage.mask = Mask::line({1, 2, 1}, y_axis);
    check<double>({stage}, world, "missing points under strides", 1e-13);
  }
}

}  // namespace
}  // namespace stencil
