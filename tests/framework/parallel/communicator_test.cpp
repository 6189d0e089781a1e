#include "framework/parallel/communicator.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(Communicator, BroadcastsTextOfAnyLength) {
  const Communicator world(MPI_COMM_WORLD);
  std::string text = world.rank() == 0 ? std::string(100000, 'x') + "end" : "something else";
  world.broadcast(text, 0);
  EXPECT_EQ(text, std::string(100000, 'x') + "end");
  std::string empty = world.rank() == 0 ? "" : "not empty";
  world.broadcast(empty, 0);
  EXPECT_EQ(empty, "");
}

TEST(Communicator, Reduces) {
  const Communicator world(MPI_COMM_WORLD);
  EXPECT_EQ(world.sum(Index{world.rank() + 1}), Index{world.size()} * (world.size() + 1) / 2);
  EXPECT_EQ(world.maximum(Index{world.rank()}), world.size() - 1);
  EXPECT_EQ(world.minimum(0.5 * world.rank()), 0.0);
}

TEST(Communicator, AgreesOnTheErrorOfTheLowestRank) {
  const Communicator world(MPI_COMM_WORLD);
  const int thrower = world.size() - 1;
  for (int repeat = 0; repeat < 3; ++repeat) {
    try {
      world.agree([&] {
        if (world.rank() >= thrower)
          throw StorageError("rank " + std::to_string(world.rank()) + " cannot read");
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::storage);
      EXPECT_FALSE(error.lacks_memory());
      EXPECT_EQ(error.what(), "rank " + std::to_string(thrower) + " cannot read");
    }
  }
  EXPECT_NO_THROW(world.agree([] {}));
  const auto outcome_of_last = [&](const auto& fail) {
    try {
      world.agree([&] {
        if (world.rank() == thrower) fail();
      });
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::machine);
      return error.lacks_memory();
    }
    ADD_FAILURE() << "nothing was thrown";
    return false;
  };
  EXPECT_TRUE(outcome_of_last([] { throw std::bad_alloc(); }));
  EXPECT_TRUE(outcome_of_last([] { throw MemoryError("no memory"); }));
  EXPECT_FALSE(outcome_of_last([] { throw MachineError("no GPU"); }));
}

}  // namespace
}  // namespace stencil
