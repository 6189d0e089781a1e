#include "framework/device/fill_field.hpp"

#include <gtest/gtest.h>

#include "tests/support/other_memory.hpp"

namespace stencil {
namespace {

double value_at(Index b, Index y, Index x) {
  return double(b * 10000 + y * 100 + x) + 0.25;
}

/// Fills the owned points of a block inside a larger array, and checks that the ghosts of the block
/// do not change.
template <class T>
void expect_filled(Executor& executor) {
  const Subdomain block{{{1, 4, 7}, {3, 9, 40}}, {{0, 2, 1}, {0, 1, 3}}};
  Field<T> field(executor, block);
  const FieldView<T> all = field.ghosted();
  std::fill_n(all.data, all.extent[0] * all.batch_pitch - (all.row_pitch - all.extent[2]), T(-1));
  fill_field(field, executor, value_at);
  for (Index b = 0; b < all.extent[0]; ++b)
    for (Index y = 0; y < all.extent[1]; ++y)
      for (Index x = 0; x < all.extent[2]; ++x) {
        const Point at = block.global({b, y, x});
        const T expected = block.owned.contains(at) ? T(value_at(at[0], at[1], at[2])) : T(-1);
        ASSERT_EQ(all.at(b, y, x), expected) << b << " " << y << " " << x;
      }
}

TEST(Fill, OwnedPointsByTheirGlobalIndices) {
  CpuExecutor cpu;
  expect_filled<float>(cpu);
  expect_filled<double>(cpu);
}

TEST(Fill, TravelsToMemoryThatIsNotTheHosts) {
  testing::OtherMemory other;
  expect_filled<double>(other);
}

TEST(Fill, NothingIsOwned) {
  CpuExecutor cpu;
  Field<float> field(cpu, {});
  fill_field(field, cpu, [](Index, Index, Index) { return 1.0; });
  EXPECT_EQ(points(field.owned().extent), 0);
}

}  // namespace
}  // namespace stencil
