// Outputs of snapshots that a second run continues: the same bytes as without an interruption.
#include "io/write/output/snapshots_done.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "framework/grid/error.hpp"
#include "io/hdf5/handle.hpp"
#include "io/write/output/output_file.hpp"
#include "tests/io/shared_scratch.hpp"

namespace stencil {
namespace {

namespace fs = std::filesystem;

constexpr Index all_snapshots = 5;

struct Layout {
  std::vector<Index> chunk{};
  int gzip_level = 0;
  bool may_end_early = false;
};

const std::vector<Layout> layouts{
    {},
    {.chunk = {50, 90}},
    {.chunk = {50, 90}, .gzip_level = 1},
    {.chunk = {300, 100}, .gzip_level = 1},  // chunks of very different compressed sizes
    {.chunk = {300, 700}, .gzip_level = 1, .may_end_early = true},
    {.chunk = {300, 700}, .may_end_early = true}};

struct Case {
  explicit Case(const Layout& layout) {
    spec.file = *scratch / "out.h5";
    spec.dataset = "/g/data";
    spec.form = NormalForm({300, 700}, {0, 1});
    spec.type = ElementType::float32;
    spec.overwrite = true;
    spec.chunk = layout.chunk;
    spec.gzip_level = layout.gzip_level;
    spec.snapshots =
        SnapshotAxis{.count = all_snapshots, .may_end_early = layout.may_end_early, .unit = "s"};
  }
  ~Case() { world.barrier(); }  // rank 0 removes the folder
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  /// Returns the value of a point: noise, or a constant in a part that compresses well, so that
  /// chunks of a few bytes are next to chunks of many pages.
  static double value(Index snapshot, Index i) {
    const Index column = i % 700;
    return column > 400 && snapshot % 2 == 1 ? 1.0 : double((i * 7919 + snapshot * 104729) % 65521);
  }
  void take(OutputFile& output, Index snapshot) {
    Box owned = make_box(spec.form.shape());
    owned.set(y_axis, {300 * world.rank() / world.size(), 300 * (world.rank() + 1) / world.size()});
    const testing::OwnedBox<float> mine(spec.form, owned,
                                        [&](Index i) { return value(snapshot, i); });
    output.begin_snapshot();
    output.write<float>(mine.box, mine.view);
    output.end_snapshot(0.5 * double(snapshot));
  }
  std::string bytes(const std::string& name) const {
    world.barrier();
    std::ifstream stream(name, std::ios::binary);
    std::string all{std::istreambuf_iterator<char>(stream), {}};
    world.barrier();
    return all;
  }
  std::string right() {
    {
      OutputFile output(world, spec);
      for (Index n = 0; n < all_snapshots; ++n) take(output, n);
      output.commit();
    }
    return bytes(spec.file);
  }
  /// Starts a run that ends after `taken` snapshots without closing the file.
  UnfinishedOutput begin(Index settled, Index taken) {
    UnfinishedOutput done;
    {
      OutputFile output(world, spec);
      for (Index n = 0; n < taken; ++n) {
        take(output, n);
        if (n + 1 == settled) done = output.settle_snapshots();
      }
      output.keep_part();
    }
    return on_all_ranks(done);
  }
  UnfinishedOutput on_all_ranks(const UnfinishedOutput& done) const {
    std::string text = serialize(done);
    world.broadcast(text, 0);
    world.barrier();  // no rank writes at this point
    return unfinished_from(text, "of the test");
  }
  bool is_sound(const UnfinishedOutput& done) const {
    return world.maximum(Index{!is_as_written(done, spec, world.rank(), world.size())}) == 0;
  }
  std::string go_on(UnfinishedOutput done) {
    EXPECT_TRUE(look_at_part(done, spec.file));
    world.barrier();
    {
      OutputFile output(world, spec, &done);
      for (Index n = std::ssize(done.times); n < all_snapshots; ++n) take(output, n);
      output.commit();
    }
    return bytes(spec.file);
  }
  /// Leaves the file as a kill does while HDF5 is writing.
  void tear() const {
    world.barrier();
    if (world.rank() == 0) {
      std::fstream file(spec.file + ".part", std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(11);
      file.put(1);  // marks the file as open for writing in the superblock
      file.seekp(0, std::ios::end);
      file << "half a chunk";
    }
    world.barrier();
  }

  Communicator world{MPI_COMM_WORLD};
  std::unique_ptr<testing::Scratch> scratch = testing::shared_scratch(world);
  OutputSpec spec;
};

class SnapshotsDone : public ::testing::TestWithParam<std::size_t> {};

TEST_P(SnapshotsDone, WhatIsGoneOnWithHasTheSameBytes) {
  Case one(layouts[GetParam()]);
  const std::string right = one.right();
  for (const auto& [settled, taken] : {std::pair<Index, Index>(1, 1), {3, 5}}) {
    SCOPED_TRACE(std::to_string(settled) + " of " + std::to_string(taken));
    const UnfinishedOutput done = one.begin(settled, taken);
    EXPECT_EQ(std::ssize(done.times), settled);
    one.tear();
    EXPECT_TRUE(one.is_sound(done));
    EXPECT_EQ(one.go_on(done) == right, true);
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, SnapshotsDone, ::testing::Range(std::size_t{0}, layouts.size()));

TEST(UnfinishedSnapshots, ItIsStoppedTwice) {
  Case one(layouts[3]);
  const std::string right = one.right();
  UnfinishedOutput done = one.begin(2, 4);
  EXPECT_TRUE(look_at_part(done, one.spec.file));
  one.world.barrier();
  UnfinishedOutput later;
  {
    OutputFile output(one.world, one.spec, &done);
    one.take(output, 2);
    one.take(output, 3);
    later = output.settle_snapshots();
  }
  later = one.on_all_ranks(later);
  EXPECT_TRUE(one.is_sound(later)) << "it stays without being asked";
  const auto first = first_snapshots(later, 2, one.spec);
  ASSERT_TRUE(first);
  EXPECT_EQ(checksum_of_snapshots(*first), checksum_of_snapshots(done)) << "places, too";
  EXPECT_EQ(one.go_on(later) == right, true);
}

TEST(UnfinishedSnapshots, ABlockThatIsAnotherIsFound) {
  Case one(layouts[1]);
  const UnfinishedOutput done = one.begin(3, 5);
  if (one.world.rank() == 0) {
    const storage::Written& last = done.records.back();
    std::fstream file(one.spec.file + ".part", std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(last.at + last.bytes - 1);
    const char byte = static_cast<char>(file.get());
    file.seekp(last.at + last.bytes - 1);
    file.put(static_cast<char>(byte ^ 1));
  }
  one.world.barrier();
  EXPECT_FALSE(one.is_sound(done));
}

TEST(PackedPlaces, AreThoseThatHdf5Tells) {
  Case one(layouts[3]);
  const UnfinishedOutput done = one.begin(5, 5);
  const storage::Handle file(
      H5Fopen((one.spec.file + ".part").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const storage::Handle data(H5Dopen2(file, "/g/data", H5P_DEFAULT), H5Dclose);
  ASSERT_EQ(done.records.size(), 35U);
  Index small = 0;
  for (const storage::Written& record : done.records) {
    const hsize_t first[] = {static_cast<hsize_t>(record.block / 7), 0,
                             static_cast<hsize_t>(record.block % 7 * 100)};
    haddr_t address = 0;
    hsize_t bytes = 0;
    ASSERT_GE(H5Dget_chunk_info_by_coord(data, first, nullptr, &address, &bytes), 0);
    EXPECT_EQ(static_cast<Index>(address), record.at) << record.block;
    EXPECT_EQ(static_cast<Index>(bytes), record.bytes) << record.block;
    small += record.bytes < 2048 ? 1 : 0;
  }
  EXPECT_GT(small, 3) << "HDF5 may put such chunks into gaps";
}

TEST(SnapshotsSaved, AreReadAsTheyWereWritten) {
  const SnapshotsSaved saved{12, {3, 4, 5}, 0xfedcba9876543210};
  const auto found = snapshots_saved_from(text_of(saved));
  ASSERT_TRUE(found);
  EXPECT_EQ(text_of(*found), text_of(saved));
  EXPECT_EQ(found->counts.vanished, 5);
  for (const char* text : {"", "3", "3 1 2 3", "0 0 0 0 1", "-1 0 0 0 1", "x 0 0 0 1"})
    EXPECT_FALSE(snapshots_saved_from(text)) << text;
}

TEST(FirstSnapshots, AreThereWithAllTheirBlocks) {
  OutputSpec spec;
  spec.form = NormalForm({4, 6}, {0, 1});
  spec.chunk = {2, 6};
  spec.snapshots = SnapshotAxis{.count = 5};
  UnfinishedOutput all;
  all.times = {0, 1, 2};
  for (Index block = 0; block < 6; ++block)
    all.records.push_back({block, 7, 48, 1000 + 48 * block});
  EXPECT_EQ(first_snapshots(all, 2, spec).value().records.size(), 4U);
  EXPECT_TRUE(first_snapshots(all, 3, spec));
  EXPECT_FALSE(first_snapshots(all, 4, spec));
  EXPECT_NE(checksum_of_snapshots(all), checksum_of_snapshots(*first_snapshots(all, 2, spec)));
  all.records.erase(all.records.begin() + 1);
  EXPECT_FALSE(first_snapshots(all, 2, spec));
  EXPECT_TRUE(first_snapshots(all, 0, spec));
}

}  // namespace
}  // namespace stencil
