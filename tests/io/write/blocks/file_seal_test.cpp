// The seal at the end of a file: every changed byte outside the points is detected.
#include "io/write/blocks/file_seal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "framework/grid/error.hpp"
#include "io/hdf5/file_access.hpp"
#include "tests/io/scratch.hpp"

namespace stencil::storage {
namespace {

using testing::Scratch;

const std::string signature{"\211HDF\r\n\032\n", 8};
constexpr Interval points{1000, 1900};

void put(const std::string& name, const std::string& bytes) {
  // truncating an existing file would make some file systems wait for the disk
  std::filesystem::remove(name);
  std::ofstream(name, std::ios::binary) << bytes;
}

std::string bytes_in(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Writes a file of 2500 bytes with a seal. Returns all bytes of the file.
std::string sealed(const std::string& name) {
  std::string bytes = signature;
  for (Index i = 0; std::ssize(bytes) < 2500; ++i) bytes += static_cast<char>(i * 37 % 251);
  put(name, bytes);
  const Descriptor file(::open(name.c_str(), O_RDONLY));
  write_seal(file.number(), name, points);
  return bytes_in(name);
}

std::string refusal_of(const std::string& name) {
  try {
    checked_seal(name);
    return "";
  } catch (const StorageError& error) {
    return error.what();
  }
}

TEST(FileSeal, SaysWhereThePointsAre) {
  const Scratch scratch;
  sealed(scratch / "a");
  EXPECT_EQ(checked_seal(scratch / "a").points, points);
}

TEST(FileSeal, EveryByteOutsideThePointsCounts) {
  const Scratch scratch;
  const std::string name = scratch / "a", bytes = sealed(name);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ (1 << at % 8));
    put(name, other);
    EXPECT_EQ(refusal_of(name).empty(), points.contains(static_cast<Index>(at))) << at;
  }
}

TEST(FileSeal, AShorterOrLongerFileIsRefused) {
  const Scratch scratch;
  const std::string name = scratch / "a", bytes = sealed(name);
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    put(name, bytes.substr(0, size));
    EXPECT_NE(refusal_of(name), "") << size;
  }
  put(name, bytes + '\0');
  EXPECT_NE(refusal_of(name), "");
}

TEST(FileSeal, AnotherFileHasNone) {
  const Scratch scratch;
  put(scratch / "diary", "my diary " + std::string(100, '.'));
  EXPECT_NE(refusal_of(scratch / "diary").find("is not a checkpoint of this program"),
            std::string::npos);
  put(scratch / "empty", "");
  EXPECT_NE(refusal_of(scratch / "empty").find("is empty, as a crash"), std::string::npos);
  put(scratch / "h5", signature + std::string(5000, 'x'));
  EXPECT_NE(refusal_of(scratch / "h5").find("is not a checkpoint of this program"),
            std::string::npos);
  ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
  EXPECT_NE(refusal_of(scratch / "pipe").find("is not a regular file"), std::string::npos);
}

}  // namespace
}  // namespace stencil::storage
