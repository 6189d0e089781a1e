#include "io/write/lock/fresh_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <string_view>
#include <utility>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/system_error.hpp"

namespace stencil {

namespace {

/// Creates a file. @returns its descriptor; on failure a negative number, with errno set
int created(const std::string& name) {
  constexpr int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC;
  int number = -1;
  do {
    number = ::open(name.c_str(), flags, 0666);
  } while (number < 0 && errno == EINTR);
  return number;
}

}  // namespace

FreshFile::FreshFile(const std::string& name, const std::string& of)
    : name_(name), file_(created(name)) {
  struct stat state {};
  if (!file_ || ::fstat(file_.number(), &state) != 0) {
    const int error = errno;
    if (file_) ::unlink(name.c_str());
    throw StorageError(fmt::format("cannot create {} to write {}: {}: {}", one_line(name),
                                   one_line(of), std::strerror(error),
                                   error == EEXIST ? "remove it" : storage::remedy_of(error)));
  }
  device_ = state.st_dev;
  inode_ = state.st_ino;
  cleanup_.emplace([this] { return remove(); });
}

FreshFile::~FreshFile() {
  remove();
}

bool FreshFile::remove() const {
  struct stat named {};
  return !is_placed_ && ::lstat(name_.c_str(), &named) == 0 && named.st_ino == inode_ &&
         named.st_dev == device_ && ::unlink(name_.c_str()) == 0;
}

int FreshFile::take_place(const std::string& to) {
  if (const int error = file_.close()) return error;
  if (std::rename(name_.c_str(), to.c_str()) != 0) return errno;
  is_placed_ = true;
  return 0;
}

int FreshFile::take_place(const std::string& to, storage::Descriptor& open_file) {
  if (std::rename(name_.c_str(), to.c_str()) != 0) return errno;
  is_placed_ = true;
  open_file = std::move(file_);
  return 0;
}

std::string fresh_name_beside(const std::string& file) {
  std::random_device random;
  const std::string name = fmt::format(".stencil-{:08x}{:08x}", random(), random());
  return (std::filesystem::path(file).parent_path() / name).string();
}

bool is_fresh_name(const std::string& name) {
  constexpr std::string_view begin = ".stencil-";
  return name.size() == begin.size() + 16 && name.starts_with(begin) &&
         name.find_first_not_of("0123456789abcdef", begin.size()) == name.npos;
}

}  // namespace stencil
