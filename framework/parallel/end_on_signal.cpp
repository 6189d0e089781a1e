#include "framework/parallel/end_on_signal.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "framework/parallel/abort.hpp"
#include "framework/parallel/stop_request.hpp"

namespace stencil {
namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t signals_to_wait_for() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2})
    if (!is_ignored(signal)) ::sigaddset(&signals, signal);
  return signals;
}

siginfo_t wait_for(const sigset_t& signals) {
  siginfo_t info{};
  while (::sigwaitinfo(&signals, &info) < 0 && errno == EINTR) {
  }
  return info;
}

/// The first signal that ends this process. A launcher and a queue may both send the one by which
/// the program stops by itself.
siginfo_t wait_for_the_last(const sigset_t& signals) {
  siginfo_t info = wait_for(signals);
  if (!keep_signal(info.si_signo)) return info;
  const auto kept = std::chrono::steady_clock::now();
  do {
    info = wait_for(signals);
  } while (stops_by_itself() && std::chrono::steady_clock::now() - kept < std::chrono::seconds(1));
  return info;
}

/// Clears up in another thread, because clearing up may hang: the storage may have stopped
/// answering. The first second is left to it, since a launcher that sees one rank end sends the
/// others a second signal.
void end_in_order(const sigset_t& signals, bool is_first) {
  const siginfo_t info = wait_for_the_last(signals);
  const bool is_of_launcher = info.si_pid == ::getppid();
  try {
    std::thread(end_by_signal, info.si_signo, is_first, is_of_launcher).detach();
  } catch (const std::system_error&) {  // no thread could be started
    end_by_signal(info.si_signo, is_first, is_of_launcher);
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  ::_exit(128 + wait_for(signals).si_signo);
}

}  // namespace

void end_on_signal(bool is_first) {
  const sigset_t signals = signals_to_wait_for();
  if (::pthread_sigmask(SIG_BLOCK, &signals, nullptr) != 0) return;
  try {
    std::thread(end_in_order, signals, is_first).detach();
  } catch (const std::system_error&) {
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // they end it, if not in order
  }
}

void let_signals_through() {
  const sigset_t signals = signals_to_wait_for();
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace stencil
