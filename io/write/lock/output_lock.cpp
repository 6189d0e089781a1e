#include "io/write/lock/output_lock.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/write/lock/nameplate.hpp"
#include "io/write/lock/own_mark.hpp"

namespace stencil::storage {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto between_signs = 10s;
// time without an update of the lock after which its owner is assumed to have ended
constexpr double stale_seconds = 60;
constexpr double nameless_seconds = 30;  // time to write the owner to a new lock if there are no
                                         // hard links
constexpr auto timeout_of_own_job = 70s;
constexpr auto timeout_of_others = 10s;  // for other processes that are also about to take over the
                                         // lock

enum class Outcome { taken, taken_over, wait, again };

double seconds_between(const timespec& earlier, const timespec& later) {
  return static_cast<double>(later.tv_sec - earlier.tv_sec) +
         1e-9 * static_cast<double>(later.tv_nsec - earlier.tv_nsec);
}

bool is_same(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/// Describes an owner: `process 12 on host, job 7`.
std::string name_of(const LockOwner& owner) {
  const std::string job = owner.job == "-" ? "" : fmt::format(", job {}", one_line(owner.job));
  return fmt::format("process {} on {}{}", one_line(owner.pid), one_line(owner.host), job);
}

[[noreturn]] void refuse(const std::string& path, const LockOwner& owner, double silence) {
  throw StorageError(fmt::format(
      "{}: {} is writing this output, its last sign of life was {:.0f} s ago: wait "
      "for it, or choose another output.file; if that run has ended, try again in a minute, "
      "or remove the lock file",
      one_line(path), name_of(owner), std::max(0.0, silence)));
}

[[noreturn]] void refuse_busy(const std::string& path) {
  throw StorageError(fmt::format(
      "{} is being taken by another run: wait for it, or choose another output.file; if there is "
      "none, remove the lock file",
      one_line(path)));
}

/// Throws a StorageError about a lock that cannot be read. Such a lock is not ignored, because it
/// may belong to a running job.
[[noreturn]] void refuse_unread(const std::string& path) {
  throw StorageError(
      fmt::format("cannot read {}: {}: start the run again, or choose another output.file, because "
                  "another run may hold this lock",
                  one_line(path), std::strerror(errno)));
}

void refuse_foreign(const std::string& path, const struct stat& lock, const struct stat& own) {
  if (const char* kind = odd_kind(lock))
    throw StorageError(fmt::format(
        "{} is {}, where the lock of this output has to be: remove it, or choose another "
        "output.file",
        one_line(path), kind));
  if (lock.st_uid != own.st_uid)
    throw StorageError(
        fmt::format("{} belongs to another user (number {}), whose run may be writing this output: "
                    "choose another output.file, or ask them to remove the lock file",
                    one_line(path), lock.st_uid));
}

/// Opens the lock of another process, and locks the file (flock) against other processes that want
/// to take over this lock. Returns a negative number if the lock has changed in the meantime.
int open_lock(int folder, const std::string& name, const std::string& path,
              const struct stat& own) {
  struct stat named {
  }, opened{};
  if (::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return -1;
    throw StorageError(fmt::format("cannot get the status of {}: {}: {}", one_line(path),
                                   std::strerror(errno), remedy_of(errno)));
  }
  refuse_foreign(path, named, own);
  Descriptor lock(
      ::openat(folder, name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!lock) {
    if (errno == ENOENT || errno == ELOOP || errno == EISDIR || errno == ENXIO) return -1;
    throw StorageError(fmt::format("cannot open {}: {}: {}", one_line(path), std::strerror(errno),
                                   remedy_of(errno)));
  }
  if (::fstat(lock.number(), &opened) != 0 || !is_same(named, opened)) return -1;
  if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR))
    return -1;
  // the process that locked the file before this process may have replaced it
  if (::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 || !is_same(named, opened))
    return -1;
  return lock.release();
}

[[noreturn]] void refuse_empty(const std::string& path) {
  throw StorageError(
      fmt::format("{} is empty, as other programs make their locks (Python's filelock), and as a "
                  "failure of the machine may leave one: if no program is writing this output, "
                  "remove this file and run again; else choose another output.file",
                  one_line(path)));
}

/// Name of the unfinished output that belongs to a lock.
std::string part_beside(const std::string& lock) {
  return lock.substr(0, lock.rfind(".lock")) + ".part";
}

/// Decides how to proceed with the lock of another process. @throws StorageError the lock is in
/// use, or the file is not a lock
Outcome judge(int descriptor, const Nameplate& plate, const LockOwner& self,
              const std::string& path, bool may_wait, bool is_empty_ours) {
  struct stat lock {};
  if (::fstat(descriptor, &lock) != 0) refuse_unread(path);
  const double silence = seconds_between(lock.st_mtim, plate.state().st_mtim);
  const std::optional<std::string> text = text_in(descriptor);
  if (!text) refuse_unread(path);
  if (text->empty()) {  // the owner was killed after it created the lock and before it wrote to it
    if (silence <= nameless_seconds) refuse_busy(path);
    if (!is_empty_ours) refuse_empty(path);
    return Outcome::taken;
  }
  const auto owner = owner_from(*text);
  if (!owner)
    throw StorageError(fmt::format(
        "{} is not a lock of this program, which would have to be there: remove it, or choose "
        "another output.file",
        one_line(path)));
  const Life life = life_of(*owner, self);
  if (life == Life::over) return Outcome::taken_over;
  if (life == Life::going_on) refuse(path, *owner, silence);
  if (silence > stale_seconds) return Outcome::taken_over;
  if (is_same_job(*owner, self) && may_wait) return Outcome::wait;
  refuse(path, *owner, silence);
}

}  // namespace

OutputLock::OutputLock(int folder, const std::string& name, const std::string& path) {
  take(folder, name, path);
}

OutputLock::~OutputLock() {
  release();
}

/// Performs all slow operations before the lock exists.
void OutputLock::take(int folder, const std::string& name, const std::string& path) {
  name_ = name;
  path_ = path;
  self_ = this_process();
  folder_ = Descriptor(::fcntl(folder, F_DUPFD_CLOEXEC, 0));
  if (!folder_)
    throw StorageError(fmt::format("cannot open the folder of {}: {}: {}", one_line(path_),
                                   std::strerror(errno), remedy_of(errno)));
  is_empty_ours_ = remove_dead_plates(folder_.number(), name_, self_) ||
                   own_mark(folder_.number(), part_beside(name_)) == OwnMark::unfinished;
  sign_of_life_.begin(between_signs, [this] {
    const std::lock_guard lock(mutex_);
    if (is_named()) ::futimens(descriptor_, nullptr);
  });
  wait_and_take();
}

void OutputLock::wait_and_take() {
  const auto start = Clock::now();
  auto busy_since = start;
  for (;;) {
    Outcome outcome = Outcome::again;
    {
      const std::lock_guard guard(mutex_);  // under the mutex, so that release() finds either the
                                            // complete lock or no file
      if (is_over_)
        throw StorageError(fmt::format("{} was given back while it was being taken: run it again",
                                       one_line(path_)));
      Nameplate plate(folder_.number(), name_, path_, self_);
      int error = plate.become_new();
      if (error == EEXIST) {
        const Descriptor lock(open_lock(folder_.number(), name_, path_, plate.state()));
        const bool may_wait = Clock::now() - start < timeout_of_own_job;
        if (lock) outcome = judge(lock.number(), plate, self_, path_, may_wait, is_empty_ours_);
        was_left_ = outcome == Outcome::taken_over;
        if (was_left_) left_ = files_made_in(text_in(lock.number()).value_or(""));
        if (was_left_) outcome = Outcome::taken;
        error = outcome == Outcome::taken ? plate.replace(left_) : 0;
      } else {
        outcome = Outcome::taken;
      }
      if (error != 0)
        throw StorageError(fmt::format("cannot create {}: {}: {}", one_line(path_),
                                       std::strerror(error), remedy_of(error)));
      if (outcome == Outcome::taken) {
        bytes_ = plate.bytes();
        descriptor_ = plate.give_descriptor();
        return;
      }
    }
    // no nameplate exists while waiting, so that a process that is killed while it waits leaves no
    // file
    if (outcome == Outcome::wait) busy_since = Clock::now() + 1s;
    if (Clock::now() - busy_since > timeout_of_others) refuse_busy(path_);
    std::this_thread::sleep_for(outcome == Outcome::wait ? 1000ms : 20ms);
  }
}

bool OutputLock::is_named() const {
  struct stat own {
  }, named{};
  const auto look = [&] {
    return ::fstat(descriptor_, &own) == 0 &&
           ::fstatat(folder_.number(), name_.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           text_in(descriptor_).value_or("").starts_with(text_of(self_));
  };
  // the lock is examined a second time, because a single storage failure must not leave a lock
  return descriptor_ >= 0 && (look() || look()) && is_same(own, named);
}

int OutputLock::add_line(const std::string& line) {
  const std::lock_guard guard(mutex_);
  if (descriptor_ < 0) return 0;  // the run is being ended, and its files are being removed
  const auto* const bytes = reinterpret_cast<const std::byte*>(line.data());
  if (const int error = write_exactly(descriptor_, bytes, std::ssize(line), bytes_)) return error;
  bytes_ += std::ssize(line);
  // The record must survive a failure of the machine. The recorded file is still empty.
  ::fdatasync(descriptor_);
  return 0;
}

void OutputLock::note_made(int file, const std::string& name) {
  if (const int error = add_line(line_of(birth_of(file, name))))
    throw StorageError(fmt::format("cannot write {}: {}: {}", one_line(path_), std::strerror(error),
                                   remedy_of(error)));
}

void OutputLock::note_fresh(const std::string& name) {
  add_line(line_of_fresh(name));
}

bool OutputLock::is_ours() const {
  const std::lock_guard lock(mutex_);
  return is_named();
}

std::string OutputLock::loss() const {
  const std::lock_guard guard(mutex_);
  if (descriptor_ < 0 || is_named()) return "";
  constexpr int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const Descriptor lock(::openat(folder_.number(), name_.c_str(), flags));
  if (!lock && errno == ENOENT)
    return fmt::format(
        "the lock {} of this output is gone: another run has taken it and has ended, or it was "
        "removed; this run writes nothing more: run it again",
        one_line(path_));
  const std::optional<std::string> text = lock ? text_in(lock.number()) : std::nullopt;
  if (!text || text->starts_with(text_of(self_)))
    return "";  // this object still owns the lock; only the check has failed
  const auto owner = owner_from(*text);
  return fmt::format(
      "{} has taken the lock {} of this output, as happens if a run is suspended for a minute; "
      "this run writes nothing more: wait for the other run, or choose another output.file",
      owner ? "another run, " + name_of(*owner) + "," : "another program", one_line(path_));
}

bool OutputLock::release() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  if (descriptor_ < 0) return false;
  // the file is locked against another process that takes over the lock because it assumes that
  // this process has ended
  for (int attempt = 0; attempt < 50; ++attempt) {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) break;
    std::this_thread::sleep_for(20ms);
  }
  const bool is_removed = is_named() && ::unlinkat(folder_.number(), name_.c_str(), 0) == 0;
  ::close(std::exchange(descriptor_, -1));
  return is_removed;
}

}  // namespace stencil::storage
