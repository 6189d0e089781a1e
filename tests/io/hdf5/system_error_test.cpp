// A system error is reported as a system error, and not as a damaged file.
#include "io/hdf5/system_error.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "io/read/file_check.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using testing::thrown_by;

/// Limits the number of files that this process may have open to the number of files that are open
/// now plus `spare`.
class FewFiles {
 public:
  explicit FewFiles(int spare) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::close(next);
    const rlimit few{static_cast<rlim_t>(next + spare), before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewFiles(const FewFiles&) = delete;
  FewFiles& operator=(const FewFiles&) = delete;

 private:
  rlimit before_{};
};

TEST(SystemError, a_sound_file_is_not_called_damaged_where_no_more_files_can_be_opened) {
  const testing::Scratch scratch;
  const std::string file = scratch / "sound.h5";
  testing::write_dataset(testing::create_file(file), "x", {4}, {}, [](Index) { return 1.0; });
  const auto open = [&] { storage::open_for_reading(file); };
  testing::Thrown thrown;
  {
    const FewFiles none(0);
    thrown = thrown_by(open);
  }
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find(std::strerror(EMFILE)), std::string::npos) << thrown.message;
  EXPECT_NE(thrown.message.find("ulimit -n"), std::string::npos) << thrown.message;
  EXPECT_EQ(thrown.message.find("damaged"), std::string::npos) << thrown.message;
  EXPECT_EQ(thrown_by(open).status, Status::done);
}

TEST(SystemError, is_none_where_the_content_is_at_fault) {
  const testing::Scratch scratch;
  testing::write_bytes(scratch / "not.h5", std::string(4096, 'x'));
  errno = EIO;  // from an earlier call
  EXPECT_LT(H5Fopen((scratch / "not.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), 0);
  EXPECT_EQ(storage::hdf5_system_error(), 0);
  EXPECT_LT(H5Fopen((scratch / "none.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), 0);
  EXPECT_EQ(storage::hdf5_system_error(), ENOENT);
}

TEST(SystemError, each_has_a_remedy_of_one_line) {
  for (int error = 1; error < 134; ++error) {
    const std::string remedy = storage::remedy_of(error);
    EXPECT_FALSE(remedy.empty());
    EXPECT_EQ(remedy.find('\n'), std::string::npos);
  }
  EXPECT_EQ(storage::remedy_of(ENAMETOOLONG), "choose a shorter name");
}

}  // namespace
}  // namespace stencil
