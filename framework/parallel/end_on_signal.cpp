#include "framework/parallel/end_on_signal.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <thread>

#include "framework/parallel/abort.hpp"
#include "framework/parallel/stop_request.hpp"

namespace stencil {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds most_to_clear_up = 30s;

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t signals_to_wait_for() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2})
    if (!is_ignored(signal)) ::sigaddset(&signals, signal);
  return signals;
}

siginfo_t wait_for(const sigset_t& signals) {
  siginfo_t info{};
  while (::sigwaitinfo(&signals, &info) < 0 && errno == EINTR) {
  }
  return info;
}

/// Waits at most `most`. Returns std::nullopt if no signal arrived in that time.
std::optional<siginfo_t> wait_for(const sigset_t& signals, std::chrono::milliseconds most) {
  const timespec time{most.count() / 1000, most.count() % 1000 * 1'000'000};
  siginfo_t info{};
  if (::sigtimedwait(&signals, &info, &time) < 0) return std::nullopt;
  return info;
}

/// Returns the longest time that writing a file next to the output may take after a signal. After a
/// signal of mpirun this time is short: mpirun kills its ranks one second after SIGTERM, and before
/// that they should report that the output is complete.
std::chrono::milliseconds patience_after(const siginfo_t& info) {
  const bool is_of_mpirun =
      std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr && info.si_pid == ::getppid();
  return is_of_mpirun ? 300ms : 5s;
}

/// Returns the signals that end this process at once if they follow a first signal. After a SIGXCPU
/// a further SIGXCPU is excluded, because the system repeats it every second.
sigset_t further_signals(sigset_t signals, int first) {
  if (first == SIGXCPU) ::sigdelset(&signals, SIGXCPU);
  return signals;
}

/// Waits for the signal that ends this process: the first signal, or a further signal if
/// keep_signal() returns true for the first. A further signal within one second is ignored, because
/// a launcher and a batch queue may both send the signal that stops the program cleanly.
siginfo_t wait_for_the_last(const sigset_t& signals) {
  const siginfo_t first = wait_for(signals);
  if (!keep_signal(first.si_signo)) return first;
  const auto kept = std::chrono::steady_clock::now();
  const auto patience = patience_after(first);
  const sigset_t others = further_signals(signals, first.si_signo);
  for (;;) {
    const auto further = wait_for(others, 200ms);
    const bool is_in_time = std::chrono::steady_clock::now() - kept < 1s;
    if (further && !(stops_by_itself() && is_in_time)) return *further;
    if (hangs_in_side_work(kept, patience)) return first;
  }
}

/// Cleans up in another thread, because the cleanup may hang if the storage does not respond. A
/// further signal ends the process. Signals within the first second are ignored, because a launcher
/// that sees one rank end sends a second signal to the others. If no further signal arrives, the
/// cleanup is abandoned after most_to_clear_up.
void end_in_order(const sigset_t& signals, bool is_first) {
  const siginfo_t info = wait_for_the_last(signals);
  const bool is_of_launcher = info.si_pid == ::getppid();
  try {
    std::thread(end_by_signal, info.si_signo, is_first, is_of_launcher).detach();
  } catch (const std::system_error&) {  // no thread could be started
    end_by_signal(info.si_signo, is_first, is_of_launcher);
  }
  std::this_thread::sleep_for(1s);
  const auto further = wait_for(further_signals(signals, info.si_signo), most_to_clear_up);
  ::_exit(further ? 128 + further->si_signo : status_of(info.si_signo));
}

}  // namespace

void end_on_signal(bool is_first) {
  ::signal(SIGPIPE, SIG_IGN);
  const sigset_t signals = signals_to_wait_for();
  if (::pthread_sigmask(SIG_BLOCK, &signals, nullptr) != 0) return;
  try {
    std::thread(end_in_order, signals, is_first).detach();
  } catch (const std::system_error&) {
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // the signals then end the process without
                                                        // a cleanup
  }
}

void let_signals_through() {
  const sigset_t signals = signals_to_wait_for();
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace stencil
