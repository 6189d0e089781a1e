// The executor of a GPU: points that are copied to it and back are unchanged.
#include <gtest/gtest.h>

#include <vector>

#include "framework/device/device_facts.hpp"
#include "framework/device/executor.hpp"
#include "framework/device/make_executor.hpp"
#include "framework/grid/error.hpp"

namespace stencil {
namespace {

class CudaExecutorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu_facts().empty()) GTEST_SKIP() << "no GPU here, or a CPU-only build";
    executor_ = make_executor(Backend::cuda, 0);
  }
  std::unique_ptr<Executor> executor_;
};

std::byte* bytes_of(std::vector<double>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

std::vector<double> numbers(Index count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = double(i) + 0.5;
  return values;
}

/// Rows longer than the staging memory, many short rows, and different pitches.
TEST_F(CudaExecutorTest, UploadsAndDownloadsRowsOfAnyLength) {
  for (const Point& extent : {Point{1, 1, 9'000'001}, Point{2, 70'001, 33}, Point{3, 5, 1}}) {
    const Index row = extent[2], rows = extent[0] * extent[1], pitch = row + 7;
    std::vector<double> source = numbers(rows * row);
    std::vector<double> target(source.size(), -1);
    const Memory device = executor_->allocate(static_cast<std::size_t>(rows * pitch * 8));
    const Rectangle there{device.get(), extent, {extent[1] * pitch * 8, pitch * 8, 8}};
    const Point dense{extent[1] * row * 8, row * 8, 8};
    executor_->upload({bytes_of(source), extent, dense}, there, 8);
    executor_->download(there, {bytes_of(target), extent, dense}, 8);
    EXPECT_TRUE(target == source) << to_string(extent);
  }
}

/// CUDA's own copies of rectangles support at most 2 GiB from row to row.
TEST_F(CudaExecutorTest, UploadsAndDownloadsRowsThatLieFarApart) {
  const Point extent{1, 2, 1000};
  const Index pitch = Index{9} << 28;  // 2.25 GiB
  std::vector<double> source = numbers(2000), target(2000, -1);
  const Memory device = executor_->allocate(static_cast<std::size_t>(pitch + 8000));
  const Rectangle there{device.get(), extent, {2 * pitch, pitch, 8}};
  const Point dense{16000, 8000, 8};
  executor_->upload({bytes_of(source), extent, dense}, there, 8);
  executor_->download(there, {bytes_of(target), extent, dense}, 8);
  EXPECT_TRUE(target == source);
}

/// The copies that halos need (mirrored runs, a repeated point, columns), by way of memory that MPI
/// can access.
TEST_F(CudaExecutorTest, CopiesBackwardsRepeatsAndFills) {
  std::vector<double> source = numbers(6 * 40), target(6 * 40, -1);
  const Point extent{1, 6, 40}, dense{240 * 8, 40 * 8, 8};
  const Memory from = executor_->allocate(240 * 8), to = executor_->allocate(240 * 8);
  const Memory message = executor_->allocate_shared(12 * 8);
  executor_->upload({bytes_of(source), extent, dense}, {from.get(), extent, dense}, 8);
  executor_->upload({bytes_of(target), extent, dense}, {to.get(), extent, dense}, 8);
  // copies columns 3 and 2 of all rows, in reverse order, to the message, and from there to columns
  // 10 and 11
  const Point columns{1, 6, 2};
  const Rectangle packed{message.get(), columns, {96, 16, 8}};
  executor_->copy({from.get() + 3 * 8, columns, {0, 320, -8}}, packed, 8, Lane::exchange);
  executor_->synchronize(Lane::exchange);
  // the host can read the message
  EXPECT_EQ(reinterpret_cast<const double*>(message.get())[2], 43.5);
  executor_->copy(packed, {to.get() + 10 * 8, columns, {0, 320, 8}}, 8, Lane::exchange);
  // copies the first four points of the last row to three rows
  executor_->copy({from.get() + 200 * 8, {1, 3, 4}, {0, 0, 8}},
                  {to.get() + 20 * 8, {1, 3, 4}, {0, 320, 8}}, 8, Lane::exchange);
  executor_->order(Lane::exchange, Lane::work);
  const double value = 77;
  executor_->fill({to.get() + 39 * 8, {1, 6, 1}, {0, 320, 8}}, &value, 8);
  executor_->download({to.get(), extent, dense}, {bytes_of(target), extent, dense}, 8);
  for (Index y = 0; y < 6; ++y)
    for (Index x = 0; x < 40; ++x) {
      double expected = -1;
      if (x == 10 || x == 11) expected = double(40 * y + (13 - x)) + 0.5;
      if (y < 3 && x >= 20 && x < 24) expected = double(200 + x - 20) + 0.5;
      if (x == 39) expected = 77;
      EXPECT_EQ(target[static_cast<std::size_t>(40 * y + x)], expected) << y << ' ' << x;
    }
}

TEST_F(CudaExecutorTest, RefusesMemoryThatIsNotThere) {
  EXPECT_THROW(executor_->allocate(std::size_t{1} << 50), MachineError);
  EXPECT_GT(executor_->device_memory().value(), 0);
  EXPECT_NO_THROW(executor_->allocate(1 << 20));  // the failed allocation left no CUDA error
}

}  // namespace
}  // namespace stencil
