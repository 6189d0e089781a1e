#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include "framework/grid/error.hpp"
#include "framework/grid/shape.hpp"

namespace stencil::cpu {

/// Memory for intermediate rows of `threads` threads. It is not initialised, so that each thread is
/// the first to access its part. Each part is followed by a gap that is never accessed. A processor
/// that detects the stride of a thread's rows prefetches some strides beyond their end. Without the
/// gap, the processor would prefetch lines that the next thread is writing, and would thus remove
/// these lines from the cache of the next thread (docs/decisions/transforms.md).
template <class T>
class Scratch {
 public:
  /// @param elements  number of elements per thread
  /// @throws MachineError  not enough memory; the message has the number of bytes
  Scratch(int threads, Index elements)
      : threads_(threads),
        pitch_((elements + line - 1) / line * line + apart / Index{sizeof(T)}),
        memory_(static_cast<T*>(std::aligned_alloc(64, bytes(threads)))) {
    if (memory_) return;
    throw MemoryError(
        fmt::format("no memory for {} bytes of intermediate rows: use more ranks or fewer threads",
                    bytes(threads)));
  }

  int threads() const { return threads_; }
  T* of_thread(int thread) const { return memory_.get() + thread * pitch_; }

  /// Number of bytes between the parts of two threads: a little more than 8 strides of 32 KiB, the
  /// distance between the rows of a tile of 256 columns. With 4 strides, a tenth of the speed was
  /// still lost. The gap uses address space but no memory, unless the system always uses huge
  /// pages.
  static constexpr Index apart = 260 << 10;

 private:
  static constexpr Index line = 64;  // elements: whole cache lines for each thread

  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };

  std::size_t bytes(int threads) const {
    return std::size_t(checked_multiply(threads, pitch_)) * sizeof(T) + line;
  }

  int threads_;
  Index pitch_;  ///< number of elements from thread to thread
  std::unique_ptr<T, Free> memory_;
};

}  // namespace stencil::cpu
