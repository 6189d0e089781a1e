// apply() compared with sums in plain loops, in a program that does not start MPI.
#include "drivers/pipeline/apply.hpp"

#ifdef MPI_VERSION
#error "apply.hpp reaches mpi.h"
#endif

#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <cstring>
#include <thread>

#include "framework/grid/error.hpp"
#include "tests/support/guarded_array.hpp"
#include "tests/support/plain_chain.hpp"

namespace stencil {
namespace {

using namespace test;

/// Expects the given values, with NaN at the same points.
void expect_points(const std::vector<double>& found, const std::vector<double>& want,
                   double tolerance, const std::string& what) {
  ASSERT_EQ(found.size(), want.size()) << what;
  for (std::size_t k = 0; k < want.size(); ++k)
    if (!std::isnan(want[k]) || !std::isnan(found[k])) {
      ASSERT_NEAR(found[k], want[k], tolerance) << what << ", point " << k;
    }
}

void check(const std::vector<Stage>& stages, const Point& shape, double tolerance,
           const std::string& what, double missing_every = 0) {
  const Points in = numbered(shape, missing_every);
  const Points want = expected(stages, in);
  const AxisList extents{shape[0], shape[1], shape[2]};
  const AxisList outputs = output_shape(stages, extents);
  ASSERT_EQ(outputs, (AxisList{want.shape[0], want.shape[1], want.shape[2]})) << what;
  std::vector<double> out(want.values.size(), 1e300), others(want.values.size(), 1e300);
  apply(stages, ArrayView(in.values.data(), extents), ArrayView(out.data(), outputs));
  expect_points(out, want.values, tolerance, what);
  if (stencil::points(shape) < 100) return;
  for (const int threads : {2, 3}) {
    apply(stages, ArrayView(in.values.data(), extents), ArrayView(others.data(), outputs),
          {.threads = threads});
    ASSERT_EQ(std::memcmp(others.data(), out.data(), out.size() * sizeof(double)), 0)
        << what << ", " << threads << " threads";
  }
}

struct Kind {
  std::string name;
  Stage stage;
  double tolerance = 0;
};

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  const auto add = [&](const std::string& name, const Stage& stage, double tolerance = 0) {
    all.push_back({name, stage, tolerance});
  };
  for (const Axis axis : {batch_axis, y_axis, x_axis}) {
    add("line along " + to_string(axis), {.mask = Mask::line(whole_taps(5), axis, 1)});
    add("long line along " + to_string(axis), {.mask = Mask::line(whole_taps(24), axis, -3)});
    Stage strided{.mask = Mask::line(whole_taps(4), axis)};
    strided.stride[axis == x_axis ? 1 : 0] = 3;
    add("strides along " + to_string(axis), strided);
    add("full along " + to_string(axis),
        {.mask = Mask::line(whole_taps(4), axis), .extent = Extent::full});
  }
  add("grid", {.mask = Mask::grid(whole_taps(12), 3, 4, {1, -1})});
  add("grid with strides", {.mask = Mask::grid(whole_taps(12), 3, 4), .stride = {2, 3}});
  add("outer product", {.mask = Mask::outer({1, 3, 1}, {2, 1, 4, 1})});
  add("steps", {.mask = Mask::grid({0, 1, 0, 1, -3, 1, 0, 1, 0}, 3, 3), .steps = 5});
  add("steps along batch", {.mask = Mask::line({1, -1, 1}, batch_axis), .steps = 4});
  add("missing points", {.mask = Mask::grid({1, 2, 1, 2, 4, 2, 1, 2, 1}, 3, 3), .min_valid = 0.3},
      1e-12);
  add("transforms", {.mask = Mask::line(whole_taps(40)), .method = MethodRequest::fft}, 1e-9);
  add("transforms of two axes",
      {.mask = Mask::grid(whole_taps(30), 5, 6), .method = MethodRequest::fft}, 1e-9);
  add("channels", {.channels = make_channel_mask({4, 2, 3, 2}, whole_taps(48))});
  add("depthwise", {.channels = make_channel_mask({2, 1, 3, 3}, whole_taps(18), 2)});
  add("bank", {.bank = {Mask::line({1, 2, 1}), Mask::line({1, 0, -1}), Mask::line({0, 1, 5})}});
  add("bank of grids", {.bank = {Mask::grid({1, 2, 3, 4}, 2, 2), Mask::grid({4, 3, 2, 1}, 2, 2)}});
  return all;
}

TEST(Apply, EveryKindOfStageByEveryRuleOnEveryShape) {
  for (const Kind& kind : kinds())
    for (const BoundaryRule rule : rules)
      for (const Point& shape :
           {Point{2, 1, 1}, Point{2, 1, 7}, Point{4, 9, 1}, Point{2, 3, 2}, Point{6, 11, 13}}) {
        Stage stage = kind.stage;
        stage.boundary = {rule, 3};
        const std::string what =
            kind.name + ", " + std::string(to_string(rule)) + ", " + to_string(shape);
        check({stage}, shape, kind.tolerance, what, stage.min_valid ? 5 : 0);
        if (::testing::Test::HasFatalFailure()) return;
      }
}

int calls_between;
void count_call() {
  ++calls_between;
}

TEST(Apply, PartsHaveTheSameBitsAndAnErrorBetweenThemEndsTheCall) {
  const std::vector<double> long_line = whole_taps(450);
  const std::vector<Stage> all{
      {.mask = Mask::grid(whole_taps(441), 21, 21), .method = MethodRequest::direct},
      {.mask = Mask::line(long_line), .method = MethodRequest::direct},
      {.mask = Mask::line(whole_taps(900)), .method = MethodRequest::fft},
      {.mask = Mask::line({1, -1, 1}, y_axis), .steps = 30}};
  const AxisList shape{1100, 1200};
  std::vector<float> input(1100 * 1200);
  for (std::size_t k = 0; k < input.size(); ++k) input[k] = float(k * 7919 % 251);
  std::vector<float> whole(input.size()), parts(input.size());
  for (const Stage& stage : all) {
    apply({stage}, ArrayView(input.data(), shape), ArrayView(whole.data(), shape));
    for (const int threads : {1, 2}) {
      calls_between = 0;
      apply({stage}, ArrayView(input.data(), shape), ArrayView(parts.data(), shape),
            {.threads = threads, .between_parts = count_call});
      EXPECT_GE(calls_between, 1);
      ASSERT_EQ(std::memcmp(parts.data(), whole.data(), whole.size() * sizeof(float)), 0);
    }
  }
  EXPECT_THROW(apply({all[0]}, ArrayView(input.data(), shape), ArrayView(parts.data(), shape),
                     {.between_parts = [] { throw UsageError("enough"); }}),
               UsageError);
}

TEST(Apply, LargeArraysInPieces) {
  for (const BoundaryRule rule :
       {BoundaryRule::reflect, BoundaryRule::wrap, BoundaryRule::constant}) {
    const Boundary boundary(rule, -2);
    const Stage grid{.mask = Mask::grid(whole_taps(12), 4, 3), .boundary = boundary};
    check({grid}, {2, 300, 310}, 0, "grid");
    check({grid, grid}, {1, 250, 260}, 0, "two grids");
    check({{.mask = Mask::line(whole_taps(9)), .boundary = boundary}}, {300, 1, 400}, 0, "lines");
    check({{.mask = Mask::line(whole_taps(9), batch_axis), .boundary = boundary}}, {30, 40, 100}, 0,
          "along batch");
    Stage strided = grid;
    strided.stride = {2, 1};
    check({strided}, {1, 500, 300}, 0, "strides");
    check({{.channels = make_channel_mask({3, 2, 3, 3}, whole_taps(54)), .boundary = boundary}},
          {8, 90, 100}, 0, "channels");
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Apply, Chains) {
  const Stage smooth{.mask = Mask::grid({1, 2, 1, 2, 4, 2, 1, 2, 1}, 3, 3)};
  const Stage slope{.mask = Mask::line({-1, 0, 1}), .boundary = BoundaryRule::wrap};
  const Stage halves{.mask = Mask::line({1, 1}, y_axis), .stride = {2, 1}};
  const Stage steps{
      .mask = Mask::line({1, -1, 1}), .boundary = {BoundaryRule::constant, 2}, .steps = 3};
  const Stage bank{.bank = {Mask::line({1, 2}), Mask::line({2, 1})}};
  for (const Point& shape : {Point{1, 1, 9}, Point{3, 8, 5}, Point{2, 70, 90}}) {
    check({smooth, slope, halves}, shape, 0, "smooth, slope, halves");
    check({steps, smooth, steps}, shape, 0, "steps, smooth, steps");
    check({bank, steps, halves}, shape, 0, "bank, steps, halves");
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// Kernels access the memory of the arrays directly, and must not read or write outside of the
/// arrays.
template <class T>
void stay_inside(const Kind& kind, const Point& shape, bool at_end) {
  const AxisList extents{shape[0], shape[1], shape[2]};
  AxisList outputs;
  try {
    outputs = output_shape({kind.stage}, extents);
  } catch (const ShapeError&) {
    return;  // the mask is longer than the axis
  }
  const auto count = static_cast<std::size_t>(stencil::points(shape));
  const GuardedArray<T> in(count, at_end);
  const GuardedArray<T> out(static_cast<std::size_t>(stencil::points(outputs)), at_end);
  for (std::size_t k = 0; k < count; ++k) in.data()[k] = T(k % 17);
  for (const int threads : {1, at_end ? 2 : 1})
    apply({kind.stage}, ArrayView<const T>(in.data(), extents), ArrayView<T>(out.data(), outputs),
          {.threads = threads,
           .precision = sizeof(T) == 8 ? Precision::float64 : Precision::float32});
}

TEST(Apply, TouchesNoMemoryBesideTheArrays) {
  for (Kind kind : kinds())
    for (const Extent extent : {Extent::same, Extent::valid}) {
      if (extent == Extent::valid && (kind.stage.steps > 1 || kind.stage.channels)) continue;
      if (kind.stage.extent == Extent::same) kind.stage.extent = extent;
      for (const Point& shape : {Point{2, 7, 9}, Point{24, 41, 43}})
        for (const bool at_end : {false, true}) {
          stay_inside<float>(kind, shape, at_end);
          stay_inside<double>(kind, shape, at_end);
        }
    }
}

TEST(Apply, SeveralThreadsAtOnce) {
  const Points in = numbered({1, 200, 210});
  std::vector<Stage> stages;
  std::vector<Points> want;
  for (Index width = 2; width < 6; ++width) {
    stages.push_back({.mask = Mask::grid(whole_taps(3 * width), 3, width)});
    want.push_back(expected({stages.back()}, in));
  }
  std::array<bool, 4> is_right{};
  std::vector<std::thread> threads;
  for (std::size_t n = 0; n < 4; ++n)
    threads.emplace_back([&, n] {
      bool all = true;
      std::vector<double> out(in.values.size());
      for (std::size_t turn = 0; turn < 40; ++turn) {
        const std::size_t which = (n + turn) % 4;
        apply({stages[which]}, ArrayView(in.values.data(), {200, 210}),
              ArrayView(out.data(), {200, 210}), {.threads = int(turn % 2) + 1});
        all = all && out == want[which].values;
      }
      is_right[n] = all;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(is_right, (std::array{true, true, true, true}));
}

TEST(Apply, NothingOfMpiIsStarted) {
  std::vector<float> in(100, 1), out(100);
  apply({{.mask = Mask::line({1, 1})}}, ArrayView(in.data(), {100}), ArrayView(out.data(), {100}),
        {.threads = 2});
  int is_initialised = 1;
  MPI_Initialized(&is_initialised);
  EXPECT_EQ(is_initialised, 0);
}

}  // namespace
}  // namespace stencil
