// Only the named file is read: no external storage, links, virtual sources or plugins.
#include <gtest/gtest.h>

#include "framework/grid/error.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/probe.hpp"
#include "io/read/input_dataset.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

double number(Index i) {
  return static_cast<double>(i);
}

Thrown probed(const std::string& file, const std::string& dataset) {
  return thrown_by([&] { probe_dataset(file, dataset); });
}

/// Writes a virtual dataset of two halves; each half is the dataset `data` of one file.
void write_virtual(const std::string& name, const std::string& first, const std::string& second) {
  const Handle file = create_file(name);
  const hsize_t whole = 20, half = 10;
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Handle space(H5Screate_simple(1, &whole, nullptr), H5Sclose);
  const Handle source(H5Screate_simple(1, &half, nullptr), H5Sclose);
  hsize_t start = 0;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &half, nullptr);
  H5Pset_virtual(creation, space, first.c_str(), "data", source);
  start = 10;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &half, nullptr);
  H5Pset_virtual(creation, space, second.c_str(), "data", source);
  H5Sselect_all(space);
  const Handle dataset(
      H5Dcreate2(file, "v", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  ASSERT_TRUE(bool(dataset));
}

/// Writes a virtual dataset with one part of ten points for each file that matches a pattern.
void write_pattern(const std::string& name, const std::string& pattern) {
  const Handle file = create_file(name);
  const hsize_t half = 10, most = H5S_UNLIMITED, start = 0;
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Handle space(H5Screate_simple(1, &half, &most), H5Sclose);
  const Handle source(H5Screate_simple(1, &half, nullptr), H5Sclose);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &half, &most, &half);
  ASSERT_GE(H5Pset_virtual(creation, space, pattern.c_str(), "data", source), 0);
  const Handle dataset(
      H5Dcreate2(file, "v", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  ASSERT_TRUE(bool(dataset));
}

void write_source(const std::string& name, hsize_t length = 10) {
  write_dataset(create_file(name), "data", {length}, {}, number);
}

TEST(ForeignFiles, external_storage_is_refused_and_its_content_not_told) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "e.h5");
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_external(creation, "/etc/passwd", 0, 64);
    const hsize_t extent = 64;
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    Handle(H5Dcreate2(file, "secret", H5T_STD_U8LE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
           H5Dclose);
  }
  const Thrown thrown = probed(scratch / "e.h5", "secret");
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("external storage"), std::string::npos) << thrown.message;
  EXPECT_EQ(thrown.message.find("root:"), std::string::npos);
}

TEST(ForeignFiles, external_links_are_refused_anywhere_on_the_way) {
  const Scratch scratch;
  write_dataset(create_file(scratch / "target.h5"), "g/data", {5}, {}, number);
  {
    const Handle file = create_file(scratch / "l.h5");
    H5Lcreate_external("target.h5", "/g/data", file, "dataset", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("target.h5", "/g", file, "group", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/group/data", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  }
  for (const char* path : {"dataset", "group/data", "soft"}) {
    const Thrown thrown = probed(scratch / "l.h5", path);
    EXPECT_EQ(thrown.status, Status::storage) << path;
    EXPECT_NE(thrown.message.find("another file"), std::string::npos) << thrown.message;
  }
}

TEST(ForeignFiles, soft_links_inside_the_file_are_followed) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "s.h5");
    write_dataset(file, "a/b/data", {5}, {}, number);
    H5Lcreate_soft("/a/b", file, "absolute", H5P_DEFAULT, H5P_DEFAULT);
    const Handle group(H5Gopen2(file, "a", H5P_DEFAULT), H5Gclose);
    H5Lcreate_soft("b/data", group, "relative", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/loop", file, "loop", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/nowhere", file, "dangling", H5P_DEFAULT, H5P_DEFAULT);
  }
  EXPECT_EQ(probe_dataset(scratch / "s.h5", "absolute/data").dims, std::vector<Index>{5});
  EXPECT_EQ(probe_dataset(scratch / "s.h5", "a/relative").dims, std::vector<Index>{5});
  EXPECT_EQ(probed(scratch / "s.h5", "loop").status, Status::storage);
  EXPECT_EQ(probed(scratch / "s.h5", "dangling").status, Status::words);
}

TEST(ForeignFiles, virtual_sources_in_the_folder_are_read) {
  const Scratch scratch;
  write_source(scratch / "one.h5");
  write_source(scratch / "two.h5");
  write_virtual(scratch / "v.h5", "one.h5", "two.h5");
  const DatasetFacts facts = probe_dataset(scratch / "v.h5", "v");
  EXPECT_EQ(facts.layout, "virtual");
  EXPECT_EQ(facts.sources.size(), 2u);
  std::vector<float> values(20, -1);
  const NormalForm form({20}, {0});
  InputDataset(facts).read(form, make_box(form.shape()), view_of(values.data(), form.shape()), {});
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(values[i], float(i % 10));
}

TEST(ForeignFiles, a_virtual_source_that_changes_is_noticed) {
  const Scratch scratch;
  write_source(scratch / "one.h5");
  write_source(scratch / "two.h5");
  write_virtual(scratch / "v.h5", "one.h5", "two.h5");
  const DatasetFacts facts = probe_dataset(scratch / "v.h5", "v");
  std::vector<float> values(20);
  const NormalForm form({20}, {0});
  const auto read = [&](const InputDataset& input) {
    return thrown_by([&] {
      input.read(form, make_box(form.shape()), view_of(values.data(), form.shape()), {});
    });
  };
  const InputDataset input(facts);
  EXPECT_EQ(read(input).status, Status::done);
  ::usleep(20'000);  // until the clock of file times has advanced
  std::filesystem::last_write_time(scratch / "two.h5",
                                   std::filesystem::file_time_type::clock::now());
  for (const Thrown& thrown : {read(input), thrown_by([&] { InputDataset again(facts); })}) {
    EXPECT_EQ(thrown.status, Status::storage);
    EXPECT_NE(thrown.message.find("two.h5, a source of"), std::string::npos) << thrown.message;
    EXPECT_NE(thrown.message.find("has changed"), std::string::npos) << thrown.message;
  }
}

TEST(ForeignFiles, the_sources_of_virtual_sources_are_known_too) {
  const Scratch scratch;
  write_dataset(create_file(scratch / "one.h5"), "data", {10}, {.chunk = {5}}, number);
  {
    const Handle file = create_file(scratch / "middle.h5");
    const hsize_t extent = 10;
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    H5Pset_virtual(creation, space, "one.h5", "data", space);
    Handle(H5Dcreate2(file, "data", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT),
           H5Dclose);
  }
  write_virtual(scratch / "v.h5", "middle.h5", "middle.h5");
  const DatasetFacts facts = probe_dataset(scratch / "v.h5", "v");
  ASSERT_EQ(facts.sources.size(), 2u);
  EXPECT_TRUE(facts.sources[0].ends_with("middle.h5"));
  EXPECT_TRUE(facts.sources[1].ends_with("one.h5"));
  EXPECT_EQ(facts.chunk_bytes, 20);
}

TEST(ForeignFiles, virtual_sources_that_are_missing_or_do_not_fit_are_refused) {
  const Scratch scratch;
  write_source(scratch / "one.h5");
  write_source(scratch / "short.h5", 9);
  write_dataset(create_file(scratch / "other.h5"), "different", {10}, {}, number);
  write_virtual(scratch / "absent.h5", "one.h5", "gone.h5");
  write_virtual(scratch / "cut.h5", "one.h5", "short.h5");
  write_virtual(scratch / "unnamed.h5", "one.h5", "other.h5");
  write_source(scratch / "part0.h5");
  write_pattern(scratch / "pattern.h5", "part%b.h5");
  const auto message = [&](const char* name) {
    const Thrown thrown = probed(scratch / name, "v");
    EXPECT_NE(thrown.status, Status::done) << name;
    return thrown.message;
  };
  EXPECT_NE(message("absent.h5").find("missing"), std::string::npos);
  EXPECT_NE(message("cut.h5").find("does not have"), std::string::npos);
  EXPECT_NE(message("unnamed.h5").find("no dataset"), std::string::npos);
  EXPECT_NE(message("pattern.h5").find("pattern of source files"), std::string::npos)
      << message("pattern.h5");
}

TEST(ForeignFiles, virtual_sources_outside_the_folder_are_refused) {
  const Scratch scratch, elsewhere;
  write_source(scratch / "one.h5");
  write_source(elsewhere / "two.h5");
  write_virtual(scratch / "v.h5", "one.h5", elsewhere / "two.h5");
  std::filesystem::create_symlink(elsewhere / "two.h5", scratch / "linked.h5");
  write_virtual(scratch / "w.h5", "one.h5", "linked.h5");
  for (const char* name : {"v.h5", "w.h5"}) {
    const Thrown thrown = probed(scratch / name, "v");
    EXPECT_EQ(thrown.status, Status::storage);
    EXPECT_NE(thrown.message.find("outside the folder"), std::string::npos) << thrown.message;
  }
}

TEST(ForeignFiles, unknown_filters_are_refused_and_no_plugin_is_looked_for) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "f.h5");
    write_dataset(file, "data", {64}, {.chunk = {64}, .gzip = 1}, number);
  }
  std::string bytes = bytes_of(scratch / "f.h5");
  // the filter message: version 1, one filter, then its number 1 = deflate
  const std::string message{"\x01\x01\0\0\0\0\0\0\x01\0", 10};
  const std::size_t at = bytes.find(message);
  ASSERT_NE(at, std::string::npos);
  // the number 32017, which is registered for another filter
  bytes.replace(at + 8, 2, std::string("\x11\x7d", 2));
  write_bytes(scratch / "f.h5", bytes);
  ::setenv("HDF5_PLUGIN_PATH", scratch.folder().c_str(), 1);
  const Thrown thrown = probed(scratch / "f.h5", "data");
  ::unsetenv("HDF5_PLUGIN_PATH");
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("filter 32017"), std::string::npos) << thrown.message;
}

}  // namespace
}  // namespace stencil
