#include "io/write/blocks/work_behind.hpp"

#include <system_error>
#include <utility>

#include "framework/parallel/leave_place.hpp"

namespace stencil::storage {

void WorkBehind::start(std::function<void()> work) {
  join();
  auto guarded = [this, work = std::move(work)] {
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
  };
  try {
    thread_ = std::thread([guarded] {
      leave_place();
      guarded();
    });
  } catch (const std::system_error&) {
    guarded();
  }
}

void WorkBehind::wait() {
  join();
  if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
}

}  // namespace stencil::storage
