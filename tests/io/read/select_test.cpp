// Parts of datasets: arbitrary slices of any layout and type, of single and joined datasets,
// compared with the points of the whole dataset.
#include "io/read/select.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "io/probe.hpp"
#include "io/read/input_dataset.hpp"
#include "tests/io/scratch.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using namespace testing;

double number(Index i) {
  return static_cast<double>((i * 7) % 113);
}

std::vector<double> points_of_all(const DatasetFacts& facts) {
  const NormalForm form(facts.dims, {});
  const Point shape = form.shape();
  std::vector<double> points(static_cast<std::size_t>(stencil::points(shape)), -1);
  const FieldView<double> view{points.data(), shape, shape[1] * shape[2], shape[2]};
  InputDataset(facts).read<double>(form, make_box(shape), view, std::nullopt);
  return points;
}

/// Returns those of all points that are selected, in row-major order.
std::vector<double> taken(const std::vector<double>& all, const std::vector<Index>& dims,
                          const std::vector<AxisSelection>& selection) {
  std::vector<Index> places{0};
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    std::vector<Index> next;
    for (const Index place : places)
      for (Index i = 0; i < selection[axis].count; ++i)
        next.push_back(place * dims[axis] + selection[axis].first + i * selection[axis].step);
    places = next;
  }
  std::vector<double> points;
  for (const Index place : places) points.push_back(all[static_cast<std::size_t>(place)]);
  return points;
}

std::string words_of(const std::vector<AxisSelection>& selection) {
  std::string words;
  for (const AxisSelection& axis : selection)
    words += fmt::format(" {}+{}x{}", axis.first, axis.step, axis.count);
  return words;
}

AxisSelection any_selection(std::mt19937& random, Index extent) {
  const auto below = [&](Index n) {
    return static_cast<Index>(random() % static_cast<unsigned long>(n));
  };
  AxisSelection axis;
  axis.first = random() % 3 == 0 ? 0 : below(extent);
  axis.step = random() % 2 == 0 ? 1 : 1 + below(random() % 4 == 0 ? extent : 4);
  const Index most = (extent - axis.first - 1) / axis.step + 1;
  axis.count = random() % 2 == 0 ? most : 1 + below(most);
  return axis;
}

void expect_parts(const DatasetFacts& facts, int cases) {
  std::mt19937 random(7);
  const std::vector<double> all = points_of_all(facts);
  for (int i = 0; i < cases; ++i) {
    std::vector<AxisSelection> selection;
    for (const Index extent : facts.dims) selection.push_back(any_selection(random, extent));
    const DatasetFacts part = facts_from(serialize(select(facts, selection)));
    EXPECT_EQ(points_of_all(part), taken(all, facts.dims, selection)) << words_of(selection);
    EXPECT_EQ(part.described().dims, facts.described().dims);
  }
}

TEST(Select, any_part_of_any_layout) {
  const Scratch scratch;
  const std::vector<hsize_t> dims{9, 5, 14};
  const std::vector<std::pair<const char*, Storing>> ways{
      {"float32", {.file_type = H5T_IEEE_F32LE}},
      {"int16be", {.file_type = H5T_STD_I16BE}},
      {"uint8", {.file_type = H5T_STD_U8LE}},
      {"float64", {.file_type = H5T_IEEE_F64LE}},
      {"chunked", {.file_type = H5T_IEEE_F32LE, .chunk = {2, 3, 4}}},
      {"packed", {.file_type = H5T_STD_I16LE, .chunk = {4, 2, 5}, .gzip = 2, .shuffle = true}}};
  {
    const Handle file = create_file(scratch / "a.h5");
    for (const auto& [name, storing] : ways) write_dataset(file, name, dims, storing, number);
  }
  for (const auto& way : ways) {
    SCOPED_TRACE(way.first);
    expect_parts(probe_dataset(scratch / "a.h5", way.first), testing::cases(150, 60));
  }
}

/// Rows of 80 KiB, each of which is read separately; and every third of a million points.
TEST(Select, of_large_datasets) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    write_dataset(file, "rows", {40, 20000}, {}, number);
    write_dataset(file, "line", {1000003}, {}, number);
    write_dataset(file, "chunks", {1000003}, {.chunk = {5000}, .gzip = 1}, number);
  }
  for (const char* name : {"rows", "line", "chunks"}) {
    SCOPED_TRACE(name);
    expect_parts(probe_dataset(scratch / "a.h5", name), 12);
  }
}

TEST(Select, any_part_of_joined_files_opens_no_other) {
  const Scratch scratch;
  std::vector<std::string> files;
  for (const Index rows : {5, 1, 7, 4}) {
    files.push_back(scratch / fmt::format("{}.h5", files.size()));
    const Handle file = create_file(files.back());
    write_dataset(file, "data", {static_cast<hsize_t>(rows), 6}, {},
                  [&](Index i) { return number(i + 1000 * rows); });
  }
  const DatasetFacts joined = probe_joined(files, "/data", {}).front();
  expect_parts(joined, 300);
  const DatasetFacts part = select(joined, {{7, 2, 3}, {0, 1, 6}});
  // in addition to the first dataset, from which the attributes are taken
  EXPECT_EQ(part.source_datasets.size(), 2u);
  const std::vector<double> before = points_of_all(part);
  std::filesystem::remove(files[3]);
  EXPECT_EQ(points_of_all(part), before);
}

TEST(Select, slices_as_numpy_does) {
  const auto is = [](const Slice& slice, AxisSelection points) {
    EXPECT_EQ(points_of(slice, 10), points);
  };
  is({}, {0, 1, 10});
  is({.start = 2, .stop = 9, .step = 3}, {2, 3, 3});
  is({.start = -4, .stop = -1}, {6, 1, 3});
  is({.start = -40, .stop = 40, .step = 100}, {0, 100, 1});
  is({.start = 9}, {9, 1, 1});
  for (const Slice& none : {Slice{.start = 10}, Slice{.start = 4, .stop = 4}, Slice{.stop = -10}})
    EXPECT_EQ(thrown_by([&] { points_of(none, 10); }).status, Status::words);
}

}  // namespace
}  // namespace stencil
