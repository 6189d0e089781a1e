// Ranks that compute on the same device, with made-up device identifiers: no GPU is needed.
#include "framework/parallel/device_share.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(DeviceShare, RanksOfOneDeviceFindEachOther) {
  const Communicator world(MPI_COMM_WORLD);
  const int rank = world.rank(), devices = 2;
  const DeviceShare share =
      share_of_device(world, "node 0000:0" + std::to_string(rank % devices) + ":00.0");
  std::vector<int> expected;
  for (int other = rank % devices; other < world.size(); other += devices)
    expected.push_back(other);
  EXPECT_EQ(share.ranks, expected);
  EXPECT_EQ(share.rank_on_device, rank / devices);
  Index sum = 0;
  for (const int other : expected) sum += 10 + other;
  EXPECT_EQ(sum_on_device(world, share, 10 + rank), sum);
}

TEST(DeviceShare, ThoseOfTheHostAreAlone) {
  const Communicator world(MPI_COMM_WORLD);
  const DeviceShare share = share_of_device(world, "");
  EXPECT_EQ(share.ranks, std::vector<int>{world.rank()});
  EXPECT_EQ(share.rank_on_device, 0);
  EXPECT_EQ(sum_on_device(world, share, 7), 7);
}

}  // namespace
}  // namespace stencil
