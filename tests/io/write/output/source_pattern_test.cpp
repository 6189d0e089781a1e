// Names of the sources of virtual datasets that contain the number of a block.
#include "io/write/output/source_pattern.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;
using storage::SourcePattern;

TEST(APatternOfSources, is_read_as_hdf5_reads_it) {
  EXPECT_FALSE(SourcePattern("a.h5").has_number());
  EXPECT_EQ(SourcePattern("a.h5").name(3), "a.h5");
  EXPECT_FALSE(SourcePattern("50%%.h5").has_number());
  EXPECT_EQ(SourcePattern("50%%.h5").name(3), "50%.h5");
  EXPECT_EQ(SourcePattern("50%.h5").name(3), "50%.h5");
  EXPECT_EQ(SourcePattern("%d%").name(3), "%d%");
  EXPECT_TRUE(SourcePattern("a%b.h5").has_number());
  EXPECT_EQ(SourcePattern("a%b.h5").name(12), "a12.h5");
  EXPECT_EQ(SourcePattern("%b/%%b%b").name(7), "7/%b7");
}

TEST(APatternOfSources, stands_for_the_files_that_exist) {
  const Scratch scratch;
  for (const char* name :
       {"a0.h5", "a1.h5", "a11.h5", "a01.h5", "a.h5", "ax.h5", "a1.h5.old", "b1.h5"})
    write_bytes(scratch / name, "");
  std::filesystem::create_directories(scratch / "run3");
  write_bytes(scratch / "run3/part3", "");
  write_bytes(scratch / "run3/part4", "");
  const auto files = SourcePattern("a%b.h5").existing(scratch.folder());
  EXPECT_EQ(files, (std::map<Index, std::string>{
                       {0, scratch / "a0.h5"}, {1, scratch / "a1.h5"}, {11, scratch / "a11.h5"}}));
  EXPECT_EQ(SourcePattern("run%b/part%b").existing(scratch.folder()),
            (std::map<Index, std::string>{{3, scratch / "run3/part3"}}));
  EXPECT_EQ(SourcePattern((scratch / "a%b.h5")).existing("/nowhere").size(), 3U);
  EXPECT_TRUE(SourcePattern("nowhere/a%b.h5").existing(scratch.folder()).empty());
}

}  // namespace
}  // namespace stencil
