#include "drivers/job/report/job_context.hpp"

#include "framework/parallel/stop_request.hpp"

namespace stencil {

Listener& nobody() {
  static Listener silent;
  return silent;
}

std::string by_whom(int reason) {
  if (reason == StopToken::by_call) return "by a call of Job::stop()";
  return std::string("by ") + name_of_signal(reason);
}

}  // namespace stencil
