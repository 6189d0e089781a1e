#include "framework/parallel/reduce_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/fill_field.hpp"
#include "framework/grid/decomposition.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/exact_sum.hpp"
#include "tests/support/other_memory.hpp"

namespace stencil {
namespace {

constexpr Point shape{3, 7, 11};

/// Values of many sizes and both signs: sums in different orders differ in their last bits.
double value_at(Index b, Index y, Index x) {
  const auto n = double(b * 1000 + y * 37 + x);
  return std::sin(n) * std::pow(10.0, double((b * 77 + y * 11 + x) % 30) - 10);
}

template <class T>
Field<T> field_of(Executor& executor, const Decomposition& blocks, int rank) {
  Field<T> field(executor, {blocks.owned(rank), {{0, 1, 1}, {0, 1, 1}}});
  fill_field(field, executor, value_at);
  return field;
}

template <class T>
class ReduceField : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ReduceField, Types);

/// Reductions with every decomposition, in host memory and in other memory, compared with a plain
/// loop on one rank.
TYPED_TEST(ReduceField, HasTheSameBitsOnAnyRanks) {
  using T = TypeParam;
  const Communicator world(MPI_COMM_WORLD);
  ExactSum sum, squares;
  double most = -INFINITY, least = INFINITY;
  for (Index b = 0; b < shape[0]; ++b)
    for (Index y = 0; y < shape[1]; ++y)
      for (Index x = 0; x < shape[2]; ++x) {
        const auto value = static_cast<double>(static_cast<T>(value_at(b, y, x)));
        sum.add(value);
        squares.add_square(value);
        most = std::max(most, value);
        least = std::min(least, value);
      }
  CpuExecutor cpu;
  testing::OtherMemory other;
  for (Executor* executor : {static_cast<Executor*>(&cpu), static_cast<Executor*>(&other)})
    for (const int axis : {batch_axis, y_axis, x_axis}) {
      Point grid{1, 1, 1};
      grid[axis] = std::min<Index>(world.size(), shape[axis]);
      const Field<T> field = field_of<T>(*executor, {shape, grid}, world.rank());
      EXPECT_EQ(sum_of_field(world, field, *executor), sum.value()) << axis;
      EXPECT_EQ(norm_of_field(world, field, *executor), std::sqrt(squares.value())) << axis;
      EXPECT_EQ(max_of_field(world, field, *executor), most) << axis;
      EXPECT_EQ(min_of_field(world, field, *executor), least) << axis;
    }
}

/// A NaN on the last rank affects the result on all ranks.
TYPED_TEST(ReduceField, AMissingPointIsSeenByAll) {
  using T = TypeParam;
  const Communicator world(MPI_COMM_WORLD);
  CpuExecutor cpu;
  const Decomposition blocks({1, 1, 4 * world.size()}, {1, 1, world.size()});
  Field<T> field(cpu, {blocks.owned(world.rank()), {}});
  const Index last = blocks.shape()[x_axis] - 1;
  fill_field(field, cpu, [&](Index, Index, Index x) {
    return x == last ? std::numeric_limits<double>::quiet_NaN() : double(x);
  });
  EXPECT_TRUE(std::isnan(sum_of_field(world, field, cpu)));
  EXPECT_TRUE(std::isnan(norm_of_field(world, field, cpu)));
  EXPECT_TRUE(std::isnan(max_of_field(world, field, cpu)));
  EXPECT_TRUE(std::isnan(min_of_field(world, field, cpu)));
}

TYPED_TEST(ReduceField, OfAFieldThatWasMovedIsRefusedOnEveryRank) {
  using T = TypeParam;
  const Communicator world(MPI_COMM_WORLD);
  CpuExecutor cpu;
  const Decomposition blocks({1, 1, 4 * world.size()}, {1, 1, world.size()});
  Field<T> field(cpu, {blocks.owned(world.rank()), {}});
  Field<T> other(cpu, {blocks.owned(world.rank()), {}});
  if (world.rank() == world.size() - 1) other = std::move(field);
  EXPECT_THROW(sum_of_field(world, field, cpu), Error);
  EXPECT_THROW(max_of_field(world, field, cpu), Error);
}

}  // namespace
}  // namespace stencil
