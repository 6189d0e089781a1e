#include "io/read/files_in_use.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/io/scratch.hpp"

namespace stencil::storage {
namespace {

TEST(FilesInUse, AreKnownByEveryNameWhileTheyAre) {
  const testing::Scratch scratch;
  const std::string file = scratch / "a", other = scratch / "b", link = scratch / "link";
  std::ofstream(file) << "points";
  std::ofstream(other) << "points";
  std::filesystem::create_symlink(file, link);
  EXPECT_FALSE(file_in_use(file));
  {
    const FilesInUse first({file, scratch / "none"});
    const auto second = std::make_unique<FilesInUse>(std::vector<std::string>{link});
    EXPECT_EQ(file_in_use((scratch / ".") + "/a"), file);
    EXPECT_EQ(file_in_use(link), file);
    EXPECT_FALSE(file_in_use(other));
    EXPECT_FALSE(file_in_use(scratch / "none"));
  }
  EXPECT_FALSE(file_in_use(file));
}

}  // namespace
}  // namespace stencil::storage
