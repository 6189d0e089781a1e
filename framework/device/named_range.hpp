#pragma once

#include <string>

#include "framework/device/executor.hpp"

namespace stencil {

/// Names a scope in a profiler's timeline; they nest.
class NamedRange {
 public:
  NamedRange(Executor& executor, const std::string& name) : executor_(executor) {
    executor.begin_range(name.c_str());
  }
  ~NamedRange() { executor_.end_range(); }
  NamedRange(const NamedRange&) = delete;
  NamedRange& operator=(const NamedRange&) = delete;

 private:
  Executor& executor_;
};

}  // namespace stencil
