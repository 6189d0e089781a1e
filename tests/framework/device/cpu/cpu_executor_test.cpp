#include "framework/device/cpu/cpu_executor.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <vector>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

TEST(CpuExecutor, CopiesBackwardsAndRepeats) {
  CpuExecutor executor;
  std::vector<float> source{1, 2, 3, 4}, target(4, -1);
  const auto bytes = [](std::vector<float>& v) { return reinterpret_cast<std::byte*>(v.data()); };
  executor.copy({bytes(source) + 12, {1, 1, 4}, {0, 0, -4}}, {bytes(target), {1, 1, 4}, {0, 0, 4}},
                4);
  EXPECT_EQ(target, (std::vector<float>{4, 3, 2, 1}));
  executor.copy({bytes(source) + 4, {1, 2, 2}, {0, 0, 0}}, {bytes(target), {1, 2, 2}, {0, 8, 4}},
                4);
  EXPECT_EQ(target, (std::vector<float>{2, 2, 2, 2}));
  const float value = 7;
  executor.fill({bytes(target) + 4, {1, 1, 2}, {0, 0, 4}}, &value, 4);
  EXPECT_EQ(target, (std::vector<float>{2, 7, 7, 2}));
}

/// Copies of no points must not access their null pointers, which sanitizers would report.
TEST(CpuExecutor, CopiesNothingWhereThereAreNoPoints) {
  CpuExecutor executor;
  const double value = 7;
  EXPECT_NO_THROW(
      executor.copy({nullptr, {2, 3, 0}, {0, 0, 8}}, {nullptr, {2, 3, 0}, {0, 0, 8}}, 8));
  EXPECT_NO_THROW(executor.fill({nullptr, {2, 3, 0}, {0, 0, 8}}, &value, 8));
}

TEST(CpuExecutor, CopiesManyRowsOnManyThreads) {
  CpuExecutor executor;
  std::vector<double> source(1000 * 300), target(1000 * 300, -1);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = double(i);
  auto* from = reinterpret_cast<std::byte*>(source.data() + 999 * 300);
  executor.copy({from, {1, 1000, 300}, {0, -2400, 8}},
                {reinterpret_cast<std::byte*>(target.data()), {1, 1000, 300}, {0, 2400, 8}}, 8);
  for (std::size_t y = 0; y < 1000; ++y)
    for (std::size_t x = 0; x < 300; ++x)
      ASSERT_EQ(target[y * 300 + x], double((999 - y) * 300 + x));
}

TEST(CpuExecutor, TouchGetsEveryPageOfTheMemoryAndNoneBehindIt) {
  CpuExecutor executor;
  constexpr std::size_t page = 4096, used = 3000 * page + 17, all = 4000 * page;
  auto* memory = static_cast<std::byte*>(
      mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, all, MADV_NOHUGEPAGE);
  executor.touch(memory, used);
  std::vector<unsigned char> resident(all / page);
  ASSERT_EQ(mincore(memory, all, resident.data()), 0);
  for (std::size_t i = 0; i < resident.size(); ++i) ASSERT_EQ(resident[i] & 1, i <= 3000) << i;
  munmap(memory, all);
}

TEST(CpuExecutor, RefusesMemoryThatIsNotThere) {
  CpuExecutor executor;
  EXPECT_THROW(executor.allocate(std::size_t{1} << 60), MachineError);
}

}  // namespace
}  // namespace stencil
