// Chunks that do not fit the shape, and chunks that are decoded without HDF5.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <libdeflate.h>

#include "framework/grid/error.hpp"
#include "io/hdf5/chunk_check.hpp"
#include "io/hdf5/chunks.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/probe.hpp"
#include "io/read/file_check.hpp"
#include "io/read/input_dataset.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

double number(Index i) {
  return static_cast<double>((i * 7) % 113);
}

std::vector<float> read_all(const DatasetFacts& facts) {
  const NormalForm form(facts.dims, {0});
  std::vector<float> values(static_cast<std::size_t>(points(form.shape())), -77);
  InputDataset(facts).read(form, make_box(form.shape()), view_of(values.data(), form.shape()), {});
  return values;
}

TEST(Chunks, a_wrong_chunk_extent_on_record_is_refused) {
  for (const char* name : {"12_as_24", "gzip", "shuffle"}) {
    const std::string file = fmt::format("{}/chunk_extent_{}.h5", TEST_DATA, name);
    const Thrown thrown = thrown_by([&] { probe_dataset(file, "x"); });
    EXPECT_EQ(thrown.status, Status::storage) << file;
    EXPECT_NE(thrown.message.find("4 recorded chunks, but its shape requires 2"), std::string::npos)
        << thrown.message;
  }
}

/// A way to compress chunks.
struct Packing {
  const char* name;
  std::vector<H5Z_filter_t> filters;
  hid_t type = H5T_IEEE_F32LE;
  unsigned options = 0;
};

void write_packed(hid_t file, const Packing& packing, const std::vector<hsize_t>& dims,
                  const std::vector<hsize_t>& chunk) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation, static_cast<int>(dims.size()), chunk.data());
  for (const H5Z_filter_t filter : packing.filters) {
    if (filter == H5Z_FILTER_SHUFFLE) H5Pset_shuffle(creation);
    if (filter == H5Z_FILTER_FLETCHER32) H5Pset_fletcher32(creation);
    if (filter == H5Z_FILTER_DEFLATE) H5Pset_deflate(creation, 2);
    if (filter == H5Z_FILTER_NBIT) H5Pset_nbit(creation);
    if (filter == H5Z_FILTER_SCALEOFFSET) H5Pset_scaleoffset(creation, H5Z_SO_INT, 0);
    if (filter == H5Z_FILTER_SZIP) H5Pset_szip(creation, H5_SZIP_NN_OPTION_MASK, 4);
  }
  H5Pset_chunk_opts(creation, packing.options);
  const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
                     H5Sclose);
  const Handle dataset(
      H5Dcreate2(file, packing.name, packing.type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
      H5Dclose);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = number(static_cast<Index>(i));
  ASSERT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0)
      << packing.name;
}

std::vector<Packing> packings() {
  constexpr H5Z_filter_t gzip = H5Z_FILTER_DEFLATE, shuffle = H5Z_FILTER_SHUFFLE,
                         sum = H5Z_FILTER_FLETCHER32;
  return {{"plain", {}},
          {"gzip", {gzip}},
          {"shuffle", {shuffle}, H5T_IEEE_F64LE},
          {"sum", {sum}, H5T_STD_U8LE},
          {"all", {shuffle, gzip, sum}, H5T_STD_I16LE},
          {"sum first", {sum, shuffle, gzip}},
          {"twice", {gzip, shuffle, gzip}, H5T_STD_I32LE},
          {"other order of bytes", {shuffle, gzip}, H5T_STD_I32BE},
          {"plain edges", {shuffle, gzip}, H5T_IEEE_F64BE, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS},
          {"nbit", {H5Z_FILTER_NBIT}, H5T_STD_U8LE},
          {"scaleoffset", {H5Z_FILTER_SCALEOFFSET}, H5T_STD_I32LE},
          {"szip", {H5Z_FILTER_SZIP}, H5T_STD_U16LE},
          {"szip of bytes", {H5Z_FILTER_SZIP}, H5T_STD_U8LE},
          {"szip of 4 bytes", {H5Z_FILTER_SZIP}, H5T_IEEE_F32BE},
          {"szip of 8 bytes", {H5Z_FILTER_SZIP}, H5T_IEEE_F64LE},
          {"szip and all", {shuffle, H5Z_FILTER_SZIP, gzip, sum}, H5T_STD_I32LE}};
}

TEST(Chunks, every_packing_is_read_as_hdf5_wrote_it) {
  const Scratch scratch;
  for (const bool is_latest : {false, true}) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    if (is_latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const std::string name = scratch / (is_latest ? "new.h5" : "old.h5");
    {
      const Handle file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
      for (const Packing& packing : packings())
        if (is_latest || packing.options == 0) write_packed(file, packing, {29, 31}, {8, 9});
    }
    for (const Packing& packing : packings()) {
      if (!is_latest && packing.options != 0) continue;
      SCOPED_TRACE(packing.name);
      const std::vector<float> values = read_all(probe_dataset(name, packing.name));
      for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(values[i], number(static_cast<Index>(i))) << i;
    }
  }
}

TEST(Chunks, a_chunk_that_is_read_row_by_row_is_unpacked_once_and_stays_right) {
  const Scratch scratch;
  write_packed(create_file(scratch / "a.h5"), {"d", {H5Z_FILTER_DEFLATE}}, {40, 30}, {40, 7});
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", "d");
  const NormalForm form(facts.dims, {1});
  const InputDataset input(facts);
  for (Index y = 0; y < 40; ++y) {
    std::vector<float> row(11);
    input.read(form, {{0, y, 3}, {1, y + 1, 14}}, view_of(row.data(), {1, 1, 11}), {});
    for (Index x = 0; x < 11; ++x)
      EXPECT_EQ(row[static_cast<std::size_t>(x)], number(y * 30 + 3 + x));
  }
}

/// Writes a dataset of four chunks of 64 float32 with gzip; the third chunk has the bytes `stored`.
void write_with_third(const std::string& name, const std::string& stored, unsigned mask = 0) {
  const Handle file = create_file(name);
  write_packed(file, {"d", {H5Z_FILTER_DEFLATE}}, {256}, {64});
  const Handle dataset(H5Dopen2(file, "d", H5P_DEFAULT), H5Dclose);
  const hsize_t third = 128;
  ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, mask, &third, stored.size(), stored.data()), 0);
}

std::string packed(std::size_t bytes) {
  const std::string plain(bytes, '\1');
  libdeflate_compressor* const packer = libdeflate_alloc_compressor(6);
  std::string result(libdeflate_zlib_compress_bound(packer, bytes), '\0');
  result.resize(
      libdeflate_zlib_compress(packer, plain.data(), bytes, result.data(), result.size()));
  libdeflate_free_compressor(packer);
  return result;
}

/// Checks that a damaged file is refused by the probe, and by a read that was not preceded by a
/// probe.
void expect_refused_twice(const Scratch& scratch, const DatasetFacts& sound,
                          const std::string& part) {
  DatasetFacts facts = sound;
  const storage::FileState state = storage::file_state(facts.file);
  facts.file_bytes = state.bytes, facts.modified = state.modified;
  for (const Thrown& thrown : {thrown_by([&] { probe_dataset(scratch / "a.h5", "d"); }),
                               thrown_by([&] { read_all(facts); })}) {
    EXPECT_EQ(thrown.status, Status::storage) << part;
    EXPECT_NE(thrown.message.find(part), std::string::npos) << thrown.message;
    EXPECT_NE(thrown.message.find("a.h5:/d"), std::string::npos) << thrown.message;
    EXPECT_NE(thrown.message.find("[128]"), std::string::npos) << thrown.message;
  }
}

TEST(Chunks, a_chunk_that_unpacks_to_other_bytes_than_a_chunk_has_is_refused) {
  const Scratch scratch;
  write_with_third(scratch / "a.h5", packed(256));
  const DatasetFacts sound = probe_dataset(scratch / "a.h5", "d");
  EXPECT_EQ(read_all(sound)[127], number(127));
  write_with_third(scratch / "a.h5", packed(255));
  expect_refused_twice(scratch, sound, "fewer bytes");
  write_with_third(scratch / "a.h5", packed(4));
  expect_refused_twice(scratch, sound, "fewer bytes");
  write_with_third(scratch / "a.h5", packed(1000));
  expect_refused_twice(scratch, sound, "more bytes");
  write_with_third(scratch / "a.h5", "no stream of gzip");
  expect_refused_twice(scratch, sound, "gzip stream is damaged");
  write_with_third(scratch / "a.h5", std::string(255, '\1'), 1);
  expect_refused_twice(scratch, sound, "fewer bytes");
  write_with_third(scratch / "a.h5", std::string(1 << 20, '\1'));
  expect_refused_twice(scratch, sound, "1048576 recorded bytes");
}

TEST(Chunks, a_chunk_without_its_filters_is_read) {
  const Scratch scratch;
  const std::vector<float> points(64, 5);
  write_with_third(scratch / "a.h5", std::string(reinterpret_cast<const char*>(points.data()), 256),
                   1);
  const std::vector<float> values = read_all(probe_dataset(scratch / "a.h5", "d"));
  for (std::size_t i = 0; i < 256; ++i)
    EXPECT_EQ(values[i], i / 64 == 2 ? 5 : number(static_cast<Index>(i)));
}

TEST(Chunks, a_changed_checksum_is_refused) {
  const Scratch scratch;
  write_packed(create_file(scratch / "a.h5"), {"d", {H5Z_FILTER_FLETCHER32}, H5T_STD_U8LE}, {4001},
               {4001});
  EXPECT_EQ(read_all(probe_dataset(scratch / "a.h5", "d"))[4000], number(4000));
  std::string bytes = bytes_of(scratch / "a.h5");
  std::string points;
  for (Index i = 0; i < 300; ++i) points += static_cast<char>(number(i));
  const std::size_t at = bytes.find(points);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 200] ^= 4;
  write_bytes(scratch / "a.h5", bytes);
  const Thrown thrown = thrown_by([&] { probe_dataset(scratch / "a.h5", "d"); });
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("checksum"), std::string::npos) << thrown.message;
}

/// HDF5 would read the recorded number of bytes, even beyond the memory for the chunk.
TEST(Chunks, a_chunk_without_filters_of_another_size_on_record_is_refused) {
  const Scratch scratch;
  write_dataset(create_file(scratch / "a.h5"), "d", {5, 6},
                {.file_type = H5T_STD_I16LE, .chunk = {4, 5}}, number);
  EXPECT_EQ(read_all(probe_dataset(scratch / "a.h5", "d"))[29], number(29));
  const std::string sound = bytes_of(scratch / "a.h5");
  // the record in the tree of chunks: number of bytes, mask of skipped filters, first index
  const std::string record{"\x28\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0\5", 17};
  const std::size_t at = sound.find(record);
  ASSERT_NE(at, std::string::npos);
  for (const char bytes : {'\0', '\x20', '\x68'}) {
    std::string damaged = sound;
    damaged[at] = bytes;
    write_bytes(scratch / "a.h5", damaged);
    const Thrown thrown = thrown_by([&] { probe_dataset(scratch / "a.h5", "d"); });
    EXPECT_EQ(thrown.status, Status::storage);
    EXPECT_NE(thrown.message.find("recorded bytes"), std::string::npos) << thrown.message;
  }
  std::string exchanged = sound;  // exchanged sizes, whose sum is unchanged
  exchanged[at] = '\x20';
  const std::size_t next = sound.find(std::string{"\x28\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0\0", 17});
  ASSERT_NE(next, std::string::npos);
  exchanged[next] = '\x30';
  write_bytes(scratch / "a.h5", exchanged);
  EXPECT_EQ(thrown_by([&] { probe_dataset(scratch / "a.h5", "d"); }).status, Status::storage);
}

/// The parameters of nbit in the file: 8, flag, points, class, bytes, order, bits, first bit.
TEST(Chunks, filters_that_are_told_other_points_are_refused) {
  const Scratch scratch;
  write_packed(create_file(scratch / "a.h5"), {"d", {H5Z_FILTER_NBIT}, H5T_STD_I16LE}, {8, 10},
               {4, 5});
  EXPECT_EQ(read_all(probe_dataset(scratch / "a.h5", "d"))[79], number(79));
  const std::string sound = bytes_of(scratch / "a.h5");
  const std::size_t at = sound.find(std::string{"\x14\0\0\0\1\0\0\0\2\0\0\0", 12});
  ASSERT_NE(at, std::string::npos);
  // points, class, bytes, order, bits, first bit, and the flag for packing
  for (const int place : {0, 4, 8, 12, 16, 20, -4}) {
    std::string damaged = sound;
    damaged[at + static_cast<std::size_t>(place)] ^= 0x5a;
    write_bytes(scratch / "a.h5", damaged);
    EXPECT_EQ(thrown_by([&] { probe_dataset(scratch / "a.h5", "d"); }).status, Status::storage)
        << place;
  }
}

TEST(Chunks, chunks_that_are_not_on_record_are_a_fault_where_none_may_lack) {
  const Scratch scratch;
  const Handle file = create_file(scratch / "a.h5");
  const Handle gaps = create_dataset(file, "gaps", {256}, {.chunk = {64}, .gzip = 1});
  const hsize_t second = 64;
  const std::string points = packed(256);
  H5Dwrite_chunk(gaps, H5P_DEFAULT, 0, &second, points.size(), points.data());
  const storage::ChunkLayout layout = storage::chunk_layout_of(gaps, "a.h5:/gaps");
  EXPECT_EQ(storage::chunks_on_record(gaps, "a.h5:/gaps"), 1);
  EXPECT_EQ(storage::fault_of_chunks(gaps, layout, true, "a.h5:/gaps"), std::nullopt);
  EXPECT_EQ(storage::fault_of_chunks(gaps, layout, false, "a.h5:/gaps"),
            "its chunk at [0] is not in the index of chunks");
}

}  // namespace
}  // namespace stencil
