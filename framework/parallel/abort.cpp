#include "framework/parallel/abort.hpp"

#include <errno.h>  // program_invocation_short_name of glibc
#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "framework/parallel/last_word.hpp"
#include "framework/parallel/stop_request.hpp"

namespace stencil {
namespace {

using namespace std::chrono_literals;

/// Longest time to wait until the rank that prints the message has ended the job.
constexpr auto most_wait = 60s;
/// Time that a rank waits before it prints, so that a rank that has cleaned up can print first.
constexpr auto head_start = 300ms;

std::atomic<bool> is_ending{false};
std::atomic<bool> asks_for_reports{false};
thread_local bool ends_in_this_thread = false;
std::atomic<int> second_reason{0};  // a signal that arrived while another thread was ending the
                                    // process

/// Never destroyed, because a thread that waits for signals may still run when the program returns.
struct Cleanups {
  std::mutex mutex;
  std::list<std::function<bool()>> newest_first;
};
Cleanups& cleanups() {
  static auto& all = *new Cleanups;
  return all;
}

/// Runs the cleanups. Returns whether this rank removed something; std::nullopt if there is no
/// cleanup. Keeps the lock, so that no other thread can remove or add a cleanup afterwards.
std::optional<bool> clear_up() {
  Cleanups& all = cleanups();
  all.mutex.lock();
  if (all.newest_first.empty()) return std::nullopt;
  bool is_ours = false;
  for (const auto& clear : all.newest_first) is_ours |= clear();
  return is_ours;
}

void write_line(const std::string& message) {
  const std::string line = program_invocation_short_name + (": " + message) + "\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

[[noreturn]] void wait_for_the_end() {
  for (;;) ::pause();
}

/// Waits until another rank, which has cleaned up, prints the line and ends this rank.
void wait_for_speaker() {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < most_wait) {
    if (const int signal = second_reason) ::_exit(status_of(signal));
    std::this_thread::sleep_for(20ms);
  }
}

}  // namespace

namespace {

/// Handles a call of exit() by a library. OpenMP calls exit() if the system cannot start a thread.
void clear_up_at_exit() {
  if (ends_in_this_thread) return;  // MPI_Abort may also call exit()
  if (is_ending) wait_for_the_end();
  {
    const std::lock_guard lock(cleanups().mutex);
    if (cleanups().newest_first.empty()) return;
  }
  abort_job(Status::machine,
            "ended by a library that it uses, which may have said why: too few threads (ulimit "
            "-u, OMP_NUM_THREADS) or too little memory");
}

/// Registers the handler many times. If several threads call exit() at once, each of them runs
/// different handlers, and each must run this one.
bool register_at_exit() {
  constexpr int most_threads = 64;
  for (int i = 0; i < most_threads; ++i) std::atexit(clear_up_at_exit);
  return true;
}

}  // namespace

AbortCleanup::AbortCleanup(std::function<bool()> clear) {
  [[maybe_unused]] static const bool is_registered = register_at_exit();
  const std::lock_guard lock(cleanups().mutex);
  cleanups().newest_first.push_front(std::move(clear));
  entry_ = cleanups().newest_first.begin();
}

AbortCleanup::~AbortCleanup() {
  const std::lock_guard lock(cleanups().mutex);
  cleanups().newest_first.erase(entry_);
}

void ask_for_reports() {
  asks_for_reports = true;
}

std::string line_of(Status status, const std::string& message) {
  const std::string request = "a bug in the program, please report it: ";
  const bool asks = asks_for_reports && status == Status::bug;
  return asks && message.find(request) == std::string::npos ? request + message : message;
}

void abort_job(Status status, const std::string& message) {
  if (is_ending.exchange(true)) wait_for_the_end();
  ends_in_this_thread = true;
  if (!clear_up().value_or(true)) wait_for_speaker();
  if (take_last_word()) write_line(line_of(status, message));
  int initialised = 0, finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  // MPI_Abort prints further lines, but nothing else ends all ranks at once
  if (initialised && !finalised) MPI_Abort(MPI_COMM_WORLD, static_cast<int>(status));
  ::_exit(static_cast<int>(status));
}

void end_by_signal(int signal, bool is_first, bool is_of_launcher) {
  if (is_ending.exchange(true)) {
    second_reason = signal;
    wait_for_the_end();
  }
  const std::optional<bool> is_cleared = clear_up();
  const bool is_ours = is_cleared.value_or(false);
  // if the job runs on several nodes, the launcher may have sent the signal because a rank on
  // another node has failed and printed the reason; take_last_word() does not coordinate nodes
  bool speaks = is_ours || (is_first && !(spans_nodes() && is_of_launcher));
  // If the signal was sent to this rank only, this rank prints the line: mpirun is about to end the
  // other ranks, and may close their stderr before it has read a line that rank 0 prints.
  speaks |= !is_cleared && !is_of_launcher && is_last_word_of_job();
  // when the first rank has ended, mpirun ends the others and no longer reads their output
  if (!speaks || (is_cleared && !is_ours)) std::this_thread::sleep_for(head_start);
  speaks = speaks && take_last_word();
  const bool goes_on = status_of(signal) != 128 + signal;
  const char* what = is_output_complete()
                         ? "the output is complete under its name, but its report may be missing"
                     : goes_on ? "run it again to continue from the saved state, if there is one"
                     : is_ours ? "the unfinished output was removed, run it again"
                               : "run it again";
  if (speaks) write_line(std::string("stopped by ") + name_of_signal(signal) + ": " + what);
  ::_exit(status_of(signal));
}

}  // namespace stencil
