#include "kernels/generated/kernel_cache.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace stencil::generated {
namespace {

namespace fs = std::filesystem;

class Cache : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "stencil_cache_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    if (fs::exists(folder / "kernels"))
      for (const auto& entry : fs::directory_iterator(folder / "kernels"))
        found.push_back(entry.path());
    return found;
  }

  fs::path folder;
  /// Binary data: includes zero bytes, line ends, and bytes beyond ASCII.
  const std::string code = [] {
    std::string bytes(1000, 'c');
    bytes[0] = bytes[500] = '\0';
    bytes[1] = bytes[2] = '\n';
    bytes[3] = '\xff';
    return bytes;
  }();
};

TEST_F(Cache, ReturnsWhatWasStored) {
  const KernelCache cache(folder / "kernels");
  EXPECT_FALSE(cache.load("a key"));
  cache.store("a key", code);
  EXPECT_EQ(cache.load("a key"), code);
  EXPECT_FALSE(cache.load("another key"));
  cache.store("a key", "other code");
  EXPECT_EQ(cache.load("a key"), "other code");
  EXPECT_EQ(files().size(), 1U) << "no temporary file is left";
}

TEST_F(Cache, DoesNotUseDamagedFiles) {
  const KernelCache cache(folder / "kernels");
  cache.store("a key", code);
  const fs::path path = files().at(0);
  const auto bytes = fs::file_size(path);
  for (std::uintmax_t at = 0; at < bytes; at += at < 200 ? 1 : 97) {
    cache.store("a key", code);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(std::streamoff(at));
    const char old = char(file.get());
    file.seekp(std::streamoff(at));
    file.put(char(old ^ 1));
    file.close();
    EXPECT_FALSE(cache.load("a key")) << "byte " << at;
  }
  for (const std::uintmax_t length : {std::uintmax_t{0}, std::uintmax_t{5}, bytes - 1}) {
    cache.store("a key", code);
    fs::resize_file(path, length);
    EXPECT_FALSE(cache.load("a key")) << "cut to " << length << " bytes";
  }
  cache.store("a key", code);
  EXPECT_EQ(cache.load("a key"), code) << "a damaged file is replaced";
}

TEST_F(Cache, DoesNotUseTheFileOfAnotherKey) {
  const KernelCache cache(folder / "kernels");
  cache.store("a key", code);
  const fs::path first = files().at(0);
  cache.store("b key", "other code");
  for (const fs::path& path : files())
    if (path != first) fs::copy_file(path, first, fs::copy_options::overwrite_existing);
  EXPECT_FALSE(cache.load("a key"));
}

TEST_F(Cache, IsBoundedAndDropsWhatWasUsedLongestAgo) {
  const KernelCache cache(folder / "kernels", 5 * code.size());
  std::vector<fs::path> known;
  for (int k = 0; k < 4; ++k) {
    cache.store(std::to_string(k), code);
    for (const fs::path& path : files()) {
      if (std::find(known.begin(), known.end(), path) != known.end()) continue;
      known.push_back(path);
      fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(10 - k));
    }
  }
  ASSERT_EQ(known.size(), 4U);
  EXPECT_TRUE(cache.load("0"));  // kernel 0 is now the most recently used kernel
  cache.store("4", code);
  EXPECT_TRUE(cache.load("0"));
  EXPECT_FALSE(cache.load("1"));
  EXPECT_TRUE(cache.load("2"));
  EXPECT_TRUE(cache.load("4"));
  std::uintmax_t bytes = 0;
  for (const fs::path& path : files()) bytes += fs::file_size(path);
  EXPECT_LE(bytes, 5 * code.size());
}

TEST_F(Cache, RemovesTemporaryFilesOfProcessesThatEnded) {
  const KernelCache cache(folder / "kernels");
  cache.store("a key", code);
  const fs::path old = folder / "kernels" / "x.1.2.part", fresh = folder / "kernels" / "y.1.2.part";
  std::ofstream(old) << "half";
  std::ofstream(fresh) << "half";
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  std::ofstream(folder / "kernels" / "notes.txt") << "of the user";
  cache.store("b key", code);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh)) << "another process may be writing it";
  EXPECT_TRUE(fs::exists(folder / "kernels" / "notes.txt"));
}

TEST_F(Cache, GoesOnWithoutStorage) {
  const KernelCache nothing("");
  nothing.store("a key", code);
  EXPECT_FALSE(nothing.load("a key"));
  std::ofstream(folder / "kernels") << "a file where the folder should be";
  const KernelCache blocked(folder / "kernels");
  blocked.store("a key", code);
  EXPECT_FALSE(blocked.load("a key"));
  const KernelCache nowhere("/proc/no/such/folder");
  nowhere.store("a key", code);
  EXPECT_FALSE(nowhere.load("a key"));
}

TEST_F(Cache, ReadsFromAFolderThatCannotBeWrittenTo) {
  const KernelCache cache(folder / "kernels");
  cache.store("a key", code);
  fs::permissions(folder / "kernels", fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(cache.load("a key"), code);
  if (geteuid() != 0) {  // root may write everywhere
    cache.store("b key", code);
    EXPECT_FALSE(cache.load("b key"));
    EXPECT_EQ(files().size(), 1U);
  }
  fs::permissions(folder / "kernels", fs::perms::owner_all);
}

TEST_F(Cache, FollowsTheEnvironment) {
  const char* const names[] = {"XDG_CACHE_HOME", "HOME"};
  std::vector<std::string> before;
  for (const char* name : names)
    before.emplace_back(std::getenv(name) == nullptr ? "" : std::getenv(name));
  setenv("XDG_CACHE_HOME", (folder / "xdg").c_str(), 1);
  setenv("HOME", (folder / "home").c_str(), 1);
  KernelCache::of_user().store("a key", code);
  EXPECT_TRUE(fs::exists(folder / "xdg" / "stencil"));
  EXPECT_FALSE(fs::exists(folder / "home"));
  setenv("XDG_CACHE_HOME", "relative/path", 1);
  KernelCache::of_user().store("a key", code);
  EXPECT_TRUE(fs::exists(folder / "home" / ".cache" / "stencil"));
  EXPECT_FALSE(fs::exists("relative"));
  unsetenv("XDG_CACHE_HOME"), unsetenv("HOME");
  KernelCache::of_user().store("a key", code);
  EXPECT_FALSE(KernelCache::of_user().load("a key"));
  for (int k = 0; k < 2; ++k)
    if (!before[std::size_t(k)].empty()) setenv(names[k], before[std::size_t(k)].c_str(), 1);
}

TEST_F(Cache, ServesSeveralWritersAtOnce) {
  const KernelCache cache(folder / "kernels");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        cache.store("a key", code);
        const auto found = cache.load("a key");
        EXPECT_TRUE(found == code);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(Cache, FollowsNoLinkForATurn) {
  const KernelCache cache(folder / "kernels");
  fs::path file;
  {
    const KernelCache::Turn turn = cache.await_turn("a key");
    ASSERT_EQ(files().size(), 1U);
    file = files()[0];
  }
  fs::create_symlink(folder / "elsewhere", file);
  EXPECT_FALSE(cache.await_turn("a key").is_held());
  EXPECT_FALSE(fs::exists(folder / "elsewhere"));
  EXPECT_TRUE(fs::is_symlink(file)) << "it is not removed";
}

TEST_F(Cache, GivesOneTurnAtATime) {
  using std::chrono::milliseconds;
  const KernelCache cache(folder / "kernels");
  const auto is_free = [&](const std::string& key) {
    return cache.await_turn(key, milliseconds(30)).is_held();
  };
  {
    const KernelCache::Turn turn = cache.await_turn("a key");
    EXPECT_TRUE(turn.is_held());
    EXPECT_FALSE(is_free("a key"));
    EXPECT_TRUE(is_free("another key"));
  }
  EXPECT_TRUE(is_free("a key"));
  EXPECT_TRUE(files().empty()) << "no file of a turn is left";
  EXPECT_FALSE(KernelCache("/proc/no/such").await_turn("a key").is_held());
}

}  // namespace
}  // namespace stencil::generated
