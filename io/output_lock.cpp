#include "io/output_lock.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "framework/grid/error.hpp"
#include "io/hdf5_error.hpp"

namespace stencil::storage {
namespace {

constexpr long seconds_to_write_a_name = 10;

/// Who holds a lock, as the lock file says: `host pid start job restart`, `-` where there is none.
struct Owner {
  std::string host = "-", pid = "-", start = "-", job = "-", restart = "-";
};

/// A field of /proc/PID/stat, counted from 1 as proc(5) does, from the third on; `-` if there is no
/// such process.
std::string stat_field(const std::string& pid, int number) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  if (!std::getline(file, line)) return "-";
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // the name may hold blanks
  std::string field;
  for (int i = 3; i <= number; ++i) fields >> field;
  return field;
}

/// When a process of this host began, in clock ticks since boot: tells a process from a later one
/// with the same number. `-` if there is no such process.
std::string start_of(const std::string& pid) {
  return stat_field(pid, 22);
}

/// Whether the process has ended and only waits for its parent to ask how.
bool is_zombie(const std::string& pid) {
  const std::string state = stat_field(pid, 3);
  return state == "Z" || state == "X";
}

std::string word_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value ? value : "-";
}

Owner this_process() {
  char host[256]{};
  ::gethostname(host, sizeof host - 1);
  const std::string pid = std::to_string(::getpid());
  return {host, pid, start_of(pid), word_from("SLURM_JOB_ID"), word_from("SLURM_RESTART_COUNT")};
}

std::string text_of(const Owner& o) {
  return fmt::format("{} {} {} {} {}\n", o.host, o.pid, o.start, o.job, o.restart);
}

Owner owner_in(int descriptor) {
  char text[1024]{};
  [[maybe_unused]] const ssize_t got = ::pread(descriptor, text, sizeof text - 1, 0);
  std::istringstream words(text);
  Owner owner;
  words >> owner.host >> owner.pid >> owner.start >> owner.job >> owner.restart;
  return owner;
}

/// Killed between making its lock and writing its name, where the file system cannot do both at
/// once. Times are those of the file system: clocks of other hosts may differ.
bool is_abandoned(const struct stat& lock, const struct stat& now) {
  return lock.st_size == 0 && now.st_mtim.tv_sec - lock.st_mtim.tv_sec > seconds_to_write_a_name;
}

bool is_dead(const Owner& owner, const Owner& self) {
  if (owner.job != "-" && owner.job == self.job && owner.restart != self.restart) return true;
  if (owner.host != self.host) return false;
  const long pid = std::strtol(owner.pid.c_str(), nullptr, 10);
  if (pid <= 0) return false;
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return true;
  if (is_zombie(owner.pid)) return true;
  const std::string start = start_of(owner.pid);
  return owner.start != "-" && start != "-" && owner.start != start;
}

bool write_owner(int descriptor, const Owner& owner) {
  const std::string text = text_of(owner);
  return ::ftruncate(descriptor, 0) == 0 &&
         ::pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

[[noreturn]] void refuse(const std::string& path, const Owner& owner) {
  throw StorageError(fmt::format(
      "{} says that process {} on {} (job {}) is writing this output: wait for it, choose another "
      "output.file, or remove the lock file if that run is no more",
      one_line(path), one_line(owner.pid), one_line(owner.host), one_line(owner.job)));
}

[[noreturn]] void throw_uncreatable(const std::string& path, int error) {
  throw StorageError(fmt::format("cannot create {}: {}: make the folder of output.file writable",
                                 one_line(path), std::strerror(error)));
}

/// A file beside the lock that holds our name, as long as we try: linked to the lock's name it is a
/// lock that names its owner from its first moment on.
class Nameplate {
 public:
  Nameplate(const std::string& lock, const Owner& self)
      : path_(fmt::format("{}.{}.{}", lock, self.host, self.pid)) {
    const int descriptor = ::open(path_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
    if (descriptor < 0) throw_uncreatable(lock, errno);
    const bool written = write_owner(descriptor, self);
    const int error = errno;
    ::close(descriptor);
    if (written) return;
    ::unlink(path_.c_str());
    throw StorageError(fmt::format("cannot write {}: {}", one_line(path_), std::strerror(error)));
  }
  ~Nameplate() { ::unlink(path_.c_str()); }
  Nameplate(const Nameplate&) = delete;
  Nameplate& operator=(const Nameplate&) = delete;

  /// @returns 0 or an errno
  int link_to(const std::string& lock) const {
    if (::link(path_.c_str(), lock.c_str()) == 0) return 0;
    const int error = errno;
    return state().st_nlink == 2 ? 0 : error;  // NFS may lose the answer to a link that was made
  }
  struct stat state() const {
    struct stat found {};
    ::stat(path_.c_str(), &found);
    return found;
  }

 private:
  std::string path_;
};

/// For file systems without hard links. @returns 0 or an errno
int create_alone(const std::string& path, const Owner& self) {
  const int descriptor = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
  if (descriptor < 0) return errno;
  const int error = write_owner(descriptor, self) ? 0 : errno;
  ::close(descriptor);
  if (error != 0) ::unlink(path.c_str());
  return error;
}

/// Puts our name into a lock whose owner is dead. Only one process at a time may try, and the lock
/// must still be the file at the path by then. @returns false if it is not: try again
bool take_over(const std::string& path, const Owner& self, const Nameplate& plate) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return errno != ENOENT ? (refuse(path, {}), false) : false;
  struct Closed {
    int descriptor;
    ~Closed() { ::close(descriptor); }
  } closed{descriptor};
  while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
  }
  struct stat opened {
  }, named{};
  if (::fstat(descriptor, &opened) != 0 || ::stat(path.c_str(), &named) != 0 ||
      opened.st_ino != named.st_ino)
    return false;
  const Owner owner = owner_in(descriptor);
  if (!is_dead(owner, self) && !is_abandoned(opened, plate.state())) refuse(path, owner);
  if (!write_owner(descriptor, self))
    throw StorageError(fmt::format("cannot write {}: {}", one_line(path), std::strerror(errno)));
  return true;
}

/// Removes what runs of this host left that were killed while they took this lock.
void remove_dead_plates(const std::string& lock, const Owner& self) {
  const std::filesystem::path path(lock);
  const std::string ours = fmt::format("{}.{}.", path.filename().string(), self.host);
  std::error_code error;
  std::filesystem::directory_iterator entry(path.parent_path(), error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    Owner owner{.host = self.host};
    if (name.starts_with(ours)) owner.pid = name.substr(ours.size());
    if (is_dead(owner, self)) ::unlink(entry->path().c_str());
  }
}

}  // namespace

OutputLock::OutputLock(std::string path) : path_(std::move(path)) {
  const Owner self = this_process();
  const Nameplate plate(path_, self);
  for (int attempt = 0; attempt < 100; ++attempt) {
    int error = plate.link_to(path_);
    if (error != 0 && error != EEXIST) error = create_alone(path_, self);
    if (error != 0 && error != EEXIST) throw_uncreatable(path_, error);
    if (error == 0 || take_over(path_, self, plate)) {
      remove_dead_plates(path_, self);
      return;
    }
  }
  refuse(path_, {});
}

OutputLock::~OutputLock() {
  ::unlink(path_.c_str());
}

}  // namespace stencil::storage
