#include "io/hdf5/packing.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "io/hdf5/unpack.hpp"

namespace stencil {
namespace {

using storage::ChunkPacker;
using storage::most_packed_bytes;
using storage::Unpacker;
using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::span<const std::byte> span) {
  return {span.begin(), span.end()};
}

/// Returns the bytes that HDF5's filters decode from a compressed chunk.
Bytes unpacked(const Bytes& packed, Index chunk_bytes, Index element_bytes) {
  std::vector<storage::Filter> filters{{H5Z_FILTER_DEFLATE, {6}}};
  if (element_bytes > 1)
    filters.insert(filters.begin(), {H5Z_FILTER_SHUFFLE, {unsigned(element_bytes)}});
  Unpacker unpacker(filters, chunk_bytes);
  std::memcpy(unpacker.hold(Index(packed.size())), packed.data(), packed.size());
  const std::byte* const points = unpacker.unpack(Index(packed.size()), 0);
  return points ? Bytes(points, points + chunk_bytes) : Bytes{};
}

TEST(Packing, EveryElementSizeAndLevelUnpacksToTheSameBytes) {
  std::mt19937 random(3);
  for (const Index element : {1, 2, 4, 8})
    for (const int level : {1, 6, 9}) {
      Bytes chunk(std::size_t(element * 1000));
      for (std::byte& byte : chunk) byte = std::byte(random() % 5);
      ChunkPacker packer(level, Index(chunk.size()), element);
      const Bytes packed = bytes_of(packer.pack(chunk.data()));
      EXPECT_LT(packed.size(), chunk.size() / 2) << "five values need less than three bits";
      EXPECT_EQ(unpacked(packed, Index(chunk.size()), element), chunk) << element << ' ' << level;
      packer.pack(Bytes(chunk.size()).data());
      EXPECT_EQ(bytes_of(packer.pack(chunk.data())), packed) << "whatever was packed before";
    }
}

TEST(Packing, NoiseStaysWithinTheBound) {
  std::mt19937 random(4);
  Bytes chunk(64 << 10);
  for (std::byte& byte : chunk) byte = std::byte(random());
  ChunkPacker packer(9, Index(chunk.size()), 4);
  const Bytes packed = bytes_of(packer.pack(chunk.data()));
  EXPECT_GT(packed.size(), chunk.size());
  EXPECT_LE(Index(packed.size()), most_packed_bytes(Index(chunk.size())));
  EXPECT_EQ(unpacked(packed, Index(chunk.size()), 4), chunk);
}

}  // namespace
}  // namespace stencil
