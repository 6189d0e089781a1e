#include "framework/parallel/parcel.hpp"

#include <gtest/gtest.h>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

constexpr Index mebibyte = Index{1} << 20;

TEST(Parcel, CountsBytesOfMessages) {
  const auto parcels = parcels_of({{.peer = 3, .parts = {}, .elements = 10}}, 8);
  ASSERT_EQ(parcels.size(), 1u);
  EXPECT_EQ(parcels[0].peer, 3);
  EXPECT_EQ(parcels[0].bytes, 80);
  EXPECT_THROW(parcels_of({{.peer = 0, .parts = {}, .elements = Index{1} << 61}}, 8), ShapeError);
}

/// Devices allocate memory in blocks of 2 MiB; a buffer for a peer has a header before its data.
TEST(Parcel, DeviceMemoryOfEachTransport) {
  const std::vector<Parcel> small{{0, 1}}, large{{0, 10 * mebibyte}}, whole{{1, 2 * mebibyte}};
  for (const auto transport : {TransportRequest::mpi, TransportRequest::nccl}) {
    EXPECT_EQ(device_bytes_of_channel(transport, small, whole), 4 * mebibyte);
    EXPECT_EQ(device_bytes_of_channel(transport, large, whole), 12 * mebibyte);
  }
  EXPECT_EQ(device_bytes_of_channel(TransportRequest::host, large, whole), 0);
  EXPECT_EQ(device_bytes_of_channel(TransportRequest::peer, small, whole), 6 * mebibyte);
  EXPECT_EQ(device_bytes_of_channel(TransportRequest::peer, large, whole), 6 * mebibyte);
}

TEST(Parcel, AutomaticCountsTheTransportThatTakesMost) {
  const std::vector<Parcel> small{{0, 1}}, large{{0, 10 * mebibyte}}, whole{{1, 2 * mebibyte}};
  EXPECT_EQ(device_bytes_of_channel(TransportRequest::automatic, small, whole), 6 * mebibyte);
  EXPECT_EQ(device_bytes_of_channel(TransportRequest::automatic, large, whole), 12 * mebibyte);
}

}  // namespace
}  // namespace stencil
