#include "io/write/lock/nameplate.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <regex>
#include <utility>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/system_error.hpp"

namespace stencil::storage {
namespace {

constexpr int creation = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;

[[noreturn]] void throw_failed(const char* what, const std::string& path, int error) {
  throw StorageError(fmt::format("cannot {} {}: {}: {}", what, one_line(path), std::strerror(error),
                                 remedy_of(error)));
}

/// Returns the beginning of the names of those nameplates of this lock that processes of this
/// namespace create. Nameplates of other machines and containers have a different tag, even if the
/// host has the same name.
std::string start_of_plates(const std::string& lock, const LockOwner& self) {
  const std::size_t tag = std::hash<std::string>{}(self.boot + self.pid_namespace) & 0xffffffff;
  return fmt::format("{}.{}.{:08x}.", lock, self.host, tag);
}

/// Returns whether a file is a nameplate. An empty file is treated as a nameplate whose process was
/// killed before it wrote the content.
bool is_plate(int folder, const std::string& name) {
  struct stat state {};
  if (::fstatat(folder, name.c_str(), &state, AT_SYMLINK_NOFOLLOW) != 0 || odd_kind(state))
    return false;
  const Descriptor file(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  const std::optional<std::string> text = file ? text_in(file.number()) : std::nullopt;
  return text && (text->empty() || owner_from(*text));
}

/// Creates a new file. An existing nameplate with this name was left by an ended process with the
/// same process ID, and is removed. @returns -1 if another file or a link, which is not removed,
/// has the name
int create_anew(int folder, const std::string& name, const std::string& path) {
  for (int attempt = 0; attempt < 3; ++attempt) {
    const int descriptor = ::openat(folder, name.c_str(), creation, 0644);
    if (descriptor >= 0) return descriptor;
    if (errno != EEXIST) throw_failed("create", path, errno);
    if (!is_plate(folder, name)) return -1;
    if (::unlinkat(folder, name.c_str(), 0) != 0 && errno != ENOENT)
      throw_failed("remove", path, errno);
  }
  throw_failed("create", path, EEXIST);
}

constexpr auto oldest_plate = 3600;  // seconds; a running process needs its nameplate for
                                     // milliseconds only

/// Returns whether a name has the form of a nameplate: NAME.lock.HOST.TAG.PID, followed by .1 for
/// each name that was already in use.
bool is_plate_name(const std::string& name, const std::string& lock) {
  static const std::regex form(R"(\..+\.[0-9a-f]{8}\.[0-9]+(\.1)*)");
  return name.starts_with(lock) && std::regex_match(name.substr(lock.size()), form);
}

enum class Plate { none, going_on, unknown, over };

/// Returns whether a file with such a name is a nameplate, and whether the process that made it is
/// running.
Plate plate_in(int folder, const std::string& name, const LockOwner& self,
               const std::string& start) {
  struct stat state {};
  if (::fstatat(folder, name.c_str(), &state, AT_SYMLINK_NOFOLLOW) != 0 || odd_kind(state))
    return Plate::none;
  const Descriptor file(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  const std::optional<std::string> text = file ? text_in(file.number()) : std::nullopt;
  const auto owner = text ? owner_from(*text) : std::nullopt;
  if (!owner && !(text && text->empty())) return Plate::none;
  const auto of = [&](const LockOwner& process) {
    if (::time(nullptr) - state.st_mtime > oldest_plate) return Plate::over;
    const Life life = life_of(process, self);
    return life == Life::over       ? Plate::over
           : life == Life::going_on ? Plate::going_on
                                    : Plate::unknown;
  };
  if (owner) return of(*owner);
  if (!name.starts_with(start)) return of({});
  // the owner of an empty nameplate, which was killed before it wrote its description
  const LockOwner nameless{.host = self.host,
                           .pid = name.substr(start.size()),
                           .boot = self.boot,
                           .pid_namespace = self.pid_namespace};
  return of(nameless);
}

}  // namespace

const char* odd_kind(const struct stat& state) {
  if (S_ISREG(state.st_mode)) return nullptr;
  if (S_ISDIR(state.st_mode)) return "a folder";
  if (S_ISLNK(state.st_mode)) return "a symbolic link";
  if (S_ISFIFO(state.st_mode)) return "a named pipe";
  return S_ISSOCK(state.st_mode) ? "a socket" : "a device";
}

std::optional<std::string> text_in(int descriptor) {
  std::string text;
  for (char bytes[4096]; text.size() < sizeof bytes;) {
    const ssize_t got = ::pread(descriptor, bytes, sizeof bytes, static_cast<off_t>(text.size()));
    if (got == 0) break;
    if (got < 0 && errno != EINTR) return std::nullopt;
    if (got > 0) text.append(bytes, static_cast<std::size_t>(got));
  }
  return text;
}

int write_text(int descriptor, const std::string& text) {
  return write_exactly(descriptor, reinterpret_cast<const std::byte*>(text.data()),
                       static_cast<Index>(text.size()), 0);
}

Nameplate::Nameplate(int folder, const std::string& lock, const std::string& path,
                     const LockOwner& self)
    : folder_(folder),
      lock_(lock),
      name_(start_of_plates(lock, self) + self.pid),
      path_(start_of_plates(path, self) + self.pid),
      text_(text_of(self)) {
  constexpr int most_in_the_way = 8;
  for (int number = 0; descriptor_ < 0; ++number) {
    if (number == most_in_the_way) throw_failed("create", path_, EEXIST);
    if (number > 0) name_ += ".1", path_ += ".1";
    descriptor_ = create_anew(folder_, name_, path_);
  }
  const int error = write_text(descriptor_, text_);
  ::fdatasync(descriptor_);  // otherwise a failure of the machine could leave an empty lock
  if (error == 0) return;
  ::close(descriptor_);
  ::unlinkat(folder_, name_.c_str(), 0);
  throw StorageError(fmt::format("cannot write {}: {}: {}", one_line(path_), std::strerror(error),
                                 remedy_of(error)));
}

Nameplate::~Nameplate() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (has_name_) ::unlinkat(folder_, name_.c_str(), 0);
}

int Nameplate::become_new() {
  if (::linkat(folder_, name_.c_str(), folder_, lock_.c_str(), 0) == 0) return 0;
  const int error = errno;
  // the lock exists: NFS may lose the reply to a link() that has succeeded
  if (state().st_nlink == 2) return 0;
  return error == EEXIST ? error : create_alone();
}

/// Creates the lock on file systems without hard links.
int Nameplate::create_alone() {
  const int descriptor = ::openat(folder_, lock_.c_str(), creation, 0644);
  if (descriptor < 0) return errno;
  if (const int error = write_text(descriptor, text_)) {
    ::close(descriptor);
    ::unlinkat(folder_, lock_.c_str(), 0);
    return error;
  }
  ::close(std::exchange(descriptor_, descriptor));
  return 0;
}

int Nameplate::replace(const FilesMade& left) {
  text_ += lines_of(left);
  if (const int error = write_text(descriptor_, text_)) return error;
  if (::renameat(folder_, name_.c_str(), folder_, lock_.c_str()) != 0) return errno;
  has_name_ = false;
  return 0;
}

int Nameplate::give_descriptor() {
  return std::exchange(descriptor_, -1);
}

struct stat Nameplate::state() const {
  struct stat found {};
  ::futimens(descriptor_, nullptr);
  if (::fstat(descriptor_, &found) != 0)
    throw StorageError(fmt::format("cannot get the status of {}: {}: start the run again",
                                   one_line(path_), std::strerror(errno)));
  return found;
}

void remove_left_lock(int folder, const std::string& lock) {
  if (is_plate(folder, lock)) ::unlinkat(folder, lock.c_str(), 0);
}

bool remove_dead_plates(int folder, const std::string& lock, const LockOwner& self) {
  const std::string start = start_of_plates(lock, self);
  bool has_found = false;
  const int descriptor = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const std::unique_ptr<DIR, int (*)(DIR*)> names(::fdopendir(descriptor), ::closedir);
  if (!names) {
    ::close(descriptor);
    return false;
  }
  while (const dirent* entry = ::readdir(names.get())) {
    const std::string name = entry->d_name;
    if (!is_plate_name(name, lock)) continue;
    const Plate plate = plate_in(folder, name, self, start);
    if (plate == Plate::over) ::unlinkat(folder, name.c_str(), 0);
    has_found |= plate == Plate::over || plate == Plate::unknown;
  }
  return has_found;
}

}  // namespace stencil::storage
