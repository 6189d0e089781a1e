// Masks of three axes on one to six ranks, compared with the definition (kernels/reference) on the
// whole array. Data and taps are small integers, so that all results are exact.
#include <gtest/gtest.h>

#include <random>

#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/pipeline.hpp"
#include "framework/grid/error.hpp"
#include "kernels/families/families_round.hpp"
#include "kernels/reference/convolve_reference.hpp"
#include "tests/support/backend.hpp"
#include "tests/support/plain_chain.hpp"

namespace stencil {
namespace {

using test::Points;

/// Applies a stage once, by the definition.
Points applied(const Stage& stage, Points world) {
  const Taps& taps = stage.mask.taps;
  const Point width{taps.depth, taps.height, taps.width};
  const Point centre{stage.mask.centre_plane, stage.mask.centre[0], stage.mask.centre[1]};
  const Point stride{stage.plane_stride, stage.stride[0], stage.stride[1]};
  Point outputs;
  Box reads;
  for (int axis = 0; axis < axes; ++axis) {
    const AxisSampling sampling =
        make_sampling(stage.extent, world.shape[axis], width[axis], centre[axis], stride[axis]);
    outputs[axis] = sampling.count;
    reads.set(axis, sampling.reads({0, sampling.count}));
  }
  Points source(reads.extent()), result(outputs);
  for (Index b = 0; b < source.shape[0]; ++b)
    for (Index y = 0; y < source.shape[1]; ++y)
      for (Index x = 0; x < source.shape[2]; ++x)
        source.at(b, y, x) = world.beyond(
            {reads.first[0] + b, reads.first[1] + y, reads.first[2] + x}, stage.boundary);
  const auto view = [](Points& p) {
    return FieldView<double>{p.values.data(), p.shape, p.shape[1] * p.shape[2], p.shape[2]};
  };
  auto stencil = make_stencil<double>(stage.mask, Method::direct, stage.stride, {});
  stencil.plane_stride = stage.plane_stride;
  convolve_reference<double>(stencil, view(source), view(result));
  return result;
}

class VolumeStages : public ::testing::Test {
 protected:
  Index pick(Index low, Index high) {
    return std::uniform_int_distribution<Index>(low, high)(random_);
  }

  std::vector<double> integers(Index count) {
    std::vector<double> values;
    for (Index k = 0; k < count; ++k) values.push_back(double(pick(-3, 3)));
    return values;
  }

  Stage stage_of(Mask mask) {
    Stage stage;
    stage.mask = std::move(mask);
    for (BoundaryRule& rule : stage.boundary.rule) rule = static_cast<BoundaryRule>(pick(0, 4));
    stage.boundary.value = 2;
    return stage;
  }

  Mask direct(const Point& size) {
    return Mask::volume({size[1], size[2], integers(points(size)), size[0]});
  }

  Mask product(Index terms) {
    std::vector<std::array<std::vector<double>, 3>> products;
    for (Index k = 0; k < terms; ++k) products.push_back({integers(3), integers(5), integers(4)});
    return sum_of_products(products);
  }

  /// Compares all points of the output of the ranks with the definition.
  template <class T>
  void check(const Stage& stage, const Point& shape, const std::string& what) {
    Session session(MPI_COMM_WORLD, {.backend = testing::backend_under_test(),
                                     .transport = testing::transport_under_test()});
    Pipeline<T> pipeline(session, {stage}, shape);
    Points world = test::numbered(shape);
    for (double& value : world.values) value = double(Index(value) % 8);
    Field<T> input = pipeline.make_input();
    session.fill(input, [&](Index b, Index y, Index x) { return world.at(b, y, x); });
    for (Index step = 0; step < stage.steps; ++step) world = applied(stage, std::move(world));
    ASSERT_EQ(pipeline.chain().output_shape(), world.shape) << what;
    const std::vector<T> found = session.gather(pipeline.run(std::move(input)), world.shape);
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(double(found[i]), world.values[i])
          << what << ", " << to_string(shape) << ", point " << i;
  }

  std::mt19937_64 random_{50};
};

/// Shapes that are long along one axis, which the ranks then divide, and other shapes.
const std::vector<Point> shapes{{60, 7, 9}, {8, 70, 6}, {7, 8, 90}, {24, 31, 80}, {12, 13, 14}};

TEST_F(VolumeStages, DirectMasks) {
  for (const Point& shape : shapes)
    for (const Point& size : std::vector<Point>{{3, 3, 3}, {2, 5, 4}, {5, 1, 3}}) {
      Stage stage = stage_of(direct(size));
      stage.method = MethodRequest::direct;
      check<float>(stage, shape, "direct");
      stage.extent = pick(0, 1) == 0 ? Extent::full : Extent::valid;
      check<double>(stage, shape, "direct, other extent");
    }
}

TEST_F(VolumeStages, Steps) {
  for (const Point& shape : shapes) {
    std::vector<double> taps(27);
    for (const std::size_t k : {4, 10, 12, 14, 16, 22}) taps[k] = 1;
    taps[13] = -2;
    Stage stage = stage_of(Mask::volume({3, 3, taps, 3}));
    stage.steps = 4;
    check<double>(stage, shape, "steps");
  }
}

TEST_F(VolumeStages, SeparableMasks) {
  for (const Point& shape : shapes)
    for (const Index terms : {1, 2, 3}) {
      Stage stage = stage_of(product(terms));
      stage.mask.multiply_zeros = true;
      stage.method = MethodRequest::separable;
      check<double>(stage, shape, "separable");
      stage.steps = 2;
      check<double>(stage, shape, "steps of a separable mask");
    }
}

TEST_F(VolumeStages, Strides) {
  for (const Point& shape : shapes)
    for (const MethodRequest method : {MethodRequest::direct, MethodRequest::separable}) {
      Stage stage = stage_of(product(1));
      stage.method = method;
      stage.stride = {2, 1};
      stage.plane_stride = 3;
      check<double>(stage, shape, "strides");
    }
}

/// Stages with masks of three axes that GPUs do not support.
TEST_F(VolumeStages, RefusalsOnGpus) {
  if (testing::backend_under_test() == Backend::cpu) GTEST_SKIP() << "CPUs compute all of these";
  const auto refused = [&](const Stage& stage, const std::string& words) {
    try {
      check<double>(stage, {12, 13, 14}, words);
      ADD_FAILURE() << "not refused: " << words;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::words);
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  Stage stage = stage_of(Mask::volume({3, 3, std::vector<double>(27, 1.0), 3}));
  stage.method = MethodRequest::fft;
  refused(stage, "transforms of masks of three axes are computed on CPUs only");
  stage.method = MethodRequest::automatic;
  stage.min_valid = 0.5;
  refused(stage, "missing points are left out of sums over three axes on CPUs only");
}

}  // namespace
}  // namespace stencil
