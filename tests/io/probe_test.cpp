#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>

#include "framework/grid/error.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/probe.hpp"
#include "io/read/missing_points.hpp"
#include "io/write/output/output_creation.hpp"
#include "tests/io/scratch.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using namespace testing;

double number(Index i) {
  return static_cast<double>(i % 251);
}

/// Checks that the probe fails with a message of one line that contains the file's name and the
/// expected part.
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
  EXPECT_TRUE(facts.missing_values[0].is_nan());
  EXPECT_EQ(facts.missing_values[1], -999);
  double last = 0;
  std::ifstream stream(name, std::ios::binary);
  stream.seekg(facts.data_offset + 34 * 8).read(reinterpret_cast<char*>(&last), 8);
  EXPECT_EQ(last, 34);
}

/// ODIM_H5 stores missing values in a group next to the data, or next to a group that contains the
/// data.
TEST(Probe, tells_missing_values_of_radar_data) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    for (const char* name : {"dataset1/data1/data", "dataset1/data2/data"})
      write_dataset(file, name, {4, 5}, {}, number);
    for (const auto& [name, nodata] :
         {std::pair{"dataset1/what", 255}, {"dataset1/data1/what", -9999000}}) {
      const Handle what(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
      set_number(what, "nodata", nodata);
      set_number(what, "undetect", -8888000);
    }
    write_dataset(file, "what", {3}, {}, number);  // a dataset, not a group
    write_dataset(file, "plain", {3}, {}, number);
  }
  using Values = std::vector<ElementValue>;
  const auto values = [&](const char* dataset) {
    return probe_dataset(scratch / "a.h5", dataset).missing_values;
  };
  EXPECT_EQ(values("/dataset1/data1/data"), (Values{-9999000, -8888000}));
  EXPECT_EQ(values("/dataset1/data2/data"), (Values{255, -8888000}));
  EXPECT_EQ(values("/plain"), Values{});
}

TEST(Probe, tells_missing_integers_of_64_bits_exactly) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    const Handle low = write_dataset(file, "low", {5}, {.file_type = H5T_STD_I64BE}, number);
    set_attribute(low, "_FillValue", H5T_NATIVE_INT64, std::int64_t{-9223372036854775806});
    const Handle high = write_dataset(file, "high", {5}, {.file_type = H5T_STD_U64LE}, number);
    set_attribute(high, "missing_value", H5T_NATIVE_UINT64, UINT64_MAX);
  }
  const auto value = [&](const char* dataset) {
    const DatasetFacts facts = probe_dataset(scratch / "a.h5", dataset);
    return facts.missing_values.empty() ? "" : to_string(facts.missing_values[0]);
  };
  EXPECT_EQ(value("low"), "-9223372036854775806");
  EXPECT_EQ(value("high"), "18446744073709551615");
}

TEST(Probe, a_missing_value_that_the_points_cannot_have_is_refused) {
  DatasetFacts facts;
  facts.file = "a.h5", facts.dataset = "d";
  const auto refused = [&](ElementType type, const ElementValue& value) {
    facts.type = type;
    const Thrown thrown = thrown_by([&] { check_missing({.values = {value}}, facts); });
    EXPECT_EQ(thrown.message.find('\n'), std::string::npos);
    EXPECT_TRUE(thrown.status == Status::done ||
                thrown.message.find(to_string(value) + " cannot occur in a.h5:/d") !=
                    std::string::npos)
        << thrown.message;
    return thrown.status == Status::words;
  };
  EXPECT_TRUE(refused(ElementType::int16, NAN));
  EXPECT_TRUE(refused(ElementType::int16, 0.5));
  EXPECT_TRUE(refused(ElementType::int16, 70000));
  EXPECT_TRUE(refused(ElementType::float32, 1e300));
  EXPECT_TRUE(refused(ElementType::uint64, -1));
  EXPECT_FALSE(refused(ElementType::uint64, UINT64_MAX));
  EXPECT_FALSE(refused(ElementType::float32, NAN));
  EXPECT_FALSE(refused(ElementType::float64, 1e300));
  EXPECT_FALSE(refused(ElementType::int16, -999.0));
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
  EXPECT_EQ(facts.chunk_bytes, 7 * 11 * 2);
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
  f.axis_names = {"member", ""};
  f.text_scale = {"/member", ""};
  f.missing_values = {NAN, -INFINITY, 1e-300, INT64_MIN + 2, UINT64_MAX, 7};
  f.missing_unasked = {-9999};
  f.valid_min = -1.5;
  f.range_is_of_values = f.has_other_sign = f.reads_values = true;
  f.scale_factor = 0.25;
  f.add_offset = NAN;
  f.fill = UINT64_MAX;
  f.unwritten = 9;
  f.is_packed = true;
  f.type = ElementType::bfloat16;
  f.file_bytes = 11;
  f.modified = 12;
  f.sources = {"b.h5"};
  f.source_bytes = {13};
  f.source_modified = {14};
  f.chunk_bytes = 8;
  DatasetFacts source = f;
  source.file = "b.h5";
  f.source_datasets = {source, source};
  f.mappings = {{1, {0, 0}, {3, 4}, {5}, {12}}};
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
  EXPECT_EQ(g.axis_names, f.axis_names);
  EXPECT_EQ(g.text_scale, f.text_scale);
  ASSERT_EQ(g.missing_values.size(), 6u);
  EXPECT_TRUE(g.missing_values[0].is_nan());
  EXPECT_EQ(g.missing_values[1], -INFINITY);
  EXPECT_EQ(g.missing_values[2], 1e-300);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_EQ(g.missing_values[i], f.missing_values[i]);
  EXPECT_EQ(g.missing_unasked, f.missing_unasked);
  EXPECT_EQ(g.valid_min, f.valid_min);
  EXPECT_FALSE(g.valid_max);
  EXPECT_TRUE(g.range_is_of_values && g.has_other_sign && g.reads_values);
  EXPECT_EQ(g.scale_factor, 0.25);
  EXPECT_TRUE(std::isnan(g.add_offset));
  EXPECT_EQ(g.fill, ElementValue(UINT64_MAX));
  EXPECT_EQ(g.unwritten, 9);
  EXPECT_TRUE(g.is_packed);
  EXPECT_EQ(g.type, ElementType::bfloat16);
  EXPECT_EQ(g.file_bytes, 11);
  EXPECT_EQ(g.modified, 12);
  EXPECT_EQ(g.sources, f.sources);
  EXPECT_EQ(g.source_bytes, f.source_bytes);
  EXPECT_EQ(g.source_modified, f.source_modified);
  EXPECT_EQ(g.chunk_bytes, 8);
  ASSERT_EQ(g.source_datasets.size(), 2u);
  EXPECT_EQ(g.source_datasets[1].file, "b.h5");
  EXPECT_EQ(g.source_datasets[1].dims, f.dims);
  ASSERT_EQ(g.mappings.size(), 1u);
  EXPECT_EQ(g.mappings[0].source, 1);
  EXPECT_EQ(g.mappings[0].start, f.mappings[0].start);
  EXPECT_EQ(g.mappings[0].count, f.mappings[0].count);
  EXPECT_EQ(g.mappings[0].source_start, f.mappings[0].source_start);
  EXPECT_EQ(g.mappings[0].source_count, f.mappings[0].source_count);
}

TEST(Probe, leaves_no_file_open_in_the_program) {
  const Scratch scratch;
  write_dataset(create_file(scratch / "a.h5"), "d", {5}, {}, number);
  const auto open_files = [] {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code error;
      names.push_back(std::filesystem::read_symlink(entry.path(), error).string());
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  const std::vector<std::string> before = open_files();
  probe_dataset(scratch / "a.h5", "d");
  thrown_by([&] { probe_dataset(scratch / "a.h5", "none"); });
  EXPECT_EQ(open_files(), before);
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
  const int rounds = testing::cases(300, 60);
  for (int round = 0; round < rounds; ++round) {
    std::string mutated = whole;
    for (int i = 0; i < 4; ++i)
      mutated[next() % std::min<std::size_t>(4096, whole.size())] = char(next());
    write_bytes(scratch / "m.h5", mutated);
    const Thrown thrown = thrown_by([&] { probe_dataset(scratch / "m.h5", "g/data"); });
    EXPECT_NE(thrown.status, Status::bug) << thrown.message;
    EXPECT_EQ(thrown.message.find('\n'), std::string::npos);
    refused += thrown.status != Status::done;
  }
  EXPECT_GT(refused, rounds / 10);  // a probe that reads nothing would refuse nothing
}

/// Returns a copy of the bytes in which `size` bytes from position `at` on are replaced by a
/// little-endian number.
std::string with_number(std::string bytes, std::size_t at, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes.at(at + i) = char(number >> (8 * i));
  return bytes;
}

TEST(Probe, reads_all_attributes_where_a_crash_does_no_harm) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "whole.h5");
    const Handle dataset = write_dataset(file, "data", {64}, {}, number);
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    const char* text = "a text in the global heap, where mutations crash readers";
    set_attribute(dataset, "note", type, text);
  }
  const std::string whole = bytes_of(scratch / "whole.h5");
  const std::size_t heap = whole.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  // length of the text; if its upper bytes are damaged, HDF5 1.10 crashes
  const std::size_t length = heap + 24;
  const std::vector<unsigned> values{1, 0x7f, 0xff};
  for (std::size_t at = length + 4; at < length + 8; ++at)
    for (const unsigned value : values) {
      if (!testing::is_thorough() && value != values[(at - length) % values.size()]) continue;
      write_bytes(scratch / "m.h5", with_number(whole, at, value, 1));
      const Thrown thrown = thrown_by([&] {
        const DatasetFacts facts = probe_dataset(scratch / "m.h5", "data");
        // performs, in this process, the reads that the creation of an output needs
        storage::rehearse_carrying(facts);
      });
      EXPECT_TRUE(thrown.status == Status::done || thrown.status == Status::storage);
    }
}

TEST(Probe, refuses_chunks_beyond_the_limit_of_the_format) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "whole.h5");
    write_dataset(file, "d", {64, 64}, {.file_type = H5T_STD_U8LE, .chunk = {61, 59}}, number);
  }
  const std::string whole = bytes_of(scratch / "whole.h5");
  // the layout message: version 3, chunked, three dimensions, address, then extents 61, 59 and 1
  const std::string extents{"\x3d\0\0\0\x3b\0\0\0\x01\0\0\0", 12};
  const std::size_t at = whole.find(extents);
  ASSERT_NE(at, std::string::npos);
  write_bytes(scratch / "m.h5",
              with_number(with_number(whole, at, 0xffff0000, 4), at + 4, 0xffff0000, 4));
  const Thrown thrown = thrown_by([&] { probe_dataset(scratch / "m.h5", "d"); });
  EXPECT_EQ(thrown.status, Status::storage);
  // HDF5 may report the fault before the probe does
  EXPECT_NE(thrown.message.find("4"), std::string::npos) << thrown.message;
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
    const Handle mixed(H5Tcreate(H5T_COMPOUND, 16), H5Tclose);
    H5Tinsert(mixed, "r", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(mixed, "i", 8, H5T_NATIVE_INT64);
    create_dataset(file, "mixed", {3}, {.file_type = mixed});
    create_dataset(file, "text", {3}, {.file_type = H5T_C_S1});
    create_dataset(file, "wide", {3}, {.file_type = H5T_NATIVE_LDOUBLE});
    create_dataset(file, "none", {3, 0}, {.chunk = {1, 1}});
    const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose), null(H5Screate(H5S_NULL), H5Sclose);
    for (const auto& [name, space] : {std::pair{"scalar", hid_t(scalar)}, {"null", hid_t(null)}})
      Handle(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
             H5Dclose);
  }
  expect_refused(scratch / "a.h5", "mixed", Status::words, "compound");
  const DatasetFacts numbers = probe_dataset(scratch / "a.h5", "complex");
  EXPECT_EQ(type_name(numbers), "complex128");
  EXPECT_EQ(numbers.dims, (std::vector<Index>{3}));
  expect_refused(scratch / "a.h5", "text", Status::words, "text");
  expect_refused(scratch / "a.h5", "wide", Status::words, "64 bits");
  expect_refused(scratch / "a.h5", "none", Status::words, "without points");
  expect_refused(scratch / "a.h5", "scalar", Status::words, "single value");
  expect_refused(scratch / "a.h5", "null", Status::words, "null");
}

/// Writes nine of the ten chunks of a dataset. A chunk has 100 points; the fill value is 7.
Handle write_nine_chunks(hid_t file, const std::string& name, hid_t creation) {
  const hsize_t all = 1000, start = 0, nine = 900, chunk = 100;
  H5Pset_chunk(creation, 1, &chunk);
  const Handle space(H5Screate_simple(1, &all, nullptr), H5Sclose);
  Handle data(
      H5Dcreate2(file, name.c_str(), H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT),
      H5Dclose);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &nine, nullptr);
  const Handle memory(H5Screate_simple(1, &nine, nullptr), H5Sclose);
  const std::vector<float> values(nine, 1);
  H5Dwrite(data, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values.data());
  return data;
}

TEST(Probe, points_that_were_never_written_have_the_fill_value_if_there_is_one) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    create_dataset(file, "late", {1000}, {});
    create_dataset(file, "no_chunks", {1000}, {.chunk = {100}});
    const Handle filled(H5Pcreate(H5P_DATASET_CREATE), H5Pclose),
        undefined(H5Pcreate(H5P_DATASET_CREATE), H5Pclose),
        never(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const float seven = 7;
    H5Pset_fill_value(filled, H5T_NATIVE_FLOAT, &seven);
    H5Pset_deflate(filled, 1);
    H5Pset_fill_value(undefined, H5T_NATIVE_FLOAT, nullptr);
    H5Pset_fill_time(never, H5D_FILL_TIME_NEVER);
    write_nine_chunks(file, "filled", filled);
    write_nine_chunks(file, "undefined", undefined);
    write_nine_chunks(file, "never", never);
    write_dataset(file, "marked", {10}, {}, number);
  }
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", "filled");
  EXPECT_EQ(facts.unwritten, 1);
  EXPECT_EQ(facts.fill, ElementValue(7));
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "late").unwritten, 1);
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "no_chunks").unwritten, 10);
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "no_chunks").fill, ElementValue(0));
  expect_refused(scratch / "a.h5", "undefined", Status::storage, "1 of 10 chunks never written");
  expect_refused(scratch / "a.h5", "never", Status::storage, "no fill value");
  {
    const Handle file(H5Fopen((scratch / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    set_attribute(Handle(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose), "stencil_complete",
                  H5T_NATIVE_INT, 0);
  }
  expect_refused(scratch / "a.h5", "marked", Status::storage, "stencil_complete = 0");
}

/// A chunk with a damaged record cannot be found, like a chunk that was never written.
TEST(Probe, chunks_on_record_that_are_not_found_are_refused) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    write_nine_chunks(file, "d", Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose));
  }
  std::string bytes = bytes_of(scratch / "a.h5");
  // 400 bytes, first index 300
  const std::string record("\x90\x01\0\0\0\0\0\0\x2c\x01\0\0\0\0\0\0", 16);
  const std::size_t at = bytes.find(record);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 8] = '\x90';  // 400, the first index of another chunk
  write_bytes(scratch / "a.h5", bytes);
  expect_refused(scratch / "a.h5", "d", Status::storage, "damaged");
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
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "sparse").unwritten, Index{1} << 22);
}

}  // namespace
}  // namespace stencil
