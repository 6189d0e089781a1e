#include "framework/parallel/communicator.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace stencil {
namespace {

TEST(Communicator, BroadcastsTextOfAnyLength) {
  const Communicator world(MPI_COMM_WORLD);
  std::string expected(100000, 'x');
  expected.append("end");
  std::string text = world.rank() == 0 ? expected : "something else";
  world.broadcast(text, 0);
  EXPECT_EQ(text, expected);
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

/// Compares facts of all ranks. A second message is sent only if the facts differ.
TEST(Communicator, AgreesOnFactsOrNamesTheOneThatDiffers) {
  const Communicator world(MPI_COMM_WORLD);
  const int last = world.size() - 1;
  EXPECT_NO_THROW(world.agree({"steps = 3", "width = 5"}, [] {}));
  const auto said = [&](
                        const std::vector<std::string>& facts,
                        const std::function<void()>& phase = [] {}) -> std::string {
    try {
      world.agree(facts, phase);
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::words);
      EXPECT_TRUE(Communicator::has_agreed_on_error());
      return error.what();
    }
    return "";
  };
  const bool is_last = world.rank() == last;
  const std::string other = said({"steps = 3", is_last ? "width = 6" : "width = 5"});
  const std::string more = said(is_last ? std::vector<std::string>{"steps = 3", "width = 5"}
                                        : std::vector<std::string>{"steps = 3"});
  const std::string failed = said({is_last ? "steps = 1" : "steps = 3"}, [&] {
    if (is_last) throw WordsError("no");
  });
  EXPECT_EQ(failed, "no");
  if (last == 0) return;
  EXPECT_NE(other.find("width = 6 on rank " + std::to_string(last)), std::string::npos) << other;
  EXPECT_NE(other.find("width = 5 on rank 0"), std::string::npos) << other;
  EXPECT_NE(more.find("width = 5 on rank " + std::to_string(last)), std::string::npos) << more;
}

/// An exception from the code of the caller is reported as an error of the caller, and not as a bug
/// of the library.
TEST(Communicator, PassesOnTheWordsOfForeignExceptions) {
  const Communicator world(MPI_COMM_WORLD);
  try {
    world.agree([&] {
      if (world.rank() == world.size() - 1) throw std::runtime_error("the caller's own words");
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the caller's own words");
    EXPECT_EQ(error.status(), Status::bug);
  }
}

}  // namespace
}  // namespace stencil
