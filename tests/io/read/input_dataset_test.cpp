#include <fmt/core.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>

#include "framework/grid/error.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/probe.hpp"
#include "io/read/file_check.hpp"
#include "io/read/input_dataset.hpp"
#include "io/read/missing_points.hpp"
#include "io/read/reading_memory.hpp"
#include "io/read/valid_points.hpp"
#include "tests/io/memory_watch.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

double number(Index i) {
  return static_cast<double>((i * 7) % 113);
}

/// Reads a box into padded memory, and compares each point with its value; the padding must not
/// change.
template <class T>
void expect_box(const InputDataset& input, const NormalForm& form, const Box& box,
                const std::function<double(Index)>& value) {
  const Point extent = box.extent();
  const Index row = extent[2] + 3, batch = row * extent[1] + 5;
  std::vector<T> memory(static_cast<std::size_t>(batch * extent[0] + row), T(-77));
  const FieldView<T> view{memory.data(), extent, batch, row};
  EXPECT_EQ(input.read(form, box, view, std::nullopt), 0);
  const Point shape = form.shape();
  Index wrong = 0, touched = 0;
  for (Index b = 0; b < extent[0]; ++b)
    for (Index y = 0; y < extent[1]; ++y)
      for (Index x = 0; x < extent[2]; ++x) {
        const Index at =
            ((box.first[0] + b) * shape[1] + box.first[1] + y) * shape[2] + box.first[2] + x;
        wrong += view.at(b, y, x) != static_cast<T>(value(at));
        view.at(b, y, x) = T(-77);
      }
  for (const T& element : memory) touched += element != T(-77);
  EXPECT_EQ(wrong, 0) << to_string(box);
  EXPECT_EQ(touched, 0) << to_string(box);
}

/// Returns the whole world, its corners, single rows, columns and points, and boxes that end in the
/// middle of folded axes.
std::vector<Box> boxes_of(const Point& shape) {
  std::vector<Box> boxes{make_box(shape), {{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {0, 0, 0}}};
  boxes.push_back({{shape[0] - 1, shape[1] - 1, shape[2] - 1}, shape});
  boxes.push_back(
      {{shape[0] / 2, shape[1] / 3, shape[2] / 4},
       {shape[0], shape[1] / 3 + (shape[1] + 1) / 2, shape[2] / 4 + (shape[2] + 2) / 3}});
  boxes.push_back({{0, shape[1] / 2, 0}, {1, shape[1] / 2 + 1, shape[2]}});
  boxes.push_back({{0, 0, shape[2] / 2}, {shape[0], shape[1], shape[2] / 2 + 1}});
  return boxes;
}

struct Way {
  const char* name;
  Storing storing;
};

std::vector<Way> ways(const std::vector<hsize_t>& chunk) {
  return {{"int8", {.file_type = H5T_STD_I8LE}},
          {"uint8", {.file_type = H5T_STD_U8BE}},
          {"int16", {.file_type = H5T_STD_I16LE}},
          {"int16be", {.file_type = H5T_STD_I16BE}},
          {"uint16", {.file_type = H5T_STD_U16LE}},
          {"int32be", {.file_type = H5T_STD_I32BE}},
          {"uint32", {.file_type = H5T_STD_U32LE}},
          {"int64", {.file_type = H5T_STD_I64LE}},
          {"uint64be", {.file_type = H5T_STD_U64BE}},
          {"float32", {.file_type = H5T_IEEE_F32LE}},
          {"float32be", {.file_type = H5T_IEEE_F32BE}},
          {"float64", {.file_type = H5T_IEEE_F64LE}},
          {"float64be", {.file_type = H5T_IEEE_F64BE}},
          {"chunked", {.file_type = H5T_IEEE_F32LE, .chunk = chunk}},
          {"packed", {.file_type = H5T_STD_I16LE, .chunk = chunk, .gzip = 2, .shuffle = true}},
          {"compact", {.file_type = H5T_STD_I16BE, .compact = true}}};
}

/// Every layout and type, with different folding of axes, read as float and as double.
TEST(Read, boxes_of_every_layout_and_type) {
  const Scratch scratch;
  const std::vector<hsize_t> dims{4, 5, 6, 7};
  {
    const Handle file = create_file(scratch / "a.h5");
    for (const Way& way : ways({3, 2, 4, 5}))
      ASSERT_TRUE(bool(write_dataset(file, way.name, dims, way.storing, number)));
  }
  for (const Way& way : ways({})) {
    SCOPED_TRACE(way.name);
    const DatasetFacts facts = probe_dataset(scratch / "a.h5", way.name);
    const InputDataset input(facts);
    for (const std::vector<int>& active :
         {std::vector<int>{3}, {0}, {1}, {2, 3}, {0, 1}, std::vector<int>{}}) {
      const NormalForm form(facts.dims, active);
      for (const Box& box : boxes_of(form.shape())) {
        expect_box<float>(input, form, box, number);
        expect_box<double>(input, form, box, number);
      }
    }
  }
}

/// Overlapping slabs of compressed and uncompressed chunks, of elements that HDF5 converts, and of
/// a filter that HDF5 decodes, are read by eight threads at the same time. The cache has room for a
/// few chunks, for many chunks, or for none.
TEST(Read, several_threads_read_at_the_same_time) {
  const Scratch scratch;
  const std::vector<hsize_t> dims{200, 90}, chunk{16, 40};
  {
    const Handle file = create_file(scratch / "a.h5");
    write_dataset(file, "packed", dims,
                  {.file_type = H5T_STD_I16LE, .chunk = chunk, .gzip = 1, .shuffle = true}, number);
    write_dataset(file, "plain", dims, {.file_type = H5T_NATIVE_FLOAT, .chunk = chunk}, number);
    const Handle narrow(H5Tcopy(H5T_STD_I32BE), H5Tclose);
    H5Tset_precision(narrow, 12);
    write_dataset(file, "narrow", dims, {.file_type = narrow, .chunk = chunk, .gzip = 1}, number);
    write_dataset(file, "contiguous", dims, {.file_type = narrow}, number);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(creation, 2, chunk.data());
    H5Pset_scaleoffset(creation, H5Z_SO_INT, H5Z_SO_INT_MINBITS_DEFAULT);
    const Handle space(H5Screate_simple(2, dims.data(), nullptr), H5Sclose);
    const Handle scaled(
        H5Dcreate2(file, "scaled", H5T_STD_I32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
        H5Dclose);
    std::vector<double> values;
    for (Index i = 0; i < 200 * 90; ++i) values.push_back(number(i));
    ASSERT_GE(H5Dwrite(scaled, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  }
  for (const char* name : {"packed", "plain", "narrow", "contiguous", "scaled"})
    for (const Index kept : {Index{0}, Index{1}, Index{16'000}, Index{1} << 20}) {
      SCOPED_TRACE(fmt::format("{} {}", name, kept));
      const DatasetFacts facts = probe_dataset(scratch / "a.h5", name);
      const InputDataset input(facts, kept);
      const NormalForm form(facts.dims, {0, 1});
      std::atomic<Index> next{0};
      std::vector<std::thread> threads;
      for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
          for (Index first; (first = next++ * 3) < 200;)
            expect_box<float>(input, form,
                              Box{{0, std::max<Index>(0, first - 9), 0},
                                  {1, std::min<Index>(200, first + 12), 90}},
                              number);
        });
      for (std::thread& thread : threads) thread.join();
    }
}

/// A few indices along the last axes, for all extents: whole rows of the file are read, and the
/// points are extracted from them.
TEST(Read, short_rows_that_are_picked_from_longer_ones) {
  const Scratch scratch;
  const std::vector<hsize_t> dims{6, 700, 5, 3};
  const auto value = [](Index i) { return static_cast<double>(i % 113 - 50); };
  {
    const Handle file = create_file(scratch / "a.h5");
    for (const auto& [name, type] : {std::pair{"i1", H5T_STD_I8LE},
                                     {"i2", H5T_STD_I16LE},
                                     {"f4", H5T_NATIVE_FLOAT},
                                     {"f8", H5T_NATIVE_DOUBLE}})
      write_dataset(file, name, dims, {.file_type = type}, value);
  }
  for (const char* name : {"i1", "i2", "f4", "f8"}) {
    SCOPED_TRACE(name);
    const DatasetFacts facts = probe_dataset(scratch / "a.h5", name);
    const InputDataset input(facts);
    for (const Interval x : {Interval{0, 1}, {1, 3}, {2, 3}, {0, 3}})
      for (const Interval c : {Interval{0, 5}, {2, 4}, {4, 5}}) {
        const NormalForm form(facts.dims, {2, 3});  // [4200, 5, 3]
        expect_box<float>(input, form, {{3, c.first, x.first}, {4190, c.last, x.last}}, value);
        expect_box<double>(input, form, {{1900, c.first, x.first}, {1901, c.last, x.last}}, value);
      }
  }
}

TEST(Read, long_rows_that_go_past_hdf5) {
  const Scratch scratch;
  const std::vector<hsize_t> dims{9, 40000};
  const auto value = [](Index i) { return static_cast<double>(i % 99991); };
  {
    const Handle file = create_file(scratch / "a.h5");
    write_dataset(file, "f4", dims, {.file_type = H5T_NATIVE_FLOAT}, value);
    write_dataset(file, "i4", dims, {.file_type = H5T_NATIVE_INT32}, value);
    write_dataset(file, "f8", dims, {.file_type = H5T_NATIVE_DOUBLE}, value);
  }
  for (const char* name : {"f4", "i4", "f8"}) {
    const DatasetFacts facts = probe_dataset(scratch / "a.h5", name);
    const InputDataset input(facts);
    const NormalForm form(facts.dims, {1});
    for (const Box& box :
         {make_box(form.shape()), Box{{0, 2, 0}, {1, 7, 40000}}, Box{{0, 1, 13}, {1, 8, 39000}},
          Box{{0, 8, 39990}, {1, 9, 40000}}, Box{{0, 0, 5}, {1, 9, 25}}}) {
      expect_box<float>(input, form, box, value);
      expect_box<double>(input, form, box, value);
    }
  }
}

TEST(Read, numbers_of_16_bits) {
  const auto quarters = [](Index i) { return double(i % 200 - 100) / 4; };
  for (const ElementType type : {ElementType::float16, ElementType::bfloat16}) {
    const Scratch scratch;
    {
      const Handle turned(H5Tcopy(storage::native_type(type)), H5Tclose);
      H5Tset_order(turned, H5T_ORDER_BE);
      const Handle file = create_file(scratch / "a.h5");
      write_dataset(file, "plain", {50, 40}, {.file_type = storage::native_type(type)}, quarters);
      write_dataset(file, "turned", {50, 40}, {.file_type = turned}, quarters);
      write_dataset(file, "packed", {50, 40},
                    {.file_type = turned, .chunk = {8, 16}, .gzip = 1, .shuffle = true}, quarters);
    }
    for (const char* name : {"plain", "turned", "packed"}) {
      SCOPED_TRACE(name);
      const DatasetFacts facts = probe_dataset(scratch / "a.h5", name);
      EXPECT_EQ(facts.type, type);
      EXPECT_EQ(type_name(facts), to_string(type));
      const NormalForm form(facts.dims, {0, 1});
      const InputDataset input(facts);
      for (const Box& box : boxes_of(form.shape())) {
        expect_box<float>(input, form, box, quarters);
        expect_box<double>(input, form, box, quarters);
      }
    }
  }
}

TEST(Read, integers_of_fewer_bits_than_their_bytes_keep_their_sign) {
  const Scratch scratch;
  const auto narrow = [](hid_t of, std::size_t bits) {
    Handle type(H5Tcopy(of), H5Tclose);
    H5Tset_precision(type, bits);
    return type;
  };
  const auto signed_number = [](Index i) { return static_cast<double>(i % 41 - 20); };
  for (const auto& [of, bits] : {std::pair{H5T_STD_I16BE, 12},
                                 {H5T_STD_I16LE, 12},
                                 {H5T_STD_I32BE, 24},
                                 {H5T_STD_I8BE, 7}}) {
    const Handle type = narrow(of, static_cast<std::size_t>(bits));
    for (const auto& chunk : {std::vector<hsize_t>{}, {16}}) {
      write_dataset(create_file(scratch / "a.h5"), "h", {50},
                    {.file_type = type, .chunk = chunk, .gzip = chunk.empty() ? 0 : 1},
                    signed_number);
      const NormalForm form({50}, {0});
      const DatasetFacts facts = probe_dataset(scratch / "a.h5", "h");
      expect_box<float>(InputDataset(facts), form, make_box(form.shape()), signed_number);
    }
  }
}

TEST(Read, missing_points_are_replaced_and_counted) {
  const Scratch scratch;
  const auto value = [](Index i) { return i % 10 == 3 ? -32768.0 : double(i % 1000); };
  {
    const Handle file = create_file(scratch / "a.h5");
    write_dataset(file, "plain", {300, 200}, {.file_type = H5T_STD_I16LE}, value);
    write_dataset(file, "packed", {300, 200},
                  {.file_type = H5T_STD_I16BE, .chunk = {64, 64}, .gzip = 1}, value);
  }
  for (const char* name : {"plain", "packed"}) {
    const DatasetFacts facts = probe_dataset(scratch / "a.h5", name);
    const NormalForm form(facts.dims, {0, 1});
    std::vector<float> values(60000);
    const Index missing =
        InputDataset(facts).read(form, make_box(form.shape()), view_of(values.data(), form.shape()),
                                 MissingPoints{.values = {-32768}, .replacement = NAN});
    EXPECT_EQ(missing, 6000) << name;
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(std::isnan(values[i]), i % 10 == 3) << name << i;
  }
}

/// Writes a dataset of 7 x 5 complex numbers with the parts `number(2 k)` and `number(2 k + 1)`.
Handle complex_dataset(hid_t file, const std::string& name, std::size_t imaginary_at,
                       std::size_t bytes, Storing storing) {
  const Handle type(H5Tcreate(H5T_COMPOUND, bytes), H5Tclose);
  H5Tinsert(type, "r", imaginary_at == 0 ? 4 : 0, H5T_IEEE_F32LE);
  H5Tinsert(type, "i", imaginary_at, H5T_IEEE_F32LE);
  storing.file_type = type;
  Handle dataset = create_dataset(file, name, {7, 5}, storing);
  std::vector<std::byte> points(35 * bytes);
  for (Index k = 0; k < 35; ++k)
    for (const Index part : {0, 1}) {
      const auto value = static_cast<float>(number(2 * k + part));
      const std::size_t at = part == 1 ? imaginary_at : imaginary_at == 0 ? 4 : 0;
      std::memcpy(points.data() + static_cast<std::size_t>(k) * bytes + at, &value, sizeof value);
    }
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, points.data());
  return dataset;
}

TEST(Read, complex_numbers_have_a_last_axis_of_two_parts) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    complex_dataset(file, "plain", 4, 8, {});
    complex_dataset(file, "chunked", 4, 8, {.chunk = {3, 2}, .gzip = 1, .shuffle = true});
    complex_dataset(file, "turned", 0, 8, {.chunk = {3, 2}});
    complex_dataset(file, "apart", 12, 20, {});
  }
  for (const char* name : {"plain", "chunked", "turned", "apart"}) {
    SCOPED_TRACE(name);
    const DatasetFacts facts = probe_dataset(scratch / "a.h5", name);
    ASSERT_TRUE(facts.is_complex());
    const InputDataset input(facts);
    const NormalForm rows(facts.number_dims(), {1}, {}, false);  // [7, 5, 2]
    for (const Box& box : boxes_of(rows.shape())) expect_box<double>(input, rows, box, number);
    const NormalForm parts(facts.number_dims(), {0, 1}, {0, 1}, true);  // [2, 7, 5]
    for (const Box& box : boxes_of(parts.shape()))
      expect_box<float>(input, parts, box, [](Index at) { return number(at % 35 * 2 + at / 35); });
  }
}

TEST(Read, a_complex_number_with_one_part_nan_is_missing) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    const Handle dataset = complex_dataset(file, "d", 4, 8, {.chunk = {3, 2}});
    const Handle type(H5Dget_type(dataset), H5Tclose);
    std::vector<float> points(70);
    for (Index k = 0; k < 70; ++k) points[static_cast<std::size_t>(k)] = float(number(k));
    points[6] = points[13] = points[20] = points[21] = std::nanf("");
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, points.data());
  }
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", "d");
  const InputDataset input(facts);
  const NormalForm form(facts.number_dims(), {0, 1}, {0, 1}, true);
  const MissingPoints missing{.values = {std::nan("")}, .replacement = -5};
  std::vector<float> both(70), one(35);
  EXPECT_EQ(input.read<float>(form, make_box({2, 7, 5}), {both.data(), {2, 7, 5}, 35, 5}, missing),
            3);
  for (const Index at : {3, 6, 10, 38, 41, 45}) EXPECT_EQ(both[static_cast<std::size_t>(at)], -5);
  EXPECT_EQ(std::count(both.begin(), both.end(), -5.0F), 6);
  Index counted = 0;
  for (const Index part : {0, 1}) {
    counted += input.read<float>(form, {{part, 0, 0}, {part + 1, 7, 5}},
                                 {one.data(), {1, 7, 5}, 35, 5}, missing);
    EXPECT_TRUE(std::equal(one.begin(), one.end(), both.begin() + 35 * part));
  }
  EXPECT_EQ(counted, 3);
}

/// A part that equals the replacement is also missing if the other part is NaN.
TEST(Read, complex_numbers_that_equal_the_replacement_are_counted) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    const Handle dataset = complex_dataset(file, "d", 4, 8, {});
    const Handle type(H5Dget_type(dataset), H5Tclose);
    std::vector<float> points(70, 1.0F);
    for (const std::size_t at : {0u, 10u, 21u, 33u, 40u, 61u}) {
      points[at] = std::nanf("");
      points[at ^ 1] = 0;
    }
    points[2] = points[5] = 0;  // valid numbers
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, points.data());
  }
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", "d");
  const InputDataset input(facts);
  const MissingPoints missing{.values = {std::nan("")}, .replacement = 0};
  std::vector<float> points(70);
  const NormalForm form(facts.number_dims(), {0, 1}, {0, 1}, true);
  EXPECT_EQ(
      input.read<float>(form, make_box({2, 7, 5}), {points.data(), {2, 7, 5}, 35, 5}, missing), 6);
  EXPECT_EQ(std::count(points.begin(), points.end(), 0.0F), 14);
  Index counted = 0;
  for (const Index part : {0, 1})
    counted += input.read<float>(form, {{part, 0, 0}, {part + 1, 7, 5}},
                                 {points.data(), {1, 7, 5}, 35, 5}, missing);
  EXPECT_EQ(counted, 6);
}

TEST(Read, points_that_equal_the_replacement_are_counted) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    write_dataset(file, "d", {50, 40}, {.file_type = H5T_IEEE_F32LE}, [](Index i) {
      return i % 10 == 0 ? -9.0 : i % 10 == 1 ? 0.0 : i % 10 == 2 ? std::nan("") : 5.0;
    });
    write_dataset(file, "valid", {50, 40}, {.file_type = H5T_STD_U8LE},
                  [](Index i) { return double(i % 20 > 5); });
  }
  DatasetFacts facts = probe_dataset(scratch / "a.h5", "d");
  set_validity(facts, probe_dataset(scratch / "a.h5", "valid"));
  const NormalForm form(facts.dims, {0, 1});
  for (const double replacement : {0.0, double(NAN)}) {
    std::vector<float> points(2000);
    // 6 of 20 are invalid by the mask, one more is -9; NaN is not a missing value here
    EXPECT_EQ(
        InputDataset(facts).read(form, make_box(form.shape()), view_of(points.data(), form.shape()),
                                 MissingPoints{.values = {-9}, .replacement = replacement}),
        700);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool is_missing = i % 20 <= 5 || i % 20 == 10;
      if (is_missing)
        ASSERT_TRUE(std::isnan(replacement) ? std::isnan(points[i]) : points[i] == 0) << i;
      else
        ASSERT_EQ(std::isnan(points[i]), i % 20 == 12) << i;
    }
  }
}

TEST(Read, packed_numbers_become_values) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    const auto value = [](Index i) { return i == 7 ? -1.0 : double(i); };  // -1 is 65535 unsigned
    write_dataset(file, "d", {50, 40}, {.file_type = H5T_STD_I16BE, .chunk = {8, 16}}, value);
  }
  DatasetFacts facts = probe_dataset(scratch / "a.h5", "d");
  facts.is_packed = facts.has_other_sign = facts.reads_values = true;
  facts.scale_factor = 0.5;
  facts.add_offset = -3;
  const NormalForm form(facts.dims, {0, 1});
  std::vector<float> values(2000);
  const MissingPoints missing{{12}, NAN, 1, std::nullopt};  // 12 is one of the numbers
  const Index found = InputDataset(facts).read(
      form, make_box(form.shape()), view_of(values.data(), form.shape()), std::optional(missing));
  EXPECT_EQ(found, 2);
  EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[12]));
  EXPECT_EQ(values[7], 65535 * 0.5f - 3);
  EXPECT_EQ(values[1999], 1999 * 0.5f - 3);
}

/// The test uses a filter that the program itself decodes, and a filter that HDF5 decodes.
TEST(Read, chunks_that_were_never_written_are_full_of_the_fill_value) {
  const Scratch scratch;
  const hsize_t extent = 1000, chunk = 64, start = 128, count = 300;
  {
    const Handle file = create_file(scratch / "a.h5");
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = number(Index(i + start));
    for (const char* name : {"plain", "gzip", "scaleoffset", "contiguous"}) {
      const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
      const std::string kind = name;
      if (kind != "contiguous") H5Pset_chunk(creation, 1, &chunk);
      if (kind == "gzip") H5Pset_deflate(creation, 1);
      if (kind == "scaleoffset") H5Pset_scaleoffset(creation, H5Z_SO_INT, 0);
      const int fill = -9;
      H5Pset_fill_value(creation, H5T_NATIVE_INT, &fill);
      const Handle data(
          H5Dcreate2(file, name, H5T_STD_I32BE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
          H5Dclose);
      if (kind != "contiguous")
        H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data());
    }
  }
  for (const char* name : {"plain", "gzip", "scaleoffset", "contiguous"}) {
    const DatasetFacts facts = probe_dataset(scratch / "a.h5", name);
    const bool is_empty = facts.layout == "contiguous";
    const NormalForm form(facts.dims, {0});
    expect_box<double>(InputDataset(facts), form, make_box(form.shape()), [&](Index i) {
      const bool is_written = !is_empty && i >= Index(start) && i < Index(start + count);
      return is_written ? number(i) : -9;
    });
  }
}

TEST(Read, pieces_of_a_dataset_larger_than_one_transfer) {
  const Scratch scratch;
  const Index columns = 1 << 12, rows = (Index{10} << 20) / columns;  // 80 MiB of float64
  {
    const Handle file = create_file(scratch / "a.h5");
    const Handle dataset = create_dataset(file, "d", {hsize_t(rows), hsize_t(columns)},
                                          {.file_type = H5T_NATIVE_DOUBLE, .chunk = {300, 1000}});
    std::vector<double> values(std::size_t(rows * columns));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = double(i % 251);
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", "d");
  const NormalForm form(facts.dims, {1});
  expect_box<float>(InputDataset(facts), form, {{0, 3, 0}, {1, rows - 1, columns}},
                    [](Index i) { return double(i % 251); });
}

TEST(Read, takes_no_more_memory_than_told) {
  const Scratch scratch;
  const hsize_t n = 4096;  // 64 MiB of float32
  {
    const Handle file = create_file(scratch / "a.h5");
    write_dataset(file, "plain", {n, n}, {}, number);
    write_dataset(file, "rows", {n, n}, {.chunk = {16, n}, .gzip = 1, .shuffle = true}, number);
    write_dataset(file, "whole", {n, n}, {.chunk = {n, n}, .gzip = 1, .shuffle = true}, number);
    write_dataset(file, "tiny", {32, n}, {.chunk = {1, 1}}, number);
  }
  for (const char* name : {"plain", "rows", "whole", "tiny"}) {
    SCOPED_TRACE(name);
    const DatasetFacts facts = probe_dataset(scratch / "a.h5", name);
    const NormalForm form(facts.dims, {0, 1});
    std::vector<float> values(static_cast<std::size_t>(points(form.shape())), 1);
    const MemoryWatch memory;
    const InputDataset input(facts);
    input.read(form, make_box(form.shape()), view_of(values.data(), form.shape()), {});
    EXPECT_LE(memory.growth(), reading_bytes(facts));
  }
}

TEST(Read, notices_a_file_that_changed) {
  const Scratch scratch;
  write_dataset(create_file(scratch / "a.h5"), "d", {100}, {}, number);
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", "d");
  write_dataset(create_file(scratch / "a.h5"), "d", {90}, {}, number);
  const Thrown thrown = thrown_by([&] { InputDataset input(facts); });
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("changed"), std::string::npos);
}

TEST(Read, notices_a_file_that_changes_between_probe_and_the_last_point) {
  const Scratch scratch;
  const NormalForm form({100}, {0});
  std::vector<float> values(100);
  for (const bool packed : {false, true}) {
    const Storing storing = packed ? Storing{.chunk = {10}, .gzip = 1} : Storing{};
    write_dataset(create_file(scratch / "a.h5"), "d", {100}, storing, number);
    const DatasetFacts facts = probe_dataset(scratch / "a.h5", "d");
    const InputDataset input(facts);
    const auto read = [&] {
      return thrown_by([&] {
        input.read(form, make_box(form.shape()), view_of(values.data(), form.shape()), {});
      });
    };
    EXPECT_EQ(read().status, Status::done);
    std::string bytes = bytes_of(scratch / "a.h5");
    bytes.back() = char(~bytes.back());
    ::usleep(20'000);  // until the clock of file times has advanced
    std::ofstream(scratch / "a.h5", std::ios::binary | std::ios::in)
        .write(bytes.data(), static_cast<long>(bytes.size()));
    const Thrown thrown = read();
    EXPECT_EQ(thrown.status, Status::storage);
    EXPECT_NE(thrown.message.find("a.h5:/d has changed"), std::string::npos) << thrown.message;
  }
}

TEST(Read, a_file_cut_off_meanwhile_is_an_error) {
  const Scratch scratch;
  const NormalForm form({100000}, {0});
  write_dataset(create_file(scratch / "a.h5"), "d", {100000}, {}, number);
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", "d");
  const InputDataset input(facts);
  std::filesystem::resize_file(scratch / "a.h5", 200000);
  std::vector<float> values(100000);
  const Thrown thrown = thrown_by([&] {
    input.read(form, make_box(form.shape()), view_of(values.data(), form.shape()), std::nullopt);
  });
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("cut off"), std::string::npos) << thrown.message;
}

TEST(Read, a_damaged_chunk_is_an_error) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    write_dataset(file, "d", {100, 100}, {.chunk = {50, 50}, .gzip = 6}, number);
  }
  std::string bytes = bytes_of(scratch / "a.h5");
  const std::size_t at = bytes.rfind("\x78\x9c");  // start of a zlib stream at level 6
  ASSERT_NE(at, std::string::npos);
  for (std::size_t i = at + 2; i < at + 40; ++i) bytes[i] = char(~bytes[i]);
  DatasetFacts facts = probe_dataset(scratch / "a.h5", "d");
  write_bytes(scratch / "a.h5", bytes);
  EXPECT_EQ(thrown_by([&] { probe_dataset(scratch / "a.h5", "d"); }).status, Status::storage);
  const storage::FileState state = storage::file_state(scratch / "a.h5");
  // a probe inspects only some chunks
  facts.file_bytes = state.bytes, facts.modified = state.modified;
  const NormalForm form(facts.dims, {1});
  std::vector<float> values(10000);
  const Thrown thrown = thrown_by([&] {
    InputDataset(facts).read(form, make_box(form.shape()), view_of(values.data(), form.shape()),
                             std::nullopt);
  });
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("a.h5:/d"), std::string::npos) << thrown.message;
}

TEST(Read, a_view_that_does_not_fit_is_refused) {
  const Scratch scratch;
  write_dataset(create_file(scratch / "a.h5"), "d", {100}, {}, number);
  const InputDataset input(probe_dataset(scratch / "a.h5", "d"));
  const NormalForm form({100}, {0});
  std::vector<float> values(200);
  EXPECT_THROW(
      input.read(form, {{0, 0, 0}, {1, 1, 100}}, view_of(values.data(), {1, 1, 99}), std::nullopt),
      ShapeError);
  EXPECT_THROW(
      input.read(form, {{0, 0, 1}, {1, 1, 101}}, view_of(values.data(), {1, 1, 100}), std::nullopt),
      ShapeError);
}

TEST(SmallArray, is_read_whole_in_double) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "m.h5");
    write_dataset(file, "one", {5}, {.file_type = H5T_STD_I16BE}, number);
    write_dataset(file, "two", {2, 3}, {.chunk = {1, 2}, .gzip = 1}, number);
    write_dataset(file, "three", {2, 3, 1}, {}, number);
    write_dataset(file, "four", {2, 1, 3, 1}, {}, number);
    write_dataset(file, "five", {2, 1, 3, 1, 1}, {}, number);
    write_dataset(file, "big", {(hsize_t{1} << 24) + 1}, {.file_type = H5T_STD_U8LE}, number);
  }
  const SmallArray one = read_small_array(scratch / "m.h5", "one");
  EXPECT_EQ(one.dims, std::vector<Index>{5});
  const SmallArray two = read_small_array(scratch / "m.h5", "two");
  EXPECT_EQ(two.dims, (std::vector<Index>{2, 3}));
  ASSERT_EQ(two.values.size(), 6u);
  for (Index i = 0; i < 6; ++i) EXPECT_EQ(two.values[std::size_t(i)], number(i));
  const SmallArray four = read_small_array(scratch / "m.h5", "four");
  EXPECT_EQ(four.dims, (std::vector<Index>{2, 1, 3, 1}));
  ASSERT_EQ(four.values.size(), 6u);
  EXPECT_EQ(four.values[5], number(5));
  EXPECT_EQ(read_small_array(scratch / "m.h5", "three").dims.size(), 3U) << "a mask of three axes";
  EXPECT_THROW(read_small_array(scratch / "m.h5", "five"), WordsError);
  EXPECT_THROW(read_small_array(scratch / "m.h5", "big"), WordsError);
  EXPECT_THROW(read_small_array(scratch / "m.h5", "none"), WordsError);
}

TEST(SmallArray, a_row_of_a_bank) {
  const Scratch scratch;
  const std::string name = scratch / "m.h5";
  {
    const Handle file = create_file(name);
    write_dataset(file, "bank", {3, 4}, {.chunk = {2, 3}, .gzip = 1}, number);
    write_dataset(file, "planes", {5, 2, 3}, {}, number);
    write_dataset(file, "raw[1]", {2}, {}, [](Index i) { return 1000.0 + double(i); });
    write_dataset(file, "raw", {2, 2}, {}, number);
  }
  const SmallArray row = read_small_array(name, "/bank[1]"),
                   last = read_small_array(name, "/bank[-1]");
  EXPECT_EQ(row.dims, std::vector<Index>{4});
  EXPECT_EQ(row.values, (std::vector<double>{number(4), number(5), number(6), number(7)}));
  EXPECT_EQ(last.values, (std::vector<double>{number(8), number(9), number(10), number(11)}));
  const SmallArray plane = read_small_array(name, "/planes[2]");
  EXPECT_EQ(plane.dims, (std::vector<Index>{2, 3}));
  EXPECT_EQ(plane.values[5], number(17));
  EXPECT_EQ(read_small_array(name, "/raw[1]").values, (std::vector<double>{1000, 1001}));
  EXPECT_NE(thrown_by([&] { read_small_array(name, "/bank[3]"); }).message.find("has 3 rows"),
            std::string::npos);
  EXPECT_NE(thrown_by([&] { read_small_array(name, "/bnak[0]"); }).message.find("/bnak[0]"),
            std::string::npos);
  EXPECT_THROW(read_small_array(name, "/bank[]"), WordsError);
  EXPECT_THROW(read_small_array(name, "/bank[1"), WordsError);
  EXPECT_THROW(read_small_array(name, "/raw[1][0]"), WordsError);
}

TEST(SmallArray, a_bank_of_masks) {
  const Scratch scratch;
  const std::string name = scratch / "m.h5";
  {
    const Handle file = create_file(name);
    write_dataset(file, "bank", {5, 2}, {.chunk = {2, 2}, .gzip = 1}, number);
    write_dataset(file, "planes", {3, 2, 2}, {}, number);
    write_dataset(file, "one", {4}, {}, number);
    write_dataset(file, "bank[0:2]", {3}, {}, number);
  }
  const SmallArray all = read_small_array(name, "/bank[:]"),
                   some = read_small_array(name, "/bank[1:-1:2]");
  EXPECT_EQ(all.dims, (std::vector<Index>{5, 2}));
  EXPECT_EQ(all.rows, (std::vector<Index>{0, 1, 2, 3, 4}));
  EXPECT_EQ(some.rows, (std::vector<Index>{1, 3}));
  EXPECT_EQ(some.values, (std::vector<double>{number(2), number(3), number(6), number(7)}));
  EXPECT_EQ(read_small_array(name, "/bank[4:99]").dims, (std::vector<Index>{1, 2}));
  EXPECT_EQ(read_small_array(name, "/planes[1:]").dims, (std::vector<Index>{2, 2, 2}));
  // if a dataset has this name, it is read
  EXPECT_TRUE(read_small_array(name, "/bank[0:2]").rows.empty());
  EXPECT_TRUE(read_small_array(name, "/bank").rows.empty());
  const auto message = [&](const char* dataset) {
    return thrown_by([&] { read_small_array(name, dataset); }).message;
  };
  EXPECT_NE(message("/bank[3:3]").find("3:3 takes no point"), std::string::npos);
  EXPECT_NE(message("/one[0:2]").find("has 1 axis, but a bank"), std::string::npos);
  EXPECT_EQ(read_small_array(name, "/planes").dims.size(), 3U);
  for (const char* const no_rows : {"/bank[::0]", "/bank[::-1]", "/bank[1:2:3:4]", "/bank[a:2]"})
    EXPECT_NE(message(no_rows).find(no_rows), std::string::npos) << no_rows;
}

}  // namespace
}  // namespace stencil
