#include "framework/parallel/stop_request.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <mutex>

namespace stencil {
namespace {

std::mutex mutex;
bool is_alive = false;
bool is_finishing = false;
int kept = 0, passed_over = 0;
std::atomic<int> status_instead{0};

}  // namespace

StopRequest::StopRequest() {
  const std::lock_guard lock(mutex);
  is_alive = true;
  kept = 0;
}

StopRequest::~StopRequest() {
  const std::lock_guard lock(mutex);
  is_alive = false;
  if (kept != 0) ::kill(::getpid(), kept);
}

int StopRequest::take() {
  const std::lock_guard lock(mutex);
  const int signal = kept;
  kept = 0;
  return signal;
}

bool keep_signal(int signal) {
  const std::lock_guard lock(mutex);
  if (is_alive)
    kept = signal;
  else if (is_finishing)
    passed_over = signal;
  return is_alive || is_finishing;
}

bool stops_by_itself() {
  const std::lock_guard lock(mutex);
  return is_alive || is_finishing;
}

void finish_despite_signals() {
  set_status_of_signals(Status::done);
  const std::lock_guard lock(mutex);
  is_finishing = true;
}

void end_on_signals_again() {
  const std::lock_guard lock(mutex);
  is_finishing = false;
  if (passed_over != 0) ::kill(::getpid(), passed_over);
}

void set_status_of_signals(Status status) {
  status_instead = static_cast<int>(status);
}

int status_of(int signal) {
  const int instead = status_instead;
  return instead != 0 ? instead : 128 + signal;
}

const char* name_of_signal(int signal) {
  switch (signal) {
    case SIGTERM:
      return "SIGTERM";
    case SIGINT:
      return "SIGINT";
    case SIGHUP:
      return "SIGHUP";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGUSR2:
      return "SIGUSR2";
    default:
      return ::strsignal(signal);
  }
}

}  // namespace stencil
