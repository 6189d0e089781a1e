#include "framework/parallel/crash_guard.hpp"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <system_error>
#include <utility>

#include "framework/parallel/abort.hpp"

namespace stencil {
namespace {

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr unsigned seconds_to_clear_up = 5;  // afterwards SIGALRM ends the process without further
                                             // cleanup

std::array<struct sigaction, crashes.size()> before;
sem_t has_crashed;
std::atomic<bool> is_taken{false};  // whether a guard is active

void on_crash(int) {
  ::alarm(seconds_to_clear_up);
  ::sem_post(&has_crashed);
  for (;;) ::pause();
}

}  // namespace

CrashGuard::CrashGuard(std::string message)
    : CrashGuard([line = std::move(message)] { return line; }) {}

CrashGuard::CrashGuard(std::function<std::string()> message) : message_(std::move(message)) {
  if (is_taken.exchange(true)) return;
  ::sem_init(&has_crashed, 0, 0);
  try {
    watcher_ = std::thread(&CrashGuard::wait, this);
  } catch (const std::system_error&) {  // if no thread can be started, the guard has no effect
    is_taken = false;
    return;
  }
  struct sigaction action {};
  action.sa_handler = on_crash;
  for (std::size_t i = 0; i < crashes.size(); ++i) ::sigaction(crashes[i], &action, &before[i]);
}

CrashGuard::~CrashGuard() {
  if (!watcher_.joinable()) return;
  for (std::size_t i = 0; i < crashes.size(); ++i) ::sigaction(crashes[i], &before[i], nullptr);
  is_over_ = true;
  ::sem_post(&has_crashed);
  watcher_.join();
  is_taken = false;
}

void CrashGuard::wait() {
  while (::sem_wait(&has_crashed) != 0) {
  }
  if (!is_over_) abort_job(Status::storage, message_());
}

}  // namespace stencil
