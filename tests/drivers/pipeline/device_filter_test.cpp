// Filters in the memory of an executor. Here the executor is that of the host, whose results have
// the same bits as those of apply(); tests/python/gpu_arrays.py compares GPUs.
#include "drivers/pipeline/device_filter.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "drivers/pipeline/apply.hpp"
#include "drivers/pipeline/apply_on_gpu.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"
#include "tests/support/plain_chain.hpp"

namespace stencil {
namespace {

using namespace test;

constexpr int never_fails = 1 << 30;
constexpr Index never = Index{1} << 40;  ///< no array has this many points

/// An array that owns its memory. Rows are `pitch` points apart, and neighbouring points of a row
/// are `step` points apart.
template <class T>
struct Padded {
  AxisList shape, strides;
  std::vector<T> memory;

  Padded(const Point& extent, Index pitch, Index step)
      : shape{extent[0], extent[1], extent[2]},
        strides{extent[1] * pitch * Index{sizeof(T)}, pitch * Index{sizeof(T)},
                step * Index{sizeof(T)}},
        memory(std::size_t(extent[0] * extent[1] * pitch), T(-7)) {}
  void set() {
    for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = T(double(k * 7919 % 1013) / 17);
  }
  AnyInput input() const { return ArrayView<const T>(memory.data(), shape, strides); }
  AnyOutput output() { return ArrayView<T>(memory.data(), shape, strides); }
};

template <class T>
constexpr Precision precision = sizeof(T) == 8 ? Precision::float64 : Precision::float32;

template <class T>
void filter(const Stage& stage, Padded<T>& in, Padded<T>& out, Index least, bool shares = false) {
  CpuExecutor host;
  const Point shape{in.shape[0], in.shape[1], in.shape[2]};
  const DeviceFilter<T> device(host, make_chain({stage}, shape, precision<T>), least);
  const AxisRoles roles = roles_of(3, {}, "input");
  device.run(fold(in.input(), roles), fold(out.output(), roles), shares);
}

std::vector<Stage> stages_with(const Boundary& boundary) {
  const std::vector<double> nine = whole_taps(9);
  std::vector<Stage> stages{
      {.mask = Mask::grid(whole_taps(15), 3, 5), .boundary = boundary},
      {.mask = Mask::grid(whole_taps(15), 3, 5, {1, -2}), .boundary = boundary},
      {.mask = Mask::outer(nine, {1, 2, 4, 2, 1}), .boundary = boundary},
      {.mask = Mask::line(nine, x_axis, 3), .boundary = boundary},
      {.mask = Mask::line(nine, y_axis, -1), .boundary = boundary},
      {.mask = Mask::line(nine), .boundary = boundary, .method = MethodRequest::fft},
      {.mask = Mask::grid(std::vector<double>(9, 1.0 / 9), 3, 3), .boundary = boundary, .steps = 7},
      {.mask = Mask::grid(nine, 3, 3), .boundary = boundary, .min_valid = 0.5}};
  return stages;
}

template <class T>
void compare_layouts() {
  const Point shape{2, 41, 150};
  for (const BoundaryRule rule : rules)
    for (const Stage& stage : stages_with({rule, 2.5}))
      for (const auto& [pitch, step] : {std::pair<Index, Index>{150, 1}, {152, 1}, {301, 2}}) {
        Padded<T> in(shape, pitch, step), want(shape, pitch, step);
        in.set();
        apply({stage}, in.input(), want.output());
        for (const Index least : {Index{1}, never}) {
          Padded<T> out(shape, pitch, step);
          filter(stage, in, out, least);
          ASSERT_EQ(
              std::memcmp(out.memory.data(), want.memory.data(), out.memory.size() * sizeof(T)), 0)
              << to_string(rule) << ", " << to_string(Point{pitch, step, least});
        }
      }
}

TEST(DeviceFilter, HasTheBitsOfApplyInFloat) {
  compare_layouts<float>();
}

TEST(DeviceFilter, HasTheBitsOfApplyInDouble) {
  compare_layouts<double>();
}

TEST(DeviceFilter, MasksWiderThanTheArray) {
  for (const BoundaryRule rule : rules) {
    const Stage stage{.mask = Mask::grid(whole_taps(11 * 13), 11, 13), .boundary = {rule, 1}};
    for (const Point& shape : {Point{1, 2, 3}, Point{3, 1, 1}, Point{1, 7, 40}}) {
      Padded<double> in(shape, shape[2], 1), want = in, out = in;
      in.set();
      apply({stage}, in.input(), want.output());
      filter(stage, in, out, 1);
      ASSERT_EQ(out.memory, want.memory) << to_string(rule);
    }
  }
}

TEST(DeviceFilter, InputAndOutputMayBeTheSameArray) {
  for (const Stage& stage : stages_with(BoundaryRule::mirror)) {
    Padded<float> in({2, 60, 128}, 128, 1), want = in;
    in.set();
    apply({stage}, in.input(), want.output());
    filter(stage, in, in, 1, true);
    ASSERT_EQ(in.memory, want.memory);
  }
}

/// An executor that has separate lanes, like a device. It records whether temporary memory is
/// released while the exchange lane may still use this memory, and it fails at a given copy.
class TwoLanes : public CpuExecutor {
 public:
  explicit TwoLanes(int copies) : copies_(copies) {}
  Memory allocate_temporary(std::size_t bytes) override {
    Memory memory = allocate(bytes);
    auto release = memory.get_deleter();
    return {memory.release(), [this, release](std::byte* p) {
              released_in_use_ = released_in_use_ || is_exchange_busy_;
              release(p);
            }};
  }
  void copy(const ConstRectangle& from, const Rectangle& to, std::size_t size, Lane lane) override {
    is_exchange_busy_ = is_exchange_busy_ || lane == Lane::exchange;
    if (copies_-- == 0) throw MachineError("no launch");
    CpuExecutor::copy(from, to, size, lane);
  }
  void order(Lane earlier, Lane) override {
    if (earlier == Lane::exchange) is_exchange_busy_ = false;
  }
  bool released_in_use() const { return released_in_use_; }

 private:
  int copies_;
  bool is_exchange_busy_ = false, released_in_use_ = false;
};

TEST(DeviceFilter, TilesAreReleasedAfterTheExchangeLaneAlsoIfALaunchFails) {
  const Stage stage{.mask = Mask::grid(whole_taps(9), 3, 3)};
  const Point shape{1, 64, 256};
  for (const int copies : {0, 1, 5, never_fails}) {
    Padded<float> in(shape, 256, 1), out = in;
    in.set();
    TwoLanes lanes(copies);
    const DeviceFilter<float> device(lanes, make_chain({stage}, shape, Precision::float32), 1);
    const AxisRoles roles = roles_of(3, {}, "input");
    const auto run = [&] { device.run(fold(in.input(), roles), fold(out.output(), roles), false); };
    if (copies == never_fails)
      run();
    else
      EXPECT_THROW(run(), MachineError) << copies;
    EXPECT_FALSE(lanes.released_in_use()) << copies;
  }
}

/// Several axes that are folded into batch and cannot be merged.
TEST(DeviceFilter, BatchesOfSeveralAxes) {
  CpuExecutor host;
  const Stage stage{.mask = Mask::grid(whole_taps(9), 3, 3)};
  const AxisList shape{3, 4, 5, 6}, strides{8, 24 * 8, 8 * 96, 8 * 96 * 5};
  std::vector<double> in(3 * 8 * 4 * 5 * 6), out(in.size(), -1), want(in.size(), -1);
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = double(k * 31 % 97);
  const ArrayView<const double> from(in.data(), shape, strides);
  apply({stage}, from, ArrayView(want.data(), shape, strides));
  const DeviceFilter<double> device(host, make_chain({stage}, {12, 5, 6}, Precision::float64), 1);
  const AxisRoles roles = roles_of(4, {}, "input");
  device.run(fold(AnyInput(from), roles),
             fold(AnyOutput(ArrayView(out.data(), shape, strides)), roles), false);
  EXPECT_EQ(out, want);
}

/// A mask along one of several axes that are folded into batch would also cover points with other
/// indices along the other folded axes.
TEST(ApplyOnGpu, RefusesMasksAlongOneOfSeveralBatchAxes) {
  Stage stage;
  stage.mask = Mask::line({1, 2, 1}, batch_axis);
  std::vector<float> points(24), out(24);
  EXPECT_THROW(apply_on_gpu(stage, ArrayView(std::as_const(points).data(), {2, 3, 2, 2}),
                            ArrayView(out.data(), {2, 3, 2, 2}), {}),
               UsageError);
}

TEST(ApplyOnGpu, RefusesWhatItCannotCompute) {
  std::vector<float> in(12), out(12);
  std::vector<int> whole(12);
  const ArrayView from(in.data(), {3, 4});
  const Stage stage{.mask = Mask::line({1, 2, 1})};
  EXPECT_THROW(apply_on_gpu(stage, from, ArrayView(out.data(), {4, 3}), {}), UsageError);
  EXPECT_THROW(apply_on_gpu(stage, ArrayView(whole.data(), {3, 4}), from, {}), UsageError);
  EXPECT_THROW(
      apply_on_gpu(stage, ArrayView(whole.data(), {3, 4}), ArrayView(whole.data(), {3, 4}), {}),
      UsageError);
  if (!has_gpu_kernels()) {
    EXPECT_THROW(apply_on_gpu(stage, from, ArrayView(out.data(), {3, 4}), {}), WordsError);
  }
}

}  // namespace
}  // namespace stencil
