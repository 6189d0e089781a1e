#include "framework/parallel/stop_request.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

namespace stencil {
namespace {

std::mutex mutex;
StopToken* asked = nullptr;  // set while a StopRequest exists
bool is_finishing = false;
int passed_over = 0;
std::atomic<int> status_instead{0};
std::atomic<bool> has_named_output{false};
std::optional<std::chrono::steady_clock::time_point> side_work_since;

}  // namespace

StopRequest::StopRequest(StopToken& token) {
  const std::lock_guard lock(mutex);
  asked = &token;
}

StopRequest::~StopRequest() {
  const std::lock_guard lock(mutex);
  const int untaken = std::exchange(asked, nullptr)->take();
  if (untaken != 0 && untaken != StopToken::by_call) ::kill(::getpid(), untaken);
}

bool keep_signal(int signal) {
  const std::lock_guard lock(mutex);
  if (asked)
    asked->ask(signal);
  else if (is_finishing)
    passed_over = signal;
  return asked || is_finishing;
}

bool stops_by_itself() {
  const std::lock_guard lock(mutex);
  return asked || is_finishing;
}

void finish_despite_signals() {
  set_status_of_signals(Status::done);
  const std::lock_guard lock(mutex);
  is_finishing = true;
}

void end_on_signals_again() {
  has_named_output = false;
  const std::lock_guard lock(mutex);
  is_finishing = false;
  if (passed_over != 0) ::kill(::getpid(), passed_over);
}

void tell_output_is_complete() {
  has_named_output = true;
}

bool is_output_complete() {
  return has_named_output;
}

SideWork::SideWork() {
  const std::lock_guard lock(mutex);
  side_work_since = std::chrono::steady_clock::now();
}

SideWork::~SideWork() {
  const std::lock_guard lock(mutex);
  side_work_since.reset();
}

bool hangs_in_side_work(std::chrono::steady_clock::time_point signalled,
                        std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex);
  return side_work_since &&
         std::chrono::steady_clock::now() - std::max(*side_work_since, signalled) > patience;
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
    case SIGQUIT:
      return "SIGQUIT";
    case SIGXCPU:
      return "SIGXCPU";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGUSR2:
      return "SIGUSR2";
    default:
      return ::strsignal(signal);
  }
}

}  // namespace stencil
