#include "io/hdf5/child.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <utility>

#include "framework/grid/error.hpp"
#include "framework/parallel/end_on_signal.hpp"
#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {
namespace {

// number of bytes that the child may map in addition to the bytes that the parent has mapped
constexpr rlim_t memory_limit = rlim_t{4} << 30;
constexpr rlim_t processor_seconds = 10;
constexpr int timeout_seconds = 20;  // a busy network file system may be slow

void write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

void limit_child() {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // the system sends SIGXCPU, then SIGKILL
  const rlimit time{processor_seconds, processor_seconds + 1};
  ::setrlimit(RLIMIT_CPU, &time);
#ifndef __SANITIZE_ADDRESS__  // the sanitizer maps terabytes of shadow memory
  rlim_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    unsigned long mapped = 0;
    if (std::fscanf(file, "%lu", &mapped) == 1) pages = mapped;
    std::fclose(file);
  }
  const rlim_t bytes = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + memory_limit;
  const rlimit memory{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &memory);
#endif
}

/// Restores the default action of signals, and makes the system end the child when its parent ends.
void tie_to_parent(pid_t parent) {
  let_signals_through();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);  // the parent has already ended
}

/// Discards the C library's messages about corrupted memory: the parent reports the crash.
void say_nothing() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

/// Writes the child's answer: its exit status as the first character, then the text or error
/// message.
[[noreturn]] void run_child(int descriptor, const std::function<std::string()>& work) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, SIG_DFL);
  limit_child();
  say_nothing();
  std::string answer;
  try {
    answer = '\0' + work();
  } catch (const Error& error) {
    answer = static_cast<char>(error.status()) + std::string(error.what());
  } catch (const std::bad_alloc&) {
    answer = static_cast<char>(Status::storage) +
             std::string("its metadata ask for more memory than any sound file needs");
  } catch (const std::exception& error) {
    answer = static_cast<char>(Status::bug) + std::string(error.what());
  }
  write_all(descriptor, answer);
  ::_exit(0);  // destructors and exit handlers are for the parent only
}

/// Reads everything that the child writes. Returns false if the child does not finish in time.
bool read_answer(int descriptor, std::string& answer) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(timeout_seconds);
  char buffer[65536];
  while (std::chrono::steady_clock::now() < deadline) {
    pollfd wait{descriptor, POLLIN, 0};
    if (::poll(&wait, 1, 1000) <= 0) continue;
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got == 0) return true;
    if (got > 0) answer.append(buffer, static_cast<std::size_t>(got));
  }
  return false;
}

[[noreturn]] void rethrow(int status, const std::string& message) {
  if (status == static_cast<int>(Status::words)) throw WordsError(message);
  if (status == static_cast<int>(Status::storage)) throw StorageError(message);
  if (status == static_cast<int>(Status::machine)) throw MachineError(message);
  throw Error(Status::bug, message);
}

}  // namespace

Child::Child(std::string subject, const std::function<std::string()>& work)
    : subject_(std::move(subject)) {
  int ends[2];
  if (::pipe(ends) != 0)
    throw MachineError(
        fmt::format("cannot make a pipe to look at {}: {}", subject_, std::strerror(errno)));
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ < 0) {
    const int error = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    throw MachineError(
        fmt::format("cannot start a process to look at {}: {}", subject_, std::strerror(error)));
  }
  if (child_ == 0) {
    tie_to_parent(parent);
    ::close(ends[0]);
    run_child(ends[1], work);
  }
  ::close(ends[1]);  // before the next fork: another child would keep the descriptor open
  descriptor_ = ends[0];
}

Child::Child(Child&& other) noexcept
    : subject_(std::move(other.subject_)),
      child_(std::exchange(other.child_, -1)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

Child::~Child() {
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  reap();
}

int Child::reap() {
  ::close(descriptor_);
  int ending = 0;
  while (::waitpid(child_, &ending, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return ending;
}

std::string Child::answer() {
  std::string answer;
  const bool finished = read_answer(descriptor_, answer);
  if (!finished) ::kill(child_, SIGKILL);
  const int ending = reap();
  if (WIFSIGNALED(ending) && WTERMSIG(ending) == SIGXCPU)
    throw StorageError(fmt::format(
        "{} takes more than {} s of computing to be looked at: its metadata are "
        "malformed, or hold far more groups, attributes or chunks than usual: copy what "
        "is needed into a smaller file",
        subject_, processor_seconds));
  if (!finished)
    throw StorageError(fmt::format(
        "{} could not be looked at within {} s: its metadata are malformed or far more than usual, "
        "or its file system does not answer: copy what is needed into a file on a local disk",
        subject_, timeout_seconds));
  if (WIFSIGNALED(ending) || !WIFEXITED(ending) || WEXITSTATUS(ending) != 0 || answer.empty())
    throw StorageError(
        crash_words(subject_, WIFSIGNALED(ending) ? ::strsignal(WTERMSIG(ending)) : "no answer"));
  const int status = static_cast<unsigned char>(answer.front());
  answer.erase(0, 1);
  if (status != 0) rethrow(status, answer);
  return answer;
}

std::string run_in_child(const std::string& subject, const std::function<std::string()>& work) {
  return Child(subject, work).answer();
}

}  // namespace stencil::storage
