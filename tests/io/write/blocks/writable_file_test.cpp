// Every call of HDF5 on an unfinished file fails once, and every failure is detected.
#include "io/write/blocks/writable_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <vector>

#include "framework/grid/error.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;
using storage::FileStructure;
using storage::Handle;
using storage::WritableFile;

constexpr hsize_t length = 300;

/// Adds a small dataset, which HDF5 writes when the dataset is closed: in a destructor, which
/// cannot throw.
void add_dataset(hid_t file, const char* name, bool is_chunked) {
  const Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t chunk = 7;
  if (is_chunked) H5Pset_chunk(creation, 1, &chunk);
  const Handle dataset = storage::owned(
      H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
      H5Dclose, "cannot make a dataset");
  std::vector<double> values(length);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) + 0.5;
  const hsize_t first = 3, count = 290;  // a part of the dataset, which HDF5 buffers for longer
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr);
  storage::checked(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, space, space, H5P_DEFAULT, values.data()),
                   name);
  storage::write_attribute(dataset, "units", "m");
}

class Writing : public ::testing::Test {
 protected:
  Scratch scratch_;
  std::string name_ = scratch_ / "file.h5";
  storage::Descriptor file_{::open(name_.c_str(), O_CREAT | O_RDWR, 0600)};
  std::shared_ptr<FileStructure> structure_ = std::make_shared<FileStructure>();

  WritableFile create() {
    return WritableFile::create(file_.number(), name_, *structure_, H5P_DEFAULT,
                                storage::output_access(), "cannot create file.h5");
  }
  WritableFile open() {
    return WritableFile::open(file_.number(), name_, *structure_,
                              WritableFile::Points::are_structure, storage::output_access(),
                              "cannot complete file.h5");
  }
  bool is_sound() const {
    try {
      storage::check_structure(file_.number(), name_, structure_->records());
      return true;
    } catch (const StorageError&) {
      return false;
    }
  }
};

TEST_F(Writing, every_byte_that_hdf5_writes_is_read_back) {
  {
    WritableFile file = create();
    add_dataset(file, "contiguous", false);
    add_dataset(file, "chunked", true);
    file.close();
  }
  {
    WritableFile file = open();
    add_dataset(file, "later", false);
    file.close();
  }
  ASSERT_TRUE(is_sound());
  Index bytes = 0;
  for (const auto& record : structure_->records()) {
    bytes += record.bytes;
    for (Index at = record.at; at < record.at + record.bytes; ++at) {
      std::byte old{};
      ASSERT_EQ(storage::read_exactly(file_.number(), &old, 1, at), 0);
      const std::byte other = ~old;
      ASSERT_EQ(storage::write_exactly(file_.number(), &other, 1, at), 0);
      ASSERT_FALSE(is_sound()) << "byte " << at;
      ASSERT_EQ(storage::write_exactly(file_.number(), &old, 1, at), 0);
    }
  }
  EXPECT_GT(bytes, Index{3 * 290 * sizeof(double)});
}

/// With a limit on the file size, writes below some byte succeed and others fail, including those
/// of close() and of destructors.
TEST_F(Writing, a_write_that_fails_is_never_overlooked) {
  {
    WritableFile file = create();
    add_dataset(file, "x", false);
    file.close();
  }
  const Index whole = static_cast<Index>(std::filesystem::file_size(name_));
  ASSERT_GT(whole, 2000);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  for (Index limit = 0; limit < whole; limit += 50) {
    structure_ = std::make_shared<FileStructure>();
    const rlimit low{static_cast<rlim_t>(limit), before.rlim_max};
    bool has_failed = false;
    try {
      WritableFile file = create();
      ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &low), 0);
      add_dataset(file, "x", false);
      file.close();
    } catch (const StorageError&) {
      has_failed = true;
    }
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_TRUE(has_failed) << "limit " << limit;
  }
}

/// HDF5 1.10 crashes if a write fails while it copies an object, so HDF5 is not informed of the
/// failure.
TEST_F(Writing, a_copy_survives_a_full_disk_and_close_tells_it) {
  const std::string source = scratch_ / "source.h5";
  {
    const Handle from(H5Fcreate(source.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    for (const char* name : {"contiguous", "chunked"}) add_dataset(from, name, name[1] == 'h');
  }
  const Handle from(H5Fopen(source.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  for (rlim_t limit = 0; limit < 6000; limit += 100) {
    structure_ = std::make_shared<FileStructure>();
    const rlimit low{limit, before.rlim_max};
    std::string said;
    {
      WritableFile file = create();
      ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &low), 0);
      for (const char* name : {"contiguous", "chunked"})
        EXPECT_GE(H5Ocopy(from, name, file, name, H5P_DEFAULT, H5P_DEFAULT), 0) << limit;
      try {
        file.close();
      } catch (const StorageError& error) {
        said = error.what();
      }
    }
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_NE(said.find("cannot create file.h5: File too large"), said.npos) << limit << said;
  }
}

/// If an error was not noticed when it occurred, close() reports it.
TEST_F(Writing, an_error_that_nobody_looked_at_is_found_at_the_end) {
  WritableFile file = create();
  structure_->fail(EIO);
  try {
    file.close();
    FAIL() << "nothing was reported";
  } catch (const StorageError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot create file.h5: Input/output error"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(Writing, an_identifier_that_no_destructor_could_close_is_found_at_the_end) {
  WritableFile file = create();
  { const Handle none(file, H5Dclose); }  // an error of HDF5: a file is not a dataset
  EXPECT_THROW(file.close(), StorageError);
}

}  // namespace
}  // namespace stencil
