#include "io/write/blocks/block_stream.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "io/hdf5/element_type.hpp"
#include "io/write/output/output_file.hpp"
#include "tests/io/shared_scratch.hpp"

namespace stencil {
namespace {

using namespace testing;
using storage::BlockGrid;
using storage::BlockStream;
using storage::Piece;

float number(Index i) {
  return static_cast<float>((i * 31) % 1009);
}

/// A file with a contiguous float32 dataset at a given offset, and a stream that writes it.
class StreamedFile {
 public:
  StreamedFile(const std::string& name, const std::vector<Index>& dims, Index first_byte,
               bool uncached, bool verifies = true)
      : grid_(dims, {}, sizeof(float)),
        bytes_(first_byte + storage::points_of(dims) * Index{sizeof(float)}),
        name_(name),
        file_(::open(name.c_str(), O_CREAT | O_RDWR | O_TRUNC, 0600)),
        packed_(AT_FDCWD, name),
        uncached_(file_.number(), uncached),
        stream_({grid_, 0, file_.number(), first_byte, name_, packed_, partial_, nullptr, uncached_,
                 verifies}) {
    if (::ftruncate(file_.number(), bytes_) != 0) throw std::runtime_error("no scratch file");
  }

  void write(const Piece& slab) {
    stream_.write({slab},
                  [&](std::size_t, const Piece& points, const Piece& layout, std::byte* to) {
                    EXPECT_EQ(points.count.back(), layout.count.back());  // whole rows
                    const Index row = points.count.back(), first = points.start.front() * row,
                                inside = (points.start.front() - layout.start.front()) * row;
                    for (Index i = 0; i < points.points(); ++i) {
                      const float value = number(first + i);
                      std::memcpy(to + (inside + i) * Index{sizeof value}, &value, sizeof value);
                    }
                    return storage::WriteCounts{.missing = 1};
                  });
  }
  BlockStream& stream() { return stream_; }
  storage::UncachedFile& uncached() { return uncached_; }
  /// Returns the number of points in [first, last) whose value in the file differs from the value
  /// that was written.
  Index wrong(Index first_byte, Index first, Index last) const {
    const std::string bytes = bytes_of(name_);
    Index wrong = 0;
    for (Index i = first; i < last; ++i) {
      float value = 0;
      std::memcpy(&value, bytes.data() + first_byte + i * Index{sizeof value}, sizeof value);
      wrong += value != number(i);
    }
    return wrong;
  }
  void overwrite(Index at, char byte) const {
    if (::pwrite(file_.number(), &byte, 1, at) != 1) throw std::runtime_error("no scratch file");
  }

 private:
  BlockGrid grid_;
  Index bytes_;
  std::string name_;
  storage::Descriptor file_;
  storage::PackedStore packed_;
  storage::PartialBlocks partial_;
  storage::UncachedFile uncached_;
  BlockStream stream_;
};

bool has_uncached_files(const std::string& folder) {
  const storage::Descriptor file(
      ::open((folder + "/try").c_str(), O_CREAT | O_RDWR | O_DIRECT, 0600));
  ::unlink((folder + "/try").c_str());
  return static_cast<bool>(file);
}

/// Runs that begin inside a page and at a page, and runs shorter than a page.
TEST(BlockStream, writes_and_verifies_runs_of_any_border) {
  const Scratch scratch;
  for (const bool uncached : {true, false})
    for (const Index first_byte : {0, 4096, 1234}) {
      StreamedFile file(scratch / "file", {300, 1001}, first_byte, uncached);  // 261 rows per block
      const bool is_uncached = uncached && has_uncached_files(scratch.folder());
      EXPECT_EQ(file.uncached().can_write(), is_uncached);
      for (const Piece& slab : {Piece{{0, 0}, {261, 1001}}, Piece{{261, 0}, {39, 1001}}}) {
        file.write(slab);
        file.stream().verify();
      }
      EXPECT_EQ(file.wrong(first_byte, 0, 300 * 1001), 0) << uncached << " " << first_byte;
      EXPECT_EQ(std::ssize(file.stream().records().verified), is_uncached ? 2 : 0);
      EXPECT_EQ(std::ssize(file.stream().records().unverified), is_uncached ? 0 : 2);
      EXPECT_EQ(file.stream().records().counts.missing, 2);
    }
}

TEST(BlockStream, runs_within_a_page) {
  const Scratch scratch;
  StreamedFile file(scratch / "file", {1, 20}, 100, true);
  file.write({{0, 0}, {1, 20}});
  file.stream().verify();
  EXPECT_EQ(file.wrong(100, 0, 20), 0);
}

TEST(BlockStream, reads_nothing_back_where_it_need_not) {
  const Scratch scratch;
  StreamedFile file(scratch / "file", {300, 1001}, 4096, true, false);
  file.write({{0, 0}, {300, 1001}});
  file.overwrite(5000, 'x');
  file.stream().verify();
  EXPECT_TRUE(file.stream().records().verified.empty());
}

/// Bytes change on the disk before they are read back: at the beginning, in the middle and at the
/// end of a run, in whole pages and in pages that are shared with other runs.
TEST(BlockStream, notices_every_byte_that_is_not_what_was_written) {
  const Scratch scratch;
  if (!has_uncached_files(scratch.folder())) GTEST_SKIP() << "no O_DIRECT in " << scratch.folder();
  for (const Index first_byte : {4096, 1234})
    for (const Index at : {Index{0}, Index{7000}, Index{261 * 1001 * 4 - 1}}) {
      StreamedFile file(scratch / "file", {300, 1001}, first_byte, true);
      file.write({{0, 0}, {261, 1001}});
      file.overwrite(first_byte + at, '\x77');
      const Thrown thrown = thrown_by([&] { file.stream().verify(); });
      EXPECT_EQ(thrown.status, Status::storage) << first_byte << " " << at;
      EXPECT_NE(thrown.message.find("at 0,0 (261x1001 points) is not what was written"),
                std::string::npos)
          << thrown.message;
    }
}

TEST(BlockStream, leaves_to_the_commit_what_was_refused_past_the_cache) {
  const Scratch scratch;
  StreamedFile file(scratch / "file", {300, 1001}, 4096, true);
  file.write({{0, 0}, {261, 1001}});
  file.uncached().refuse();
  file.stream().verify();
  file.write({{261, 0}, {39, 1001}});
  file.stream().verify();
  EXPECT_TRUE(file.stream().records().verified.empty());
  EXPECT_EQ(std::ssize(file.stream().records().unverified), 2);
  EXPECT_EQ(file.wrong(4096, 0, 300 * 1001), 0);
}

TEST(BlockStream, windows_complete_a_block_together) {
  const Scratch scratch;
  StreamedFile file(scratch / "file", {300, 1001}, 1234, true);
  file.write({{0, 0}, {260, 1001}});
  file.stream().verify();
  EXPECT_EQ(file.stream().records().unverified.size() + file.stream().records().verified.size(),
            0u);
  file.write({{270, 0}, {30, 1001}});
  file.write({{260, 0}, {10, 1001}});
  file.stream().verify();
  EXPECT_EQ(file.stream().records().unverified.size() + file.stream().records().verified.size(),
            2u);
  EXPECT_EQ(file.wrong(1234, 0, 300 * 1001), 0);
}

class Streams : public ::testing::Test {
 protected:
  Communicator all{MPI_COMM_WORLD};
  std::unique_ptr<Scratch> scratch = shared_scratch(all);
  void TearDown() override { all.barrier(); }

  OutputSpec spec(const std::string& name, const std::vector<Index>& dims,
                  const std::vector<Index>& chunk, int gzip_level) const {
    OutputSpec spec;
    spec.file = *scratch / name;
    spec.dataset = "/data";
    spec.form = NormalForm(dims, {});
    spec.type = ElementType::float32;
    spec.chunk = chunk;
    spec.gzip_level = gzip_level;
    return spec;
  }
  /// Returns the values of the points of a box. A value depends on the position of its point in the
  /// normal form.
  static std::vector<float> values_in(const NormalForm& form, const Box& box) {
    const Point& shape = form.shape();
    std::vector<float> values;
    for (Index b = box.first[0]; b < box.last[0]; ++b)
      for (Index y = box.first[1]; y < box.last[1]; ++y)
        for (Index x = box.first[2]; x < box.last[2]; ++x)
          values.push_back(number((b * shape[1] + y) * shape[2] + x));
    return values;
  }
};

/// Four threads on each rank write windows of whole blocks in any order: the bytes of the file are
/// those of one write() on one rank.
TEST_F(Streams, threads_and_ranks_write_the_bytes_of_one_call) {
  struct Case {
    std::vector<Index> dims, chunk;
    int gzip_level;
  };
  int number_of_case = 0;
  for (const Case& c : {Case{{3000, 401}, {}, 0}, Case{{3000, 401}, {100, 80}, 0},
                        Case{{3000, 401}, {100, 80}, 4}, Case{{700'001}, {}, 0},
                        Case{{5, 90, 64, 33}, {}, 0}, Case{{6, 9, 64, 33}, {1, 4, 64, 20}, 1}}) {
    const OutputSpec wanted = spec("one" + std::to_string(number_of_case), c.dims, c.chunk,
                                   c.gzip_level),
                     streamed = spec("streams" + std::to_string(number_of_case), c.dims, c.chunk,
                                     c.gzip_level);
    ++number_of_case;
    const NormalForm& form = wanted.form;
    {
      OutputFile output(all, wanted);
      const Box box = all.rank() == 0 ? make_box(form.shape()) : Box{};
      const std::vector<float> values = values_in(form, box);
      output.write<float>(box, view_of(values.data(), box.extent()));
      output.commit();
    }
    int axis = batch_axis;
    while (form.shape()[axis] == 1) ++axis;
    const Index unit = whole_blocks(streamed, axis), count = form.shape()[axis],
                windows = (count - 1) / unit + 1;
    OutputFile output(all, streamed);
    std::atomic<Index> next{0};
    std::vector<OutputFile::Stream> streams;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) streams.push_back(output.stream());
    for (OutputFile::Stream& stream : streams)
      threads.emplace_back([&] {
        for (;;) {
          const Index window = next++ * all.size() + all.rank();
          if (window >= windows) return;
          Box box = make_box(form.shape());
          box.set(axis, {window * unit, std::min(count, (window + 1) * unit)});
          const std::vector<float> values = values_in(form, box);
          stream.write<float>(box, view_of(values.data(), box.extent()));
          stream.verify();
        }
      });
    for (std::thread& thread : threads) thread.join();
    for (OutputFile::Stream& stream : streams) output.take(stream);
    output.commit();
    all.barrier();
    EXPECT_EQ(bytes_of(wanted.file), bytes_of(streamed.file)) << number_of_case;
    all.barrier();
  }
}

}  // namespace
}  // namespace stencil
