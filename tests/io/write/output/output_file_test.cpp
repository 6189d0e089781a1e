#include <fcntl.h>
#include <gtest/gtest.h>
#include <libdeflate.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "framework/grid/decomposition.hpp"
#include "framework/grid/error.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/probe.hpp"
#include "io/write/output/output_file.hpp"
#include "io/write/output_spec.hpp"
#include "tests/io/shared_scratch.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using namespace testing;

double number(Index i) {
  return static_cast<double>((i * 31) % 1009);
}

OutputSpec spec_for(const std::string& file, const NormalForm& form, ElementType type) {
  OutputSpec spec;
  spec.file = file;
  spec.dataset = "/group/inner/data";
  spec.form = form;
  spec.type = type;
  spec.provenance = {{"history", "made by a test"}, {"stencil_version", "0"}};
  return spec;
}

/// Returns divisions of the points between ranks: rows, columns, all on the last rank, rows in
/// reverse.
std::vector<std::vector<Box>> ownerships(const Point& shape, int size) {
  std::vector<std::vector<Box>> result(4);
  for (int rank = 0; rank < size; ++rank) {
    result[0].push_back(Decomposition(shape, {1, size, 1}).owned(rank));
    result[1].push_back(Decomposition(shape, {1, 1, size}).owned(rank));
    result[2].push_back(rank == size - 1 ? make_box(shape) : Box{});
    result[3].push_back(Decomposition(shape, {1, size, 1}).owned(size - 1 - rank));
  }
  // rows of unequal number: each of the other ranks has one row, the first rank has the rest
  for (int rank = 0; rank < size; ++rank) {
    const Index cut = shape[1] - (size - 1);
    Box box = make_box(shape);
    box.set(y_axis, rank == 0 ? Interval{0, cut} : Interval{cut + rank - 1, cut + rank});
    result.resize(5);
    result[4].push_back(box);
  }
  if (size == 1) result.resize(1);  // the only rank owns all points in every case
  return result;
}

template <class T>
OutputCounts write_all(const Communicator& all, const OutputSpec& spec, const Box& owned,
                       const std::function<double(Index)>& value) {
  const OwnedBox<T> mine(spec.form, owned, value);
  OutputFile output(all, spec);
  output.write<T>(mine.box, mine.view);
  return output.commit();
}

class Write : public ::testing::Test {
 protected:
  Communicator all{MPI_COMM_WORLD};
  std::unique_ptr<Scratch> scratch = shared_scratch(all);
  void TearDown() override { all.barrier(); }

  void expect_values(const std::string& file, const std::function<double(Index)>& value) const {
    const std::vector<double> values = values_of(file, "/group/inner/data");
    Index wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      wrong += values[i] != value(static_cast<Index>(i));
    EXPECT_EQ(wrong, 0) << file;
    all.barrier();
  }
};

TEST_F(Write, every_ownership_and_storage_reads_back) {
  const NormalForm form({3, 11, 13}, {1, 2});
  int count = 0;
  for (const auto& owned : ownerships(form.shape(), all.size()))
    for (const int storage : {0, 1, 2}) {
      OutputSpec spec =
          spec_for(*scratch / (std::to_string(count++) + ".h5"), form, ElementType::float32);
      if (storage > 0) spec.chunk = {2, 4, 5};
      if (storage > 1) spec.gzip_level = 3;
      const OutputCounts counts =
          write_all<float>(all, spec, owned[std::size_t(all.rank())], number);
      EXPECT_EQ(counts.bytes, 3 * 11 * 13 * 4);
      EXPECT_EQ(counts.missing, 0);
      const DatasetFacts facts = probe_dataset(spec.file, spec.dataset);
      EXPECT_EQ(facts.filters, storage > 1 ? "shuffle+gzip" : "");
      EXPECT_EQ(facts.layout, storage > 0 ? "chunked" : "contiguous");
      expect_values(spec.file, number);
    }
}

TEST_F(Write, every_type) {
  const NormalForm form({40, 9}, {0});
  for (int i = 0; i < 10; ++i) {
    const auto type = static_cast<ElementType>(i);
    const auto value = [](Index k) { return double(k % 100); };
    const OutputSpec spec = spec_for(*scratch / (to_string(type) + ".h5"), form, type);
    const Box mine = Decomposition(form.shape(), {1, all.size(), 1}).owned(all.rank());
    write_all<double>(all, spec, mine, value);
    EXPECT_EQ(probe_dataset(spec.file, spec.dataset).type, type);
    expect_values(spec.file, value);
  }
}

/// The storage of an output, for tests of all kinds of storage.
struct Layout {
  const char* name;
  std::vector<Index> chunk;
  int gzip;
};
const std::vector<Layout> layouts{{"contiguous", {}, 0},
                                  {"chunked", {2, 3, 40}, 0},
                                  {"gzip", {2, 3, 40}, 4},
                                  {"one chunk", {5, 4, 301}, 9}};

TEST_F(Write, the_bytes_are_the_same_whoever_writes_them) {
  const NormalForm form({5, 4, 301}, {2});
  for (const Layout& layout : layouts) {
    SCOPED_TRACE(layout.name);
    const auto bytes_with = [&](const Communicator& who, const Box& owned,
                                const std::string& name) {
      OutputSpec spec = spec_for(*scratch / (layout.name + name), form, ElementType::float64);
      spec.chunk = layout.chunk;
      spec.gzip_level = layout.gzip;
      write_all<double>(who, spec, owned, number);
      return bytes_of(spec.file);
    };
    std::string alone;
    if (all.rank() == 0) {
      // uninitialised memory must not get into the file
      for (int i = 0; i < 100; ++i) std::vector<char>(std::size_t(1) << (8 + i % 12), char(i + 1));
      alone = bytes_with(Communicator(MPI_COMM_SELF), make_box(form.shape()), "alone.h5");
    }
    all.broadcast(alone, 0);
    ASSERT_GT(alone.size(), std::size_t(layout.gzip ? 5000 : 5 * 4 * 301 * 8));
    int count = 0;
    for (const auto& owned : ownerships(form.shape(), all.size()))
      EXPECT_TRUE(bytes_with(all, owned[std::size_t(all.rank())], std::to_string(count++)) == alone)
          << "ownership " << count - 1;
  }
}

TEST_F(Write, what_stands_beyond_the_edge_in_a_chunk_is_zero) {
  const NormalForm form({7, 10}, {1});
  OutputSpec spec = spec_for(*scratch / "edge.h5", form, ElementType::int16);
  for (const int gzip : {0, 1}) {
    spec.overwrite = true;
    spec.chunk = {4, 8};
    spec.gzip_level = gzip;
    const Box mine = Decomposition(form.shape(), {1, all.size(), 1}).owned(all.rank());
    write_all<float>(all, spec, mine, [](Index i) { return double(i + 1); });
    const Handle file(H5Fopen(spec.file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    const Handle dataset(H5Dopen2(file, spec.dataset.c_str(), H5P_DEFAULT), H5Dclose);
    const hsize_t last[] = {4, 8};  // 3 rows of 2 points
    if (gzip == 0) {
      haddr_t at = 0;
      H5Dget_chunk_info_by_coord(dataset, last, nullptr, &at, nullptr);
      const std::string bytes = bytes_of(spec.file);
      const auto* points = reinterpret_cast<const std::int16_t*>(bytes.data() + at);
      for (int i = 0; i < 32; ++i)
        EXPECT_EQ(points[i], i / 8 < 3 && i % 8 < 2 ? (4 + i / 8) * 10 + 8 + i % 8 + 1 : 0) << i;
    } else {
      // HDF5 itself decodes whole chunks when a dataset is extended
      hsize_t bytes = 0;
      H5Dget_chunk_storage_size(dataset, last, &bytes);
      std::vector<unsigned char> packed(bytes), plain(64);
      std::uint32_t mask = 1;
      ASSERT_GE(H5Dread_chunk(dataset, H5P_DEFAULT, last, &mask, packed.data()), 0);
      EXPECT_EQ(mask, 0u);
      std::size_t size = 0;
      libdeflate_decompressor* const unpacker = libdeflate_alloc_decompressor();
      EXPECT_EQ(libdeflate_zlib_decompress(unpacker, packed.data(), packed.size(), plain.data(),
                                           plain.size(), &size),
                LIBDEFLATE_SUCCESS);
      libdeflate_free_decompressor(unpacker);
      EXPECT_EQ(size, 64u);
      for (int i = 0; i < 32; ++i) {
        // the filter shuffle
        const int point = plain[std::size_t(i)] | plain[std::size_t(i + 32)] << 8;
        EXPECT_EQ(point, i / 8 < 3 && i % 8 < 2 ? (4 + i / 8) * 10 + 8 + i % 8 + 1 : 0) << i;
      }
    }
    all.barrier();
  }
}

TEST_F(Write, a_replaced_file_keeps_who_may_read_it) {
  const NormalForm form({8, 8}, {0});
  OutputSpec spec = spec_for(*scratch / "kept.h5", form, ElementType::float32);
  const Box mine = Decomposition(form.shape(), {1, all.size(), 1}).owned(all.rank());
  for (const mode_t mode : {0640, 0600, 0664, 0444}) {
    if (all.rank() == 0) {
      write_bytes(spec.file, "old");
      ::chmod(spec.file.c_str(), mode);
    }
    all.barrier();
    spec.overwrite = true;
    write_all<float>(all, spec, mine, number);
    struct stat state {};
    ::stat(spec.file.c_str(), &state);
    EXPECT_EQ(state.st_mode & 0777, mode);
    all.barrier();
  }
}

TEST_F(Write, a_folder_that_is_moved_meanwhile_takes_its_output_along) {
  const NormalForm form({64, 64}, {0});
  const Box mine = Decomposition(form.shape(), {1, all.size(), 1}).owned(all.rank());
  const OwnedBox<float> owned(form, mine, number);
  for (const bool is_finished : {true, false}) {
    if (all.rank() == 0) std::filesystem::create_directory(*scratch / "folder");
    all.barrier();
    OutputSpec spec = spec_for(*scratch / "folder/moved.h5", form, ElementType::float32);
    spec.chunk = {16, 16};
    spec.gzip_level = 1;
    {
      OutputFile output(all, spec);
      all.barrier();
      if (all.rank() == 0) std::filesystem::rename(*scratch / "folder", *scratch / "elsewhere");
      all.barrier();
      output.write<float>(mine, owned.view);
      if (is_finished) output.commit();
    }
    all.barrier();
    const Scratch elsewhere(*scratch / "elsewhere");
    EXPECT_EQ(elsewhere.names(),
              is_finished ? std::vector<std::string>{"moved.h5"} : std::vector<std::string>{});
    if (is_finished) expect_values(*scratch / "elsewhere/moved.h5", number);
    all.barrier();
    if (all.rank() == 0) std::filesystem::remove_all(*scratch / "elsewhere");
    all.barrier();
  }
}

TEST_F(Write, a_planted_link_is_neither_written_through_nor_removed) {
  const NormalForm form({8, 8}, {0});
  const OutputSpec spec = spec_for(*scratch / "out.h5", form, ElementType::float32);
  if (all.rank() == 0) {
    write_bytes(*scratch / "precious", "precious");
    std::filesystem::create_symlink("precious", *scratch / "out.h5.part");
  }
  all.barrier();
  EXPECT_EQ(thrown_by([&] { OutputFile output(all, spec); }).status, Status::storage);
  EXPECT_EQ(bytes_of(*scratch / "precious"), "precious");
  EXPECT_EQ(scratch->names(), (std::vector<std::string>{"out.h5.part", "precious"}));
}

/// More chunks than a PackedStore keeps in memory: the rest is written to a temporary file.
TEST_F(Write, packed_chunks_beyond_memory) {
  const NormalForm form({Index{28} << 10, 1 << 10}, {0});  // 112 MiB that are nearly incompressible
  const auto noise = [](Index i) {
    std::uint64_t bits = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return static_cast<double>(bits >> 40);
  };
  OutputSpec spec = spec_for(*scratch / "store.h5", form, ElementType::float32);
  spec.chunk = {Index{1} << 10, 1 << 10};
  spec.gzip_level = 1;
  write_all<float>(all, spec, all.rank() == all.size() - 1 ? make_box(form.shape()) : Box{}, noise);
  if (all.rank() == 0) {
    EXPECT_GT(std::filesystem::file_size(spec.file), std::uintmax_t{70} << 20);
    const std::vector<double> values = values_of(spec.file, spec.dataset);
    Index wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      wrong += values[i] != static_cast<double>(static_cast<float>(noise(Index(i))));
    EXPECT_EQ(wrong, 0);
  }
  all.barrier();
  EXPECT_EQ(scratch->names(), std::vector<std::string>{"store.h5"});
}

/// Returns the number of bytes that this process has read from a disk.
Index bytes_from_disk() {
  std::ifstream file("/proc/self/io");
  for (std::string key; file >> key;)
    if (Index bytes = 0; key == "read_bytes:" && file >> bytes) return bytes;
  return 0;
}

/// Returns whether a file that was dropped from the page cache is read from a disk, and Linux
/// counts the bytes.
bool forgets_files(const std::string& name) {
  const std::string bytes(1 << 20, 'x');
  std::ofstream(name) << bytes;
  const int file = ::open(name.c_str(), O_RDONLY);
  ::fsync(file);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
  const Index before = bytes_from_disk();
  std::ifstream again(name);
  const std::string found{std::istreambuf_iterator<char>(again), {}};
  std::filesystem::remove(name);
  return found == bytes && bytes_from_disk() >= before + std::ssize(bytes);
}

TEST_F(Write, what_is_read_back_comes_from_the_disk) {
  const Index forgets = all.rank() == 0 && forgets_files(*scratch / "probe") ? 1 : 0;
  if (all.maximum(forgets) == 0) GTEST_SKIP() << "SKIPPED: files here are not read from a disk";
  const NormalForm form({2048, 1024}, {0});
  const Box mine = Decomposition(form.shape(), {1, all.size(), 1}).owned(all.rank());
  for (const bool is_packed : {false, true})
    for (const bool verifies : {true, false}) {
      OutputSpec spec = spec_for(*scratch / "cold.h5", form, ElementType::float64);
      spec.overwrite = true;
      spec.verify = verifies;
      if (is_packed) spec.chunk = {64, 256};
      if (is_packed) spec.gzip_level = 1;
      const Index before = bytes_from_disk();
      write_all<double>(all, spec, mine, [](Index i) { return std::sin(double(i)); });
      const Index read = all.sum(bytes_from_disk() - before);
      const Index bytes = static_cast<Index>(std::filesystem::file_size(spec.file));
      if (verifies)
        EXPECT_GE(read, bytes * 9 / 10) << is_packed;
      else
        EXPECT_LE(read, bytes / 10) << is_packed;
      all.barrier();
    }
}

TEST_F(Write, slab_after_slab_and_ranks_that_run_out) {
  const NormalForm form({50, 60}, {0, 1});
  const OutputSpec spec = spec_for(*scratch / "slabs.h5", form, ElementType::float32);
  OutputFile output(all, spec);
  for (Index row = 0; row < 50; row += 20) {
    Box slab = make_box(form.shape());
    slab.set(y_axis, {row, std::min<Index>(row + 20, 50)});
    Box mine = slab;  // only the first ranks have points in the last, thinner slab
    const Index share = 20 / all.size() + 1, first = row + all.rank() * share;
    mine.set(y_axis, intersect(slab.along(y_axis), {first, first + share}));
    if (mine.empty()) mine = {};
    const OwnedBox<float> owned(form, mine, number);
    output.write<float>(mine, owned.view);
  }
  output.commit();
  expect_values(spec.file, number);
}

TEST_F(Write, more_than_one_transfer_per_rank) {
  const NormalForm form({Index{9} << 8, 1 << 12}, {0});  // 72 MiB of float64
  const auto value = [](Index i) { return double((i + i / 4096) % 251); };
  for (const int gzip : {0, 1}) {
    OutputSpec spec = spec_for(*scratch / "big.h5", form, ElementType::float64);
    spec.overwrite = true;
    spec.chunk = gzip ? std::vector<Index>{300, 1000} : std::vector<Index>{};
    spec.gzip_level = gzip;
    // all points are written by one rank, which has more pieces than the others
    write_all<float>(all, spec, all.rank() == all.size() - 1 ? make_box(form.shape()) : Box{},
                     value);
    if (all.rank() == 0) {
      const std::vector<double> values = values_of(spec.file, spec.dataset);
      Index wrong = 0;
      for (std::size_t i = 0; i < values.size(); ++i) wrong += values[i] != value(Index(i));
      EXPECT_EQ(wrong, 0);
    }
    all.barrier();
  }
}

/// Every block is divided between the ranks, and their parts are sent in more than one round.
TEST_F(Write, columns_of_more_than_one_round) {
  const NormalForm form({Index{9} << 8, 1 << 12}, {0});  // 72 MiB of float64
  const auto value = [](Index i) { return double((i + i / 4096) % 251); };
  const Box mine = Decomposition(form.shape(), {1, 1, all.size()}).owned(all.rank());
  OutputSpec spec = spec_for(*scratch / "columns.h5", form, ElementType::float64);
  write_all<float>(all, spec, mine, value);
  if (all.rank() == 0) {
    const std::vector<double> values = values_of(spec.file, spec.dataset);
    Index wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) wrong += values[i] != value(Index(i));
    EXPECT_EQ(wrong, 0);
  }
  all.barrier();
}

TEST_F(Write, points_that_nobody_wrote_are_no_output) {
  const NormalForm form({64, 64}, {0});
  for (const int gzip : {0, 1}) {
    OutputSpec spec = spec_for(*scratch / "part.h5", form, ElementType::float32);
    if (gzip) spec.chunk = {16, 16}, spec.gzip_level = 1;
    const Thrown thrown = thrown_by([&] {
      const Box mine = all.rank() == 0 ? Box{{0, 0, 0}, {1, 63, 64}} : Box{};
      write_all<float>(all, spec, mine, number);
    });
    EXPECT_EQ(thrown.status, Status::words) << thrown.message;
    EXPECT_NE(thrown.message.find("never written"), std::string::npos) << thrown.message;
    all.barrier();
    EXPECT_TRUE(scratch->names().empty());
    all.barrier();
  }
}

TEST_F(Write, very_many_compressed_chunks) {
  const NormalForm form({1024, 1100}, {0});
  OutputSpec spec = spec_for(*scratch / "many.h5", form, ElementType::int16);
  spec.chunk = {4, 4};  // 70,400 chunks
  spec.gzip_level = 1;
  write_all<float>(all, spec, Decomposition(form.shape(), {1, all.size(), 1}).owned(all.rank()),
                   number);
  expect_values(spec.file, number);
}

TEST_F(Write, counts_what_does_not_fit) {
  const NormalForm form({100}, {0});
  OutputSpec spec = spec_for(*scratch / "counts.h5", form, ElementType::uint8);
  spec.missing_value = 255;
  const auto value = [](Index i) { return i % 10 == 0 ? NAN : double(i * 3) - 5; };
  const Box mine = Decomposition(form.shape(), {1, 1, all.size()}).owned(all.rank());
  const OutputCounts counts = write_all<float>(all, spec, mine, value);
  Index saturated = 0;
  for (Index i = 0; i < 100; ++i) saturated += value(i) < 0 || value(i) > 254;
  EXPECT_GT(saturated, 10);
  EXPECT_EQ(counts.saturated, saturated);
  EXPECT_EQ(counts.missing, 10);
  expect_values(spec.file, [&](Index i) {
    const double v = value(i);
    return std::isnan(v) ? 255 : std::clamp(v, 0.0, 254.0);  // 255 means missing
  });
  const auto told = probe_dataset(spec.file, spec.dataset).missing_values;
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0], 255);
}

TEST_F(Write, missing_integers_of_64_bits_come_out_exactly) {
  const NormalForm form({100}, {0});
  OutputSpec spec = spec_for(*scratch / "exact.h5", form, ElementType::uint64);
  spec.missing_value = UINT64_MAX - 1;
  const Box mine = Decomposition(form.shape(), {1, 1, all.size()}).owned(all.rank());
  write_all<double>(all, spec, mine, [](Index i) { return i == 50 ? NAN : double(i); });
  const Handle file(H5Fopen(spec.file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Handle dataset(H5Dopen2(file, spec.dataset.c_str(), H5P_DEFAULT), H5Dclose);
  std::vector<std::uint64_t> values(100);
  H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  EXPECT_EQ(values[50], UINT64_MAX - 1);
  EXPECT_EQ(values[51], 51u);
  EXPECT_EQ(to_string(probe_dataset(spec.file, spec.dataset).missing_values.at(0)),
            "18446744073709551614");
  all.barrier();
}

TEST_F(Write, nan_in_an_integer_output_without_missing_value_is_refused_on_every_rank) {
  const NormalForm form({100}, {0});
  for (const int gzip : {0, 1}) {
    OutputSpec spec = spec_for(*scratch / "nan.h5", form, ElementType::int16);
    if (gzip) spec.chunk = {10}, spec.gzip_level = 1;
    const Box mine = Decomposition(form.shape(), {1, 1, all.size()}).owned(all.rank());
    const Thrown thrown = thrown_by([&] {
      write_all<float>(all, spec, mine, [](Index i) { return i < 3 ? NAN : double(i); });
    });
    EXPECT_EQ(thrown.status, Status::words);
    EXPECT_NE(thrown.message.find("3 points are NaN and int16 has no NaN"), std::string::npos)
        << thrown.message;
    EXPECT_EQ(thrown.message.find('\n'), std::string::npos);
    all.barrier();
    EXPECT_TRUE(scratch->names().empty());
    all.barrier();
  }
}

TEST_F(Write, lost_and_changed_points_are_noticed_and_nothing_is_left) {
  const NormalForm form({64, 1024}, {0});
  for (const Index victim : {Index{0}, Index{32768}, Index{65535}}) {
    const OutputSpec spec = spec_for(*scratch / "lost.h5", form, ElementType::float32);
    const Box mine = Decomposition(form.shape(), {1, all.size(), 1}).owned(all.rank());
    const OwnedBox<float> owned(form, mine, number);
    std::string message;
    Status status = Status::done;
    try {
      OutputFile output(all, spec);
      output.write<float>(mine, owned.view);
      all.barrier();
      if (all.rank() == 0) {
        const std::string part = spec.file + ".part", bytes = bytes_of(part);
        std::string start;  // the first points, in the order of the file
        for (Index i = 0; i < 64; ++i) {
          const float point = static_cast<float>(number(i));
          start.append(reinterpret_cast<const char*>(&point), 4);
        }
        const std::size_t data = bytes.find(start);
        EXPECT_NE(data, std::string::npos);
        const int descriptor = ::open(part.c_str(), O_WRONLY);
        const float other = -1;
        EXPECT_EQ(::pwrite(descriptor, &other, 4, static_cast<off_t>(data) + victim * 4), 4);
        ::close(descriptor);
      }
      all.barrier();
      output.commit();
    } catch (const Error& error) {
      status = error.status();
      message = error.what();
    }
    EXPECT_EQ(status, Status::storage);
    EXPECT_NE(message.find("not what was written"), std::string::npos) << message;
    all.barrier();
    EXPECT_TRUE(scratch->names().empty()) << scratch->names().front();
    all.barrier();
  }
}

TEST_F(Write, an_output_that_is_given_up_leaves_nothing) {
  const NormalForm form({64, 64}, {0});
  {
    OutputFile output(all, spec_for(*scratch / "gone.h5", form, ElementType::float32));
    EXPECT_EQ(scratch->names(), (std::vector<std::string>{"gone.h5.lock", "gone.h5.part"}));
    all.barrier();
  }
  all.barrier();
  EXPECT_TRUE(scratch->names().empty());
}

TEST_F(Write, a_box_outside_is_refused_on_every_rank) {
  const NormalForm form({64, 64}, {0});
  OutputFile output(all, spec_for(*scratch / "bad.h5", form, ElementType::float32));
  const Box outside{{0, 1, 0}, {1, 65, 64}};
  const OwnedBox<float> owned(form, all.rank() == 0 ? outside : Box{}, number);
  EXPECT_EQ(thrown_by([&] { output.write<float>(owned.box, owned.view); }).status, Status::words);
}

TEST_F(Write, names_with_colons_blanks_and_accents) {
  const NormalForm form({8, 8}, {0});
  for (const char* name : {"run:1.h5", "nfs:a b.h5", "h\xc3\xa9.h5"}) {
    const OutputSpec spec = spec_for(*scratch / name, form, ElementType::float32);
    write_all<float>(all, spec, Decomposition(form.shape(), {1, all.size(), 1}).owned(all.rank()),
                     number);
    expect_values(spec.file, number);
  }
}

/// Writes several snapshots; the points of snapshot n are number(i) + n.
OutputCounts write_snapshots(const Communicator& all, const OutputSpec& spec, const Box& owned,
                             Index count) {
  OutputFile output(all, spec);
  for (Index n = 0; n < count; ++n) {
    const OwnedBox<float> mine(spec.form, owned, [&](Index i) { return number(i) + double(n); });
    output.begin_snapshot();
    output.write<float>(mine.box, mine.view);
    output.end_snapshot(0.5 * double(n));
  }
  return output.commit();
}

TEST_F(Write, SnapshotsAreTheSameWhoeverOwnsThePoints) {
  const NormalForm form({37, 41}, {0, 1});
  const std::string file = *scratch / "snapshots.h5";
  int turn = 0;
  for (const int gzip : {0, 3})
    for (const std::vector<Index>& chunk : {std::vector<Index>{}, {10, 41}, {16, 16}}) {
      if (gzip > 0 && chunk.empty()) continue;
      for (const bool ends_early : {false, true}) {
        if (ends_early && chunk.empty()) continue;
        // with gzip, each kind of snapshots takes the other ownerships
        const std::size_t first = all.size() > 1 ? (turn++ + (gzip > 0)) % 2 : 0;
        for (const std::vector<Box>& owned : sampled(ownerships(form.shape(), all.size()), first)) {
          OutputSpec spec = spec_for(file, form, ElementType::float32);
          spec.chunk = chunk;
          spec.gzip_level = gzip;
          spec.overwrite = true;
          spec.snapshots = SnapshotAxis{.count = 4, .may_end_early = ends_early, .unit = "s"};
          const Index count = ends_early ? 2 : 4;
          const OutputCounts counts =
              write_snapshots(all, spec, owned[static_cast<std::size_t>(all.rank())], count);
          EXPECT_EQ(counts.dims, (std::vector<Index>{count, 37, 41}));
          expect_values(file,
                        [](Index i) { return number(i % (37 * 41)) + double(i / (37 * 41)); });
          EXPECT_EQ(std::ssize(values_of(file, "/group/inner/data")), count * 37 * 41);
          EXPECT_EQ(values_of(file, "/group/inner/time").back(), 0.5 * double(count - 1));
          all.barrier();
        }
      }
    }
}

TEST_F(Write, SnapshotsThatAreMissingAreNoOutput) {
  const NormalForm form({8, 9}, {0, 1});
  OutputSpec spec = spec_for(*scratch / "missing.h5", form, ElementType::float32);
  spec.snapshots = SnapshotAxis{.count = 3, .unit = {}};
  const std::vector<Box> owned = ownerships(form.shape(), all.size())[0];
  EXPECT_THROW(write_snapshots(all, spec, owned[static_cast<std::size_t>(all.rank())], 2), Error);
  all.barrier();
  EXPECT_TRUE(scratch->names().empty());
  all.barrier();
}

}  // namespace
}  // namespace stencil
