// Virtual datasets: the values are those that HDF5 reads; where HDF5 would return fill values for
// an unreadable source, there is an error.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <thread>

#include "framework/grid/error.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/probe.hpp"
#include "io/read/input_dataset.hpp"
#include "io/read/missing_points.hpp"
#include "tests/io/shared_scratch.hpp"

namespace stencil {
namespace {

using namespace testing;
using Extents = std::vector<hsize_t>;

double number(Index i) {
  return static_cast<double>((i * 7) % 1013);
}

/// A part of a virtual dataset. If `there` is not set, the part is the whole source.
struct Mapping {
  std::string file, dataset;
  Extents source_dims, here, count;
  Extents there{}, there_count{};
  Extents stride{};  ///< stride in the source
};

Handle space_of(const Extents& dims) {
  return {H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose};
}

void write_virtual(const std::string& file_name, const std::string& name, const Extents& dims,
                   const std::vector<Mapping>& mappings, hid_t type = H5T_NATIVE_FLOAT) {
  const Handle file(std::filesystem::exists(file_name)
                        ? H5Fopen(file_name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                        : H5Fcreate(file_name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                    H5Fclose);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose), space = space_of(dims);
  const float fill = -3;
  H5Pset_fill_value(creation, H5T_NATIVE_FLOAT, &fill);
  for (const Mapping& m : mappings) {
    const Handle source = space_of(m.source_dims);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, m.here.data(), nullptr, m.count.data(), nullptr);
    if (!m.there.empty())
      H5Sselect_hyperslab(source, H5S_SELECT_SET, m.there.data(),
                          m.stride.empty() ? nullptr : m.stride.data(), m.there_count.data(),
                          nullptr);
    ASSERT_GE(H5Pset_virtual(creation, space, m.file.c_str(), m.dataset.c_str(), source), 0);
  }
  H5Sselect_all(space);
  const Handle made(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                    H5Dclose);
  ASSERT_TRUE(bool(made));
}

std::vector<double> read_by_hdf5(const std::string& file_name, const std::string& name,
                                 std::size_t points) {
  const Handle file(H5Fopen(file_name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  std::vector<double> values(points, -1);
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  return values;
}

/// Returns boxes that contain points of all sources, of one source, and of some sources.
std::vector<Box> boxes_of(const Point& s, Index rank) {
  std::vector<Box> boxes{make_box(s), {{0, 0, 0}, {1, 1, 1}}};
  boxes.push_back({{s[0] / 2, s[1] / 3, s[2] / 4}, {s[0], s[1] - s[1] / 4, s[2] - s[2] / 5}});
  boxes.push_back({{s[0] - 1, s[1] - 1, 0}, s});
  boxes.push_back({{0, 0, s[2] / 2}, {s[0], s[1], s[2] / 2 + 1}});
  boxes.push_back({{0, std::min(rank, s[1] - 1), 0}, {s[0], s[1], s[2]}});
  return boxes;
}

/// One folder for all ranks, to which rank 0 writes.
class VirtualRead : public ::testing::Test {
 protected:
  const Communicator all_{MPI_COMM_WORLD};
  const std::unique_ptr<Scratch> scratch_ = shared_scratch(all_);
  const std::string file_ = *scratch_ / "v.h5";

  void TearDown() override { all_.barrier(); }  // the first rank removes the folder

  /// Probes on rank 0 and broadcasts the result.
  DatasetFacts facts_of(const std::string& name) const {
    std::string text;
    if (all_.rank() == 0) text = serialize(probe_dataset(file_, name));
    all_.broadcast(text, 0);
    return facts_from(text);
  }

  /// @param by_sources  whether the dataset must be read source by source
  void expect_values(const std::string& name, bool by_sources) const {
    const DatasetFacts facts = facts_of(name);
    EXPECT_EQ(!facts.mappings.empty(), by_sources);
    const NormalForm form(facts.dims, {});
    expect_values(facts, form);
    if (facts.dims.size() == 2) expect_values(facts, NormalForm(facts.dims, {0, 1}));
  }

  void expect_values(const DatasetFacts& facts, const NormalForm& form) const {
    const Point shape = form.shape();
    const auto right = read_by_hdf5(file_, facts.dataset, static_cast<std::size_t>(points(shape)));
    const InputDataset input(facts);
    for (const Box& box : boxes_of(shape, all_.rank())) {
      const Point extent = box.extent();
      std::vector<double> values(static_cast<std::size_t>(points(extent)), -7);
      const FieldView<double> view = view_of(values.data(), extent);
      const MissingPoints missing{{ElementValue(7.0)}, -3};
      Index wrong = 0, lacking = 0;
      const Index told = input.read(form, box, view, missing);
      for (Index b = 0; b < extent[0]; ++b)
        for (Index y = 0; y < extent[1]; ++y)
          for (Index x = 0; x < extent[2]; ++x) {
            const Index at =
                ((box.first[0] + b) * shape[1] + box.first[1] + y) * shape[2] + box.first[2] + x;
            const double value = right[static_cast<std::size_t>(at)];
            lacking += value == 7;
            wrong += view.at(b, y, x) != (value == 7 ? -3 : value);
          }
      EXPECT_EQ(wrong, 0) << to_string(box);
      EXPECT_EQ(told, lacking) << to_string(box);
    }
  }

  void on_first_rank(const std::function<void()>& write) const {
    if (all_.rank() == 0) write();
    all_.barrier();
  }
  void source(const std::string& name, const Extents& dims, const Storing& storing = {}) const {
    write_dataset(create_file(*scratch_ / name), "data", dims, storing, number);
  }
};

TEST_F(VirtualRead, sources_side_by_side_along_any_axis) {
  on_first_rank([&] {
    source("a.h5", {30, 50});
    source("b.h5", {20, 50}, {.chunk = {7, 11}, .gzip = 1, .shuffle = true});
    source("c.h5", {50, 9}, {.file_type = H5T_IEEE_F32BE});
    write_virtual(file_, "rows", {50, 50},
                  {{"a.h5", "data", {30, 50}, {0, 0}, {30, 50}},
                   {"b.h5", "data", {20, 50}, {30, 0}, {20, 50}}});
    write_virtual(file_, "columns", {30, 27},
                  {{"c.h5", "data", {50, 9}, {0, 9}, {30, 9}, {20, 0}, {30, 9}},
                   {"c.h5", "data", {50, 9}, {0, 0}, {30, 9}, {0, 0}, {30, 9}},
                   {"a.h5", "data", {30, 50}, {0, 18}, {30, 9}, {0, 41}, {30, 9}}});
  });
  expect_values("rows", true);
  expect_values("columns", true);
  EXPECT_EQ(facts_of("columns").source_datasets.size(), 2u);
  EXPECT_EQ(read_small_array(file_, "rows").values, read_by_hdf5(file_, "rows", 2500));
}

TEST_F(VirtualRead, signals_as_rows_and_planes_of_four_axes) {
  on_first_rank([&] {
    std::vector<Mapping> rows, planes;
    for (hsize_t i = 0; i < 70; ++i) {  // more than can be kept open at the same time
      const std::string name = "s" + std::to_string(i) + ".h5";
      source(name, {40 + i});
      rows.push_back({name, "data", {40 + i}, {i, 0}, {1, 40}, {i}, {40}});
    }
    source("p.h5", {6, 5, 4}, {.file_type = H5T_NATIVE_INT16, .chunk = {2, 3, 4}});
    for (hsize_t i = 0; i < 6; ++i)
      planes.push_back(
          {"p.h5", "data", {6, 5, 4}, {0, 5 - i, 0, 0}, {5, 1, 4, 1}, {i, 0, 0}, {1, 5, 4}});
    write_virtual(file_, "rows", {70, 40}, rows);
    write_virtual(file_, "planes", {5, 6, 4, 1}, planes, H5T_NATIVE_INT16);
  });
  expect_values("rows", true);
  expect_values("planes", true);
}

TEST_F(VirtualRead, sources_in_the_same_file_and_virtual_ones) {
  on_first_rank([&] {
    write_dataset(create_file(file_), "own", {12, 10}, {}, number);
    source("a.h5", {8, 10});
    const std::vector<Mapping> halves{{".", "own", {12, 10}, {8, 0}, {12, 10}},
                                      {"a.h5", "data", {8, 10}, {0, 0}, {8, 10}}};
    write_virtual(file_, "inner", {20, 10}, halves);
    write_virtual(file_, "outer", {10, 30},
                  {{".", "inner", {20, 10}, {0, 0}, {10, 10}, {5, 0}, {10, 10}},
                   {".", "inner", {20, 10}, {0, 10}, {10, 10}, {10, 0}, {10, 10}},
                   {"a.h5", "data", {8, 10}, {0, 20}, {8, 10}},
                   {".", "own", {12, 10}, {8, 20}, {2, 10}, {3, 0}, {2, 10}}});
  });
  expect_values("inner", true);
  expect_values("outer", true);
}

TEST_F(VirtualRead, what_is_no_set_of_disjoint_boxes_of_one_type_is_left_to_hdf5) {
  on_first_rank([&] {
    source("a.h5", {40});
    source("b.h5", {40}, {.file_type = H5T_NATIVE_INT32});
    write_virtual(file_, "overlap", {50},
                  {{"a.h5", "data", {40}, {0}, {40}}, {"a.h5", "data", {40}, {10}, {40}}});
    write_virtual(file_, "strided", {20}, {{"a.h5", "data", {40}, {0}, {20}, {1}, {20}, {2}}});
    write_virtual(file_, "folded", {4, 10}, {{"a.h5", "data", {40}, {0, 0}, {4, 10}}});
    write_virtual(file_, "types", {80},
                  {{"a.h5", "data", {40}, {0}, {40}}, {"b.h5", "data", {40}, {40}, {40}}});
  });
  for (const char* name : {"overlap", "strided", "folded", "types"}) {
    SCOPED_TRACE(name);
    expect_values(name, false);
  }
}

/// Lowers the limit on the number of open files of this process.
class FewFiles {
 public:
  explicit FewFiles(rlim_t most) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{most, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(VirtualRead, points_that_no_source_covers_have_the_fill_value) {
  if (all_.rank() == 0) {
    const Handle file = create_file(*scratch_ / "s.h5");
    write_dataset(file, "whole", {20, 30}, {}, number);
    write_dataset(file, "other", {20, 30}, {.file_type = H5T_STD_I32LE}, number);
    const std::vector<Mapping> parts{{"s.h5", "whole", {20, 30}, {5, 10}, {20, 30}},
                                     {"s.h5", "whole", {20, 30}, {40, 0}, {20, 30}}};
    write_virtual(file_, "gaps", {70, 50}, parts);
    write_virtual(file_, "gap", {30}, {{"s.h5", "whole", {20, 30}, {5}, {20}, {3, 0}, {1, 20}}});
    std::vector<Mapping> mixed = parts;
    mixed[1].dataset = "other";
    write_virtual(file_, "mixed", {70, 50}, mixed);
  }
  all_.barrier();
  EXPECT_EQ(facts_of("gaps").filled_points, 70 * 50 - 1200);
  expect_values("gaps", true);
  expect_values("gap", true);
  expect_values("mixed", false);
}

TEST_F(VirtualRead, more_sources_than_files_may_be_open) {
  constexpr hsize_t count = 260;
  on_first_rank([&] {
    std::vector<Mapping> boxes, strided;
    for (hsize_t i = 0; i < count; ++i) {
      const std::string name = "f" + std::to_string(i) + ".h5";
      source(name, {8});
      boxes.push_back({name, "data", {8}, {i, 0}, {1, 8}});
      strided.push_back({name, "data", {8}, {i, 0}, {1, 4}, {0}, {4}, {2}});
    }
    write_virtual(file_, "boxes", {count, 8}, boxes);
    write_virtual(file_, "strided", {count, 4}, strided);
  });
  const DatasetFacts boxes = facts_of("boxes"), strided = facts_of("strided");
  const FewFiles few(240);
  const NormalForm form(boxes.dims, {1});
  const Point shape = form.shape();
  std::vector<double> values(count * 8, -1);
  InputDataset(boxes).read(form, make_box(shape), view_of(values.data(), shape), {});
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], number(static_cast<Index>(i % 8)));
  // several threads close sources that other threads need
  std::fill(values.begin(), values.end(), -1);
  const InputDataset shared(boxes);
  std::vector<std::thread> threads;
  for (Index thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (Index row = thread; row < Index{count}; row += 4)
        shared.read(form, Box{{0, row, 0}, {1, row + 1, 8}},
                    view_of(values.data() + row * 8, {1, 1, 8}), {});
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], number(static_cast<Index>(i % 8)));
  const Thrown thrown = thrown_by([&] { InputDataset input(strided); });
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("Too many open files"), std::string::npos) << thrown.message;
}

/// Reading throws if a source disappears after the probe.
TEST_F(VirtualRead, a_source_that_cannot_be_opened_any_more_is_an_error) {
  on_first_rank([&] {
    source("a.h5", {40});
    source("b.h5", {40});
    write_virtual(file_, "boxes", {80},
                  {{"a.h5", "data", {40}, {0}, {40}}, {"b.h5", "data", {40}, {40}, {40}}});
    write_virtual(
        file_, "strided", {60},
        {{"a.h5", "data", {40}, {0}, {40}}, {"b.h5", "data", {40}, {40}, {20}, {0}, {20}, {2}}});
  });
  const DatasetFacts boxes = facts_of("boxes"), strided = facts_of("strided");
  const InputDataset opened(boxes);
  const auto read = [&](const InputDataset& input, const DatasetFacts& facts, Index points) {
    const NormalForm form(facts.dims, {0});
    std::vector<float> values(static_cast<std::size_t>(points));
    const Point extent{1, 1, points};
    return thrown_by(
        [&] { input.read(form, make_box(extent), view_of(values.data(), extent), {}); });
  };
  EXPECT_EQ(read(opened, boxes, 40).status, Status::done);  // this box needs the first source only
  all_.barrier();
  on_first_rank([&] { std::filesystem::rename(*scratch_ / "b.h5", *scratch_ / "gone.h5"); });
  for (const Thrown& thrown :
       {read(opened, boxes, 80), thrown_by([&] { InputDataset input(boxes); }),
        thrown_by([&] { InputDataset input(strided); })}) {
    EXPECT_EQ(thrown.status, Status::storage);
    EXPECT_NE(thrown.message.find("b.h5"), std::string::npos) << thrown.message;
  }
}

}  // namespace
}  // namespace stencil
