#include "io/write/blocks/file_structure.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <random>

#include "framework/grid/error.hpp"
#include "io/hdf5/file_access.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;
using storage::FileStructure;
using storage::Written;

class Structure : public ::testing::Test {
 protected:
  Scratch scratch_;
  std::string name_ = scratch_ / "file";
  storage::Descriptor file_{::open(name_.c_str(), O_CREAT | O_RDWR, 0600)};
  FileStructure structure_;

  int write(Index bytes, Index at, int value) {
    const std::vector<std::byte> from(static_cast<std::size_t>(bytes), std::byte(value));
    return structure_.write(file_.number(), from.data(), bytes, at);
  }
  void spoil(Index at) {
    const std::byte other{0xEE};
    ASSERT_EQ(storage::write_exactly(file_.number(), &other, 1, at), 0);
  }
  bool is_sound() const {
    try {
      storage::check_structure(file_.number(), name_, structure_.records());
      return true;
    } catch (const StorageError&) {
      return false;
    }
  }
};

/// Every written byte is in exactly one record, and a change of it is detected.
TEST_F(Structure, ranges_that_overlap_in_any_way_cover_what_was_written) {
  constexpr Index length = 200;
  std::mt19937 random(5);
  std::vector<bool> is_written(length);
  for (int round = 0; round < 400; ++round) {
    const Index at = random() % length, bytes = 1 + random() % std::min<Index>(40, length - at);
    const bool are_points = round % 5 == 0;
    const std::vector<std::byte> from(static_cast<std::size_t>(bytes), std::byte(round));
    const auto call = are_points ? &FileStructure::write_points : &FileStructure::write;
    ASSERT_EQ((structure_.*call)(file_.number(), from.data(), bytes, at), 0);
    for (Index i = at; i < at + bytes; ++i) is_written[static_cast<std::size_t>(i)] = !are_points;
  }
  Index end = 0;
  std::vector<bool> is_recorded(length);
  for (const Written& record : structure_.records()) {
    ASSERT_GE(record.at, end);
    end = record.at + record.bytes;
    for (Index i = record.at; i < end; ++i) is_recorded[static_cast<std::size_t>(i)] = true;
  }
  EXPECT_EQ(is_recorded, is_written);
  EXPECT_TRUE(is_sound());
  for (Index at = 0; at < length; ++at) {
    std::byte old{};
    ASSERT_EQ(storage::read_exactly(file_.number(), &old, 1, at), 0);
    spoil(at);
    EXPECT_EQ(is_sound(), !is_written[static_cast<std::size_t>(at)] || old == std::byte{0xEE});
    ASSERT_EQ(storage::write_exactly(file_.number(), &old, 1, at), 0);
  }
}

TEST_F(Structure, what_remains_of_a_range_is_compared_before_it_gets_a_checksum_of_its_own) {
  ASSERT_EQ(write(100, 0, 1), 0);
  spoil(80);
  EXPECT_EQ(write(10, 20, 2), EIO);
  EXPECT_EQ(structure_.error(), EIO);
}

TEST_F(Structure, long_ranges_are_checked_in_pieces) {
  ASSERT_EQ(write((Index{5} << 20) + 3, 7, 1), 0);
  EXPECT_EQ(structure_.records().size(), 6u);
  EXPECT_TRUE(is_sound());
  spoil((Index{5} << 20) + 9);
  EXPECT_FALSE(is_sound());
}

TEST_F(Structure, a_shorter_file_has_no_ranges_behind_its_end) {
  ASSERT_EQ(write(100, 0, 1), 0);
  ASSERT_EQ(write(100, 200, 1), 0);
  ASSERT_EQ(structure_.set_length(file_.number(), 50), 0);
  EXPECT_TRUE(is_sound());
  ASSERT_EQ(structure_.records().size(), 1u);
  EXPECT_EQ(structure_.records()[0].bytes, 50);
  EXPECT_EQ(::ftruncate(file_.number(), 49), 0);
  EXPECT_FALSE(is_sound());
}

TEST_F(Structure, the_first_error_stays) {
  EXPECT_EQ(structure_.fail(0), 0);
  EXPECT_EQ(structure_.fail(ENOSPC), ENOSPC);
  EXPECT_EQ(write(10, 0, 1), 0);
  structure_.fail(EIO);
  EXPECT_EQ(structure_.error(), ENOSPC);
}

}  // namespace
}  // namespace stencil
