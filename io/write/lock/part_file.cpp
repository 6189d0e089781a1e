#include "io/write/lock/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/read/same_files.hpp"
#include "io/write/lock/own_mark.hpp"

namespace stencil::storage {
namespace {

/// Advice for a file or folder that rank 0 has found or created.
std::string remedy_on_ranks(int error) {
  return error == ENOENT ? "choose a folder that all nodes share" : remedy_of(error);
}

[[noreturn]] void refuse_part(const OutputPaths& paths) {
  throw StorageError(
      fmt::format("{} exists, has the name of the unfinished output, and was not written by this "
                  "program: remove it, or choose another output.file",
                  one_line(paths.part)));
}

}  // namespace

Descriptor open_folder(const OutputPaths& paths) {
  constexpr int flags = O_DIRECTORY | O_CLOEXEC;
  Descriptor folder(::open(paths.folder.c_str(), O_RDONLY | flags));
  if (!folder && errno == EACCES)  // a folder without read permission may still be writable
    folder = Descriptor(::open(paths.folder.c_str(), O_PATH | flags));
  if (!folder)
    throw StorageError(fmt::format("cannot open {}, the folder of the output: {}: {}",
                                   one_line(paths.folder), std::strerror(errno),
                                   remedy_on_ranks(errno)));
  return folder;
}

void require_own_part(const OutputPaths& paths) {
  struct stat state {};
  if (::lstat(paths.lock.c_str(), &state) == 0) return;
  const OwnMark mark = own_mark(AT_FDCWD, paths.part);
  if (mark == OwnMark::foreign || mark == OwnMark::finished) refuse_part(paths);
}

Descriptor create_part(int folder, const OutputPaths& paths) {
  const std::string name = paths.part_name();
  const OwnMark mark = own_mark(folder, name);
  if (mark == OwnMark::unfinished) ::unlinkat(folder, name.c_str(), 0);  // this run holds the lock
  if (mark == OwnMark::foreign || mark == OwnMark::finished) refuse_part(paths);
  struct stat old {};
  const bool is_new = ::fstatat(folder, paths.final_name().c_str(), &old, 0) != 0;
  constexpr int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;
  Descriptor file(::openat(folder, name.c_str(), flags, is_new ? 0666 : 0600));
  if (!file)
    throw StorageError(fmt::format("cannot create {}: {}: {}", one_line(paths.part),
                                   std::strerror(errno), remedy_of(errno)));
  return file;
}

Descriptor open_part(int folder, const OutputPaths& paths, int rank, int flags) {
  Descriptor file(::openat(folder, paths.part_name().c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
  if (file) return file;
  const int error = errno;
  throw StorageError(fmt::format("{} cannot open {}: {}: {}", name_of_rank(rank),
                                 one_line(paths.part), std::strerror(error),
                                 remedy_on_ranks(error)));
}

void keep_access(int file, int folder, const OutputPaths& paths) {
  struct stat old {
  }, own{};
  if (::fstatat(folder, paths.final_name().c_str(), &old, 0) != 0 || ::fstat(file, &own) != 0)
    return;
  const bool is_kept = old.st_uid == own.st_uid && old.st_gid == own.st_gid;
  if (!is_kept && ::fchown(file, old.st_uid, old.st_gid) != 0 && old.st_gid != own.st_gid &&
      ::fchown(file, uid_t(-1), old.st_gid) != 0)
    old.st_mode &= ~mode_t{S_IRWXG};
  ::fchmod(file, old.st_mode & 0777);
}

}  // namespace stencil::storage
