#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>

#include "framework/grid/error.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

double number(Index i) {
  return static_cast<double>(i % 251);
}

/// One failure is one line with the file's name and a hint.
void expect_refused(const std::string& file, const std::string& dataset, Status status,
                    const std::string& part) {
  const Thrown thrown = thrown_by([&] { probe_dataset(file, dataset); });
  EXPECT_EQ(thrown.status, status) << file << " " << dataset << ": " << thrown.message;
  EXPECT_NE(thrown.message.find(part), std::string::npos) << thrown.message;
  EXPECT_EQ(thrown.message.find('\n'), std::string::npos) << thrown.message;
  EXPECT_NE(thrown.message.find(std::filesystem::path(file).filename().string()), std::string::npos)
      << thrown.message;
}

TEST(Probe, tells_contiguous_facts_that_lead_to_the_bytes) {
  const Scratch scratch;
  const std::string name = scratch / "a.h5";
  {
    const Handle file = create_file(name);
    const Handle dataset =
        write_dataset(file, "group/data", {7, 5}, {.file_type = H5T_NATIVE_DOUBLE}, number);
    set_number(dataset, "_FillValue", NAN);
    set_number(dataset, "missing_value", -999);
  }
  const DatasetFacts facts = probe_dataset(name, "/group/data");
  EXPECT_EQ(facts.dims, (std::vector<Index>{7, 5}));
  EXPECT_EQ(facts.type, ElementType::float64);
  EXPECT_EQ(facts.layout, "contiguous");
  EXPECT_TRUE(facts.chunk.empty());
  EXPECT_EQ(facts.filters, "");
  EXPECT_EQ(facts.storage_bytes, 7 * 5 * 8);
  ASSERT_EQ(facts.missing_values.size(), 2u);
  EXPECT_TRUE(std::isnan(facts.missing_values[0]));
  EXPECT_EQ(facts.missing_values[1], -999);
  double last = 0;
  std::ifstream stream(name, std::ios::binary);
  stream.seekg(facts.data_offset + 34 * 8).read(reinterpret_cast<char*>(&last), 8);
  EXPECT_EQ(last, 34);
}

TEST(Probe, tells_chunks_and_filters) {
  const Scratch scratch;
  const std::string name = scratch / "a.h5";
  {
    const Handle file = create_file(name);
    write_dataset(file, "z", {20, 30},
                  {.file_type = H5T_STD_I16BE, .chunk = {7, 11}, .gzip = 3, .shuffle = true},
                  number);
    write_dataset(file, "c", {3}, {.file_type = H5T_STD_U8LE, .compact = true}, number);
  }
  const DatasetFacts facts = probe_dataset(name, "z");
  EXPECT_EQ(facts.type, ElementType::int16);
  EXPECT_EQ(facts.layout, "chunked");
  EXPECT_EQ(facts.chunk, (std::vector<Index>{7, 11}));
  EXPECT_EQ(facts.filters, "shuffle+gzip");
  EXPECT_EQ(facts.data_offset, -1);
  EXPECT_EQ(probe_dataset(name, "c").layout, "compact");
  EXPECT_EQ(probe_dataset(name, "c").type, ElementType::uint8);
}

TEST(Probe, serialization_keeps_every_fact) {
  DatasetFacts f;
  f.file = "caf\xe9.h5";
  f.dataset = "/a b/[0]";
  f.dims = {3, Index{1} << 40};
  f.type = ElementType::uint32;
  f.layout = "chunked";
  f.chunk = {1, 2};
  f.filters = "gzip";
  f.storage_bytes = 7;
  f.data_offset = -1;
  f.sampling_rate = {0, 1.0 / 3};
  f.sampling_source = {"", "attribute Xspacing"};
  f.missing_values = {NAN, -INFINITY, 1e-300};
  f.file_bytes = 11;
  f.modified = 12;
  f.sources = {"b.h5"};
  const DatasetFacts g = facts_from(serialize(f));
  EXPECT_EQ(g.file, f.file);
  EXPECT_EQ(g.dataset, f.dataset);
  EXPECT_EQ(g.dims, f.dims);
  EXPECT_EQ(g.type, f.type);
  EXPECT_EQ(g.layout, f.layout);
  EXPECT_EQ(g.chunk, f.chunk);
  EXPECT_EQ(g.filters, f.filters);
  EXPECT_EQ(g.storage_bytes, 7);
  EXPECT_EQ(g.data_offset, -1);
  EXPECT_EQ(g.sampling_rate, f.sampling_rate);
  EXPECT_EQ(g.sampling_source, f.sampling_source);
  EXPECT_TRUE(std::isnan(g.missing_values[0]));
  EXPECT_EQ(g.missing_values[1], -INFINITY);
  EXPECT_EQ(g.missing_values[2], 1e-300);
  EXPECT_EQ(g.file_bytes, 11);
  EXPECT_EQ(g.modified, 12);
  EXPECT_EQ(g.sources, f.sources);
}

TEST(Probe, refuses_what_is_no_hdf5_file) {
  const Scratch scratch;
  write_bytes(scratch / "text.h5", "taps = 1 2 1\n");
  expect_refused(scratch / "text.h5", "data", Status::storage, "text file");
  write_bytes(scratch / "empty.h5", "");
  expect_refused(scratch / "empty.h5", "data", Status::storage, "empty");
  write_bytes(scratch / "classic.nc", std::string("CDF\001\0\0\0\0", 8));
  expect_refused(scratch / "classic.nc", "data", Status::storage, "nccopy");
  expect_refused(scratch / "absent.h5", "data", Status::storage, "No such file");
  std::filesystem::create_directory(scratch / "folder.h5");
  expect_refused(scratch / "folder.h5", "data", Status::storage, "folder");
  ::mkfifo((scratch / "pipe.h5").c_str(), 0600);
  expect_refused(scratch / "pipe.h5", "data", Status::storage, "pipe");
}

TEST(Probe, accepts_a_user_block_before_the_signature) {
  const Scratch scratch;
  {
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_userblock(creation, 1024);
    const Handle file(H5Fcreate((scratch / "u.h5").c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT),
                      H5Fclose);
    write_dataset(file, "data", {100}, {}, number);
  }
  const DatasetFacts facts = probe_dataset(scratch / "u.h5", "data");
  float value = 0;
  std::ifstream stream(scratch / "u.h5", std::ios::binary);
  stream.seekg(facts.data_offset + 99 * 4).read(reinterpret_cast<char*>(&value), 4);
  EXPECT_EQ(value, 99);
}

TEST(Probe, refuses_every_cut_of_a_file) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "whole.h5");
    write_dataset(file, "data", {64, 64}, {}, number);
    write_dataset(file, "packed", {64, 64}, {.chunk = {16, 16}, .gzip = 4}, number);
  }
  const std::string whole = bytes_of(scratch / "whole.h5");
  ASSERT_GT(whole.size(), 16384u);
  for (std::size_t length = 0; length < whole.size(); length += 512) {
    write_bytes(scratch / "cut.h5", whole.substr(0, length));
    for (const char* dataset : {"data", "packed"})
      EXPECT_EQ(thrown_by([&] { probe_dataset(scratch / "cut.h5", dataset); }).status,
                Status::storage)
          << "cut at " << length;
  }
  write_bytes(scratch / "cut.h5", whole);
  EXPECT_EQ(probe_dataset(scratch / "cut.h5", "data").dims.size(), 2u);
}

TEST(Probe, survives_mutations) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "whole.h5");
    const Handle dataset =
        write_dataset(file, "g/data", {40, 30}, {.chunk = {9, 9}, .gzip = 2}, number);
    set_number(dataset, "Xspacing", 0.5);
    set_text(dataset, "units", "m");
  }
  const std::string whole = bytes_of(scratch / "whole.h5");
  std::uint64_t random = 88172645463325252u;
  const auto next = [&] {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return random;
  };
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string mutated = whole;
    for (int i = 0; i < 4; ++i)
      mutated[next() % std::min<std::size_t>(4096, whole.size())] = char(next());
    write_bytes(scratch / "m.h5", mutated);
    const Thrown thrown = thrown_by([&] { probe_dataset(scratch / "m.h5", "g/data"); });
    EXPECT_NE(thrown.status, Status::bug) << thrown.message;
    EXPECT_EQ(thrown.message.find('\n'), std::string::npos);
    refused += thrown.status != Status::done;
  }
  EXPECT_GT(refused, 30);  // a probe that looks at nothing would refuse nothing
}

TEST(Probe, names_the_nearest_datasets) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    write_dataset(file, "strain/Strain", {4}, {}, number);
    write_dataset(file, "quality/mask", {4}, {}, number);
  }
  expect_refused(scratch / "a.h5", "/strain/strain", Status::words, "/strain/Strain");
  expect_refused(scratch / "a.h5", "/mask", Status::words, "nearest ones are /quality/mask");
  expect_refused(scratch / "a.h5", "strain", Status::words, "it holds Strain");
  expect_refused(scratch / "a.h5", "/", Status::words, "group");
  expect_refused(scratch / "a.h5", "quality/mask/more", Status::words, "no dataset");
}

TEST(Probe, refuses_what_is_not_numbers_or_has_no_points) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    const Handle pair(H5Tcreate(H5T_COMPOUND, 16), H5Tclose);
    H5Tinsert(pair, "r", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(pair, "i", 8, H5T_NATIVE_DOUBLE);
    create_dataset(file, "complex", {3}, {.file_type = pair});
    create_dataset(file, "text", {3}, {.file_type = H5T_C_S1});
    create_dataset(file, "wide", {3}, {.file_type = H5T_NATIVE_LDOUBLE});
    create_dataset(file, "none", {3, 0}, {.chunk = {1, 1}});
    const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose), null(H5Screate(H5S_NULL), H5Sclose);
    for (const auto& [name, space] : {std::pair{"scalar", hid_t(scalar)}, {"null", hid_t(null)}})
      Handle(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
             H5Dclose);
  }
  expect_refused(scratch / "a.h5", "complex", Status::words, "complex");
  expect_refused(scratch / "a.h5", "text", Status::words, "text");
  expect_refused(scratch / "a.h5", "wide", Status::words, "64 bits");
  expect_refused(scratch / "a.h5", "none", Status::words, "without points");
  expect_refused(scratch / "a.h5", "scalar", Status::words, "single value");
  expect_refused(scratch / "a.h5", "null", Status::words, "null");
}

TEST(Probe, refuses_points_that_were_never_written) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    create_dataset(file, "late", {1000}, {});
    create_dataset(file, "no_chunks", {1000}, {.chunk = {100}});
    const Handle some = create_dataset(file, "some", {1000}, {.chunk = {100}, .gzip = 1});
    const Handle space(H5Dget_space(some), H5Sclose);
    const hsize_t start = 0, count = 950;  // the last of ten chunks stays untouched
    const hsize_t nine = 900;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &nine, nullptr);
    const Handle memory(H5Screate_simple(1, &nine, nullptr), H5Sclose);
    const std::vector<float> values(count, 1);
    H5Dwrite(some, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values.data());
    const Handle marked = write_dataset(file, "marked", {10}, {}, number);
    set_attribute(marked, "complete", H5T_NATIVE_INT, 0);
  }
  expect_refused(scratch / "a.h5", "late", Status::storage, "never written");
  expect_refused(scratch / "a.h5", "no_chunks", Status::storage, "10 of 10 chunks");
  expect_refused(scratch / "a.h5", "some", Status::storage, "1 of 10 chunks");
  expect_refused(scratch / "a.h5", "marked", Status::storage, "complete = 0");
}

TEST(Probe, refuses_shapes_that_overflow) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    const hsize_t big = hsize_t{1} << 32;
    create_dataset(file, "wraps", {big, big}, {.chunk = {1024, 1024}});
    create_dataset(file, "huge", {hsize_t{1} << 62, 2, 2}, {.chunk = {1, 1, 1}});
    create_dataset(file, "sparse", {big, 64}, {.file_type = H5T_STD_U8LE, .chunk = {1024, 64}});
  }
  expect_refused(scratch / "a.h5", "wraps", Status::storage, "64 bits");
  expect_refused(scratch / "a.h5", "huge", Status::storage, "64 bits");
  expect_refused(scratch / "a.h5", "sparse", Status::storage, "never written");
}

}  // namespace
}  // namespace stencil
