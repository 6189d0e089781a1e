// A rank that finds another file under the name of the input is detected before the file is read.
#include "io/read/same_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "framework/grid/error.hpp"
#include "tests/io/shared_scratch.hpp"

namespace stencil::storage {
namespace {

namespace fs = std::filesystem;

struct Case {
  Communicator world{MPI_COMM_WORLD};
  std::unique_ptr<testing::Scratch> scratch = testing::shared_scratch(world);
  /// Whether this is the last rank, whose copy differs from the copies of the other ranks.
  const bool is_stale = world.rank() == world.size() - 1 && world.size() > 1;
  const std::string file = *scratch / (is_stale ? "stale.h5" : "x.h5");

  /// Writes two files of the same size and time that differ in one byte.
  void make(Index bytes, Index differs_at) const {
    if (world.rank() == 0) {
      std::string content(static_cast<std::size_t>(bytes), 'a');
      std::ofstream(*scratch / "x.h5") << content;
      if (differs_at >= 0) content[static_cast<std::size_t>(differs_at)] ^= 1;
      std::ofstream(*scratch / "stale.h5") << content;
      fs::last_write_time(*scratch / "stale.h5", fs::last_write_time(*scratch / "x.h5"));
    }
    world.barrier();
  }
  std::string refusal(const std::vector<std::string>& files) const {
    std::string words;
    try {
      require_same_files(world, files);
    } catch (const Error& error) {  // all ranks throw the same error
      EXPECT_EQ(error.status(), Status::storage);
      words = error.what();
    }
    world.barrier();
    return words;
  }
  /// Returns whether a message has one line and names the rank whose copy differs.
  bool names_the_rank(const std::string& words) const {
    return words.find(" on " + name_of_rank(world.size() - 1)) != words.npos &&
           words.find("all nodes share") != words.npos && words.find('\n') == words.npos;
  }
  ~Case() { world.barrier(); }
};

TEST(SameFiles, EqualCopiesAreTheSame) {
  const Case one;
  for (const Index bytes : {0, 1, 4095, 4096, 4097, 70'000, 5'000'000}) {
    one.make(bytes, -1);
    EXPECT_EQ(one.refusal({one.file}), "") << bytes;
  }
  EXPECT_EQ(one.refusal({}), "");
}

TEST(SameFiles, AStaleCopyOnOneRankIsNamedOnAll) {
  const Case one;
  if (one.world.size() == 1) return;
  const Index bytes = 5'000'000;
  for (const Index at : {Index{0}, Index{4000}, bytes / 3 + 100, bytes - 1}) {
    one.make(bytes, at);
    EXPECT_TRUE(one.names_the_rank(one.refusal({one.file}))) << at;
  }
  one.make(50'000, 27'000);  // short files are compared as a whole
  EXPECT_TRUE(one.names_the_rank(one.refusal({one.file})));
}

TEST(SameFiles, OneOfManyIsFound) {
  const Case one;
  if (one.world.size() == 1) return;
  one.make(100'000, 99'999);
  std::vector<std::string> files(2000, *one.scratch / "x.h5");
  EXPECT_EQ(one.refusal(files), "");
  files[1234] = one.file;
  EXPECT_TRUE(one.names_the_rank(one.refusal(files)));
}

TEST(SameFiles, AFileThatOneRankCannotReadIsNamed) {
  const Case one;
  if (one.world.size() == 1) return;
  one.make(10'000, -1);
  const std::string words = one.refusal({one.is_stale ? *one.scratch / "gone.h5" : one.file});
  EXPECT_TRUE(one.names_the_rank(words)) << words;
  EXPECT_NE(words.find("No such file"), std::string::npos) << words;
}

TEST(SameFiles, AnotherLengthIsAnotherFile) {
  const Case one;
  if (one.world.size() == 1) return;
  one.make(10'000, -1);
  if (one.world.rank() == 0) std::ofstream(*one.scratch / "stale.h5", std::ios::app) << "more";
  one.world.barrier();
  EXPECT_TRUE(one.names_the_rank(one.refusal({one.file})));
}

}  // namespace
}  // namespace stencil::storage
