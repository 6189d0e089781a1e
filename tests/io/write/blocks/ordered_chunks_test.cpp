#include "io/write/blocks/ordered_chunks.hpp"
#include "io/write/output_paths.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>

#include "io/hdf5/file_access.hpp"
#include "io/hdf5/packing.hpp"
#include "io/write/output/output_creation.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;
using storage::OrderedChunks;
using storage::PackedTarget;
using Bytes = std::vector<std::byte>;

constexpr Index chunks = 60;

class Ordered : public ::testing::Test {
 protected:
  Scratch scratch_;
  OutputSpec spec_;
  storage::OutputPaths paths_;
  storage::Descriptor file_;
  const std::shared_ptr<storage::FileStructure> structure_ =
      std::make_shared<storage::FileStructure>();

  void create(const std::string& name) {
    spec_ = {};
    spec_.file = scratch_ / name;
    spec_.dataset = "/data";
    spec_.form = NormalForm({chunks, 1000}, {});
    spec_.chunk = {1, 1000};
    spec_.gzip_level = 1;
    paths_ = storage::OutputPaths::of(spec_.file);
    file_ = storage::Descriptor(::open(spec_.file.c_str(), O_CREAT | O_RDWR, 0600));
    storage::create_output(spec_, paths_, file_.number(), *structure_);
  }
  static Bytes packed(Index block) {
    std::vector<float> points(1000);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = float((block * 77 + Index(i)) % 91);
    storage::ChunkPacker packer(1, 4000, 4);
    const auto bytes = packer.pack(reinterpret_cast<const std::byte*>(points.data()));
    return {bytes.begin(), bytes.end()};
  }
};

/// Chunks in any order give the same bytes as chunks that are written in order.
TEST_F(Ordered, chunks_in_any_order_give_the_same_file) {
  std::string expected;
  std::vector<Index> order(chunks);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(3);
  for (int round = 0; round < 5; ++round) {
    const std::string name = "file" + std::to_string(round);
    create(name);
    {
      PackedTarget target(file_.number(), paths_.part, spec_, *structure_);
      OrderedChunks ordered(target, paths_.part);
      std::atomic<std::size_t> next{0};
      std::vector<std::thread> threads;
      for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] {
          for (std::size_t at; (at = next++) < order.size();)
            EXPECT_TRUE(ordered.take(order[at], packed(order[at])));
        });
      for (std::thread& thread : threads) thread.join();
      EXPECT_EQ(ordered.written(), chunks);
      EXPECT_TRUE(ordered.take_back().empty());
      target.close();
    }
    const std::string bytes = bytes_of(scratch_ / name);
    if (round == 0) expected = bytes;
    EXPECT_TRUE(bytes == expected) << round;
    std::shuffle(order.begin(), order.end(), random);
  }
}

TEST_F(Ordered, what_waits_in_vain_is_given_back) {
  create("file");
  PackedTarget target(file_.number(), paths_.part, spec_, *structure_);
  OrderedChunks ordered(target, paths_.part);
  EXPECT_TRUE(ordered.take(0, packed(0)));
  EXPECT_TRUE(ordered.take(3, packed(3)));
  EXPECT_TRUE(ordered.take(2, packed(2)));
  EXPECT_EQ(ordered.written(), 1);
  const auto back = ordered.take_back();
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back.begin()->first, 2);
  EXPECT_EQ(back.begin()->second, packed(2));
  EXPECT_TRUE(ordered.take(1, packed(1)));
  EXPECT_EQ(ordered.written(), 2);
}

TEST_F(Ordered, no_more_waits_than_there_is_room_for) {
  create("file");
  PackedTarget target(file_.number(), paths_.part, spec_, *structure_);
  OrderedChunks ordered(target, paths_.part);
  const Bytes large(OrderedChunks::most_waiting / 2 + 1);
  EXPECT_TRUE(ordered.take(1, large));
  EXPECT_FALSE(ordered.take(2, large));
  EXPECT_TRUE(ordered.take(3, packed(3)));
}

}  // namespace
}  // namespace stencil
