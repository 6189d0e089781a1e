#include "io/write/blocks/part_exchange.hpp"

#include <gtest/gtest.h>

#include <mpi.h>

#include "framework/parallel/communicator.hpp"

namespace stencil {
namespace {

using Bytes = std::vector<std::byte>;

/// Returns the message of rank `from` to rank `to`. Its length differs between pairs of ranks; some
/// messages are empty.
Bytes message(int from, int to) {
  const std::size_t bytes = (from + to) % 3 == 2 ? 0 : std::size_t(from * 70 + to * 5 + 1);
  return Bytes(bytes, std::byte(16 * from + to + 1));
}

TEST(PartExchange, EveryRankGetsTheMessageOfEveryRankAndZerosBehindIt) {
  const Communicator all(MPI_COMM_WORLD);
  std::vector<Bytes> outgoing;
  for (int to = 0; to < all.size(); ++to) outgoing.push_back(message(all.rank(), to));
  const auto incoming = storage::exchange_messages(all, std::move(outgoing));
  ASSERT_EQ(incoming.size(), std::size_t(all.size()));
  for (int from = 0; from < all.size(); ++from) {
    Bytes expected = message(from, all.rank());
    expected.resize((expected.size() + 63) / 64 * 64);
    EXPECT_EQ(incoming[std::size_t(from)], expected) << "of rank " << from;
  }
}

}  // namespace
}  // namespace stencil
