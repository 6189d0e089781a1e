#pragma once

#include <string>

#include "framework/device/executor.hpp"
#include "framework/device/span_log.hpp"

namespace stencil {

/// Names a scope in a profiler's timeline and in the SpanLog of this process; scopes can be nested.
class NamedRange {
 public:
  NamedRange(Executor& executor, const std::string& name) : executor_(executor), span_(name) {
    executor.begin_range(name.c_str());
  }
  ~NamedRange() { executor_.end_range(); }
  NamedRange(const NamedRange&) = delete;
  NamedRange& operator=(const NamedRange&) = delete;

 private:
  Executor& executor_;
  RecordedSpan span_;
};

}  // namespace stencil
