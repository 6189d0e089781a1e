#pragma once

#include <fstream>
#include <string>

#include "framework/grid/shape.hpp"

namespace stencil::testing {

/// Largest increase of this process's memory since the watch began.
class MemoryWatch {
 public:
  MemoryWatch() {
    std::ofstream("/proc/self/clear_refs") << 5;  // resets the recorded peak
    before_ = status("VmRSS:");
  }
  Index growth() const { return status("VmHWM:") - before_; }

 private:
  static Index status(const std::string& wanted) {
    std::ifstream file("/proc/self/status");
    for (std::string key; file >> key; std::getline(file, key))
      if (Index kibibytes = 0; key == wanted && file >> kibibytes) return kibibytes * 1024;
    return 0;
  }

  Index before_ = 0;
};

}  // namespace stencil::testing
