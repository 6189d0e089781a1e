#include "drivers/job/report/report_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/file_identity.hpp"
#include "io/write/lock/fresh_file.hpp"

namespace stencil {
namespace {

namespace fs = std::filesystem;

constexpr int most_wait = 60'000;    // ms to wait for the reader of a pipe
constexpr std::size_t piece = 4096;  // bytes that fit into a pipe which poll() reports ready

/// The file that an option names, for messages.
struct Named {
  const std::string& option;
  const std::string& file;

  [[noreturn]] void refuse(const std::string& why,
                           const char* instead = "choose another place") const {
    throw StorageError(fmt::format("{} {}: {}: {}", option, one_line(file), why, instead));
  }
};

/// Returns the descriptor of the standard stream (stdout or stderr) that writes to this file, or
/// -1.
int stream_of(const struct stat& file) {
  struct stat stream {};
  for (const int number : {STDOUT_FILENO, STDERR_FILENO})
    if (::fstat(number, &stream) == 0 && stream.st_dev == file.st_dev &&
        stream.st_ino == file.st_ino)
      return number;
  return -1;
}

/// Opens a target that is written to directly and not replaced: a device, a pipe, or the target of
/// a standard stream. Returns an empty descriptor for other targets.
storage::Descriptor open_special(const Named& named) {
  const std::string& file = named.file;
  struct stat state {};
  if (::stat(file.c_str(), &state) != 0) return {};
  if (S_ISDIR(state.st_mode)) named.refuse("it is a folder");
  if (S_ISBLK(state.st_mode)) named.refuse("it is a block device");
  if (const int stream = stream_of(state); stream >= 0)
    return storage::Descriptor(::fcntl(stream, F_DUPFD_CLOEXEC, 0));
  if (S_ISREG(state.st_mode)) return {};
  storage::Descriptor special(::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!special && errno == ENXIO && S_ISFIFO(state.st_mode))
    named.refuse("it is a named pipe without a reader", "start its reader first");
  if (!special) named.refuse(std::strerror(errno));
  return special;
}

/// Throws unless the file is empty, a report of an earlier run, or does not exist.
void require_replaceable(const Named& named, const std::string& place) {
  struct stat state {};
  if (::lstat(place.c_str(), &state) != 0) {
    if (errno != ENOENT) named.refuse(std::strerror(errno));
    return;
  }
  if (!S_ISREG(state.st_mode)) named.refuse("it is not a regular file");
  const storage::Descriptor old(
      ::open(place.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  std::string head(64, '\0');
  const ssize_t got = old ? ::pread(old.number(), head.data(), head.size(), 0) : -1;
  if (got < 0) named.refuse(std::strerror(errno));
  head.resize(static_cast<std::size_t>(got));
  if (!head.empty() && head.find("\"program\": \"stencil_run\"") == head.npos)
    named.refuse("a file of this name exists that is neither a report nor a trace of this program",
                 "remove it, or choose another name");
}

/// Checks that a file can be created, by creating a test file: permissions do not show this
/// reliably, especially for root. The test file has no name if the file system supports files
/// without names.
void require_writable(const Named& named, const fs::path& place) {
  const fs::path folder = place.parent_path();
  std::error_code error;
  if (!fs::is_directory(folder, error)) named.refuse("its folder does not exist");
  const storage::Descriptor without_name(
      ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (without_name) return;
  try {
    const FreshFile trial(fresh_name_beside(place.string()), place.string());
  } catch (const StorageError& reason) {
    throw StorageError(fmt::format("{} {}: {}", named.option, one_line(named.file), reason.what()));
  }
}

/// Writes a text to an open pipe or device. @returns 0 or an errno; ETIMEDOUT if nothing could be
/// written for a minute
int write_special(int to, std::string_view text) {
  while (!text.empty()) {
    pollfd ready{to, POLLOUT, 0};
    const int found = ::poll(&ready, 1, most_wait);
    if (found == 0) return ETIMEDOUT;
    const ssize_t written = found < 0 ? -1 : ::write(to, text.data(), std::min(piece, text.size()));
    if (written < 0 && errno != EINTR && errno != EAGAIN) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int write_regular(const std::string& place, const std::string& report) {
  FreshFile file(fresh_name_beside(place), place);
  const auto* const bytes = reinterpret_cast<const std::byte*>(report.data());
  if (const int error = storage::write_exactly(file.number(), bytes, std::ssize(report), 0))
    return error;
  return file.take_place(place);
}

}  // namespace

ReportFile::ReportFile(const std::string& file, const std::string& option)
    : file_(file), option_(option), special_(open_special({option_, file_})) {
  if (special_) return;
  const fs::path place = resolved(file);
  require_writable({option_, file_}, place);
  require_replaceable({option_, file_}, place.string());
}

void ReportFile::write(const std::string& report, const std::string& output) const {
  std::string why;
  try {
    const std::string place = resolved(file_).string();
    if (!special_) require_replaceable({option_, file_}, place);
    const int error =
        special_ ? write_special(special_.number(), report) : write_regular(place, report);
    if (error != 0) why = std::strerror(error);
  } catch (const StorageError& error) {
    why = error.what();
  }
  if (!why.empty())
    throw StorageError(fmt::format("the output {} is complete, but {} {} could not be written: {}",
                                   one_line(output), option_, one_line(file_), why));
}

}  // namespace stencil
