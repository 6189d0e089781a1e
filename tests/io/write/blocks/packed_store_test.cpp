#include "io/write/blocks/packed_store.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using storage::PackedStore;
using Bytes = std::vector<std::byte>;

/// Returns bytes that differ between chunks, and within a chunk every 100 bytes.
Bytes chunk(unsigned seed, Index bytes) {
  Bytes result(static_cast<std::size_t>(bytes));
  for (std::size_t at = 0; at < result.size(); at += 100)
    std::memset(&result[at], int((at / 100 + seed * 31) % 251),
                std::min<std::size_t>(100, result.size() - at));
  return result;
}

Bytes read(const PackedStore& store, Index at, Index bytes) {
  Bytes result(static_cast<std::size_t>(bytes));
  store.read(at, bytes, result.data());
  return result;
}

class Store : public ::testing::Test {
 protected:
  ~Store() override { ::close(folder_); }

  testing::Scratch scratch_;
  int folder_ = ::open(scratch_.folder().c_str(), O_RDONLY | O_DIRECTORY);
  PackedStore store_{folder_, "out.h5"};
};

TEST_F(Store, WhatMemoryDoesNotHoldGoesIntoAFileWithoutAName) {
  constexpr Index large = Index{24} << 20, small = 1000;
  const Index first = store_.add(chunk(1, large)), second = store_.add(chunk(2, large));
  const Index third = store_.add(chunk(3, large)), fourth = store_.add(chunk(4, small));
  EXPECT_LT(second, PackedStore::most_in_memory);
  EXPECT_GE(third, PackedStore::most_in_memory);
  EXPECT_GE(fourth, PackedStore::most_in_memory) << "all that follow, too";
  EXPECT_TRUE(scratch_.names().empty());
  EXPECT_EQ(read(store_, first, large), chunk(1, large));
  EXPECT_EQ(read(store_, second, large), chunk(2, large));
  EXPECT_EQ(read(store_, third, large), chunk(3, large));
  EXPECT_EQ(read(store_, fourth, small), chunk(4, small));
}

TEST_F(Store, ThreadsAddAtTheSameTime) {
  store_.add(
      chunk(0, PackedStore::most_in_memory - 40000));  // half of the chunks are written to the file
  constexpr Index bytes = 1000;
  std::vector<Index> at(80);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = t; i < at.size(); i += 4) at[i] = store_.add(chunk(i, bytes));
    });
  for (std::thread& thread : threads) thread.join();
  for (unsigned i = 0; i < at.size(); ++i)
    EXPECT_EQ(read(store_, at[i], bytes), chunk(i, bytes)) << i;
}

}  // namespace
}  // namespace stencil
