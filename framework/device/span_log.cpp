#include "framework/device/span_log.hpp"

#include <atomic>
#include <stdexcept>

namespace stencil {
namespace {

std::atomic<SpanLog*> living{nullptr};

}  // namespace

SpanLog::SpanLog(std::size_t most) : most_(most), threads_{{std::this_thread::get_id(), 0}} {
  SpanLog* none = nullptr;
  if (!living.compare_exchange_strong(none, this))
    throw std::logic_error("a process has one log at a time");
}

SpanLog::~SpanLog() {
  living = nullptr;
}

SpanLog* SpanLog::current() {
  return living;
}

void SpanLog::add(std::string name, std::string row, Clock::time_point begin,
                  Clock::time_point end) {
  const auto seconds = [&](Clock::time_point time) {
    return std::chrono::duration<double>(time - start_).count();
  };
  const std::lock_guard lock(mutex_);
  if (spans_.size() == most_) {
    ++left_out_;
    return;
  }
  const auto [thread, is_new] =
      threads_.try_emplace(std::this_thread::get_id(), static_cast<int>(threads_.size()));
  spans_.push_back({std::move(name), std::move(row), thread->second, seconds(begin), seconds(end)});
}

std::vector<SpanLog::Span> SpanLog::spans() const {
  const std::lock_guard lock(mutex_);
  return spans_;
}

std::size_t SpanLog::left_out() const {
  const std::lock_guard lock(mutex_);
  return left_out_;
}

}  // namespace stencil
