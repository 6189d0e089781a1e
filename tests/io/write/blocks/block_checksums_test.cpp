#include "io/write/blocks/block_checksums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace stencil::storage {
namespace {

std::uint64_t checksum(Index block) {
  return static_cast<std::uint64_t>(block) * 0x9e3779b97f4a7c15u + 1;
}

/// Returns the records, in random order, of a rank that wrote every `ranks`-th block.
std::vector<Written> records_of(int rank, int ranks, Index blocks) {
  std::vector<Written> records;
  for (Index block = rank; block < blocks; block += ranks)
    records.push_back({block, checksum(block), 100, 0});
  std::shuffle(records.begin(), records.end(), std::mt19937(static_cast<unsigned>(rank)));
  return records;
}

TEST(BlockChecksums, are_those_of_successive_blocks_whoever_wrote_them) {
  const Communicator world(MPI_COMM_WORLD);
  for (const Index blocks : {1, 5, 1024, 1025, 5000}) {
    const BlockGrid grid({blocks * 10, 3}, {10, 3}, 4);
    const BlockChecksums found =
        checksums_of_all(world, records_of(world.rank(), world.size(), blocks), {}, grid);
    if (world.rank() > 0) {
      EXPECT_TRUE(found.values.empty());
      continue;
    }
    const Index each = blocks <= 1024 ? 1 : blocks == 1025 ? 2 : 5;
    EXPECT_EQ(found.blocks_each, each);
    ASSERT_EQ(std::ssize(found.values), (blocks + each - 1) / each);
    for (Index first = 0; first < blocks; first += each) {
      std::vector<std::uint64_t> group;
      for (Index block = first; block < std::min(blocks, first + each); ++block)
        group.push_back(checksum(block));
      EXPECT_EQ(found.values[static_cast<std::size_t>(first / each)],
                checksum_of(group.data(), group.size() * sizeof group.front()));
    }
  }
}

TEST(BlockChecksums, of_all_ranks_come_in_the_order_of_their_blocks) {
  const Communicator world(MPI_COMM_WORLD);
  for (const Index blocks : {0, 1, 3, 100}) {
    const std::vector<Written> all =
        gather_records(world, records_of(world.rank(), world.size(), blocks));
    ASSERT_EQ(std::ssize(all), world.rank() == 0 ? blocks : 0);
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_EQ(all[k].block, static_cast<Index>(k));
      EXPECT_EQ(all[k].checksum, checksum(all[k].block));
    }
  }
}

TEST(BlockChecksums, say_what_they_are) {
  const BlockGrid grid({100, 30}, {10, 7}, 4);
  EXPECT_EQ(words_of({{1, 2}, 3}, grid),
            "XXH3-64 of the little-endian XXH3-64 of 3 successive blocks of 10x7 points each, in "
            "row-major order, as the file stores them");
}

}  // namespace
}  // namespace stencil::storage
