#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include "framework/grid/error.hpp"
#include "framework/grid/shape.hpp"

namespace stencil::cpu {

/// Memory of `threads` threads for intermediate rows, not initialised, so that each thread touches
/// its own part first.
template <class T>
class Scratch {
 public:
  /// @param elements  per thread
  /// @throws MachineError  not enough memory; the message names the bytes asked for.
  Scratch(int threads, Index elements)
      : threads_(threads),
        elements_((elements + line - 1) / line * line),
        memory_(static_cast<T*>(std::aligned_alloc(64, bytes(threads)))) {
    if (memory_) return;
    throw MemoryError(
        fmt::format("no memory for {} bytes of intermediate rows: use more ranks or set run.memory",
                    bytes(threads)));
  }

  int threads() const { return threads_; }
  T* of_thread(int thread) const { return memory_.get() + thread * elements_; }

 private:
  static constexpr Index line = 64;  // elements: whole cache lines for each thread

  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };

  std::size_t bytes(int threads) const {
    return std::size_t(checked_multiply(threads, elements_)) * sizeof(T) + line;
  }

  int threads_;
  Index elements_;
  std::unique_ptr<T, Free> memory_;
};

}  // namespace stencil::cpu
