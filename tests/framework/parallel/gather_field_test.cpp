#include "framework/parallel/gather_field.hpp"

#include <gtest/gtest.h>

#include "framework/device/fill_field.hpp"
#include "framework/grid/error.hpp"
#include "tests/support/other_memory.hpp"

namespace stencil {
namespace {

double value_at(Index b, Index y, Index x) {
  return double(b * 10000 + y * 100 + x) + 0.5;
}

std::vector<double> world_of(const Point& shape) {
  std::vector<double> all;
  for (Index b = 0; b < shape[0]; ++b)
    for (Index y = 0; y < shape[1]; ++y)
      for (Index x = 0; x < shape[2]; ++x) all.push_back(value_at(b, y, x));
  return all;
}

/// Gathers fields with ghosts, divided along each axis, along two axes, and into fewer blocks than
/// there are ranks.
TEST(Gather, AnyDecompositionToAnyRank) {
  const Communicator world(MPI_COMM_WORLD);
  testing::OtherMemory other;
  CpuExecutor cpu;
  const Index ranks = world.size();
  const Point shape{3, 5, 7};
  for (const Point& grid : {Point{1, 1, ranks}, Point{1, ranks, 1}, Point{1, 1, 1},
                            ranks == 4 ? Point{2, 1, 2} : Point{ranks, 1, 1}})
    for (Executor* executor : {static_cast<Executor*>(&cpu), static_cast<Executor*>(&other)}) {
      const Decomposition blocks(shape, grid);
      Field<double> field(*executor, {blocks.owned(world.rank()), {{0, 1, 2}, {0, 0, 1}}});
      fill_field(field, *executor, value_at);
      const int root = world.size() - 1;
      const std::vector<double> all = gather_field(world, field, *executor, shape, root);
      EXPECT_EQ(all, world.rank() == root ? world_of(shape) : std::vector<double>{});
    }
}

/// If the root has too little memory, all ranks throw.
TEST(Gather, ThrowsOnEveryRankWhereTheRootHasNoMemory) {
  const Communicator world(MPI_COMM_WORLD);
  CpuExecutor cpu;
  const Decomposition blocks({1, 1, 8}, {1, 1, 1});
  Field<float> field(cpu, {blocks.owned(world.rank()), {}});
  fill_field(field, cpu, value_at);
  EXPECT_THROW(gather_field(world, field, cpu, {1 << 14, 1 << 20, 1 << 20}), Error);
}

}  // namespace
}  // namespace stencil
