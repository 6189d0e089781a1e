#include "io/write/write_errors.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/system_error.hpp"

namespace stencil::storage {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string room_in(const std::string& folder) {
  struct statvfs system {};
  if (::statvfs(folder.c_str(), &system) != 0) return "free some, or choose another folder";
  return fmt::format(
      "{} bytes are available in {}: free some, raise the quota, or choose another "
      "folder",
      static_cast<std::uint64_t>(system.f_bavail) * system.f_frsize, one_line(folder));
}

std::string words_of_unwritable(const std::string& what, int error, const std::string& output) {
  const bool is_full = error == ENOSPC || error == EDQUOT;
  return fmt::format("{}: {}: {}", what, std::strerror(error),
                     is_full ? room_in(fs::path(output).parent_path().string()) : remedy_of(error));
}

void throw_unwritable(const std::string& what, int error, const std::string& output) {
  throw StorageError(words_of_unwritable(what, error, output));
}

void with_room(const std::string& output, const std::function<void()>& work) {
  try {
    work();
  } catch (const StorageError& error) {
    const std::string message = error.what();
    if (message.ends_with(std::strerror(EFBIG)))
      throw StorageError(fmt::format("{}: {}", message, remedy_of(EFBIG)));
    for (const int full : {ENOSPC, EDQUOT})
      if (message.ends_with(std::strerror(full)))
        throw StorageError(
            fmt::format("{}: {}", message, room_in(fs::path(output).parent_path().string())));
    throw;
  }
}

void reserve_blocks(int file, const std::string& name) {
  struct stat state {};
  int error = ::fstat(file, &state) != 0 ? errno : 0;
  if (error == 0) do {
      error = ::posix_fallocate(file, 0, state.st_size);
    } while (error == EINTR);
  if (error != 0)
    throw_unwritable(fmt::format("cannot reserve {} bytes for {}", state.st_size, one_line(name)),
                     error, name);
}

void bring_to_disk(int file, const std::string& name) {
  int error = 0;
  do {
    error = ::fsync(file) == 0 ? 0 : errno;
  } while (error == EINTR);
  if (error != 0)
    throw_unwritable(fmt::format("cannot bring {} to the disk", one_line(name)), error, name);
}

void bring_names_to_disk(int folder, const std::string& name) {
  int error = 0;
  do {
    error = ::fsync(folder) == 0 ? 0 : errno;
  } while (error == EINTR);
  // some file systems cannot sync a folder, and a folder without read permission is open with
  // O_PATH only
  const bool is_unable = error == EINVAL || error == ENOTSUP || error == EBADF;
  if (error != 0 && !is_unable)
    throw StorageError(
        fmt::format("{} is complete, but its name could not be written to the disk: {}: check that "
                    "the file exists before you use it",
                    one_line(name), std::strerror(error)));
}

}  // namespace stencil::storage
