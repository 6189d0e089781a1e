// Arrays next to pages that cannot be accessed.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <stdexcept>

namespace stencil::test {

/// Memory for some points that begins or ends at a page without access, so that reading or writing
/// outside of this memory ends the program.
template <class T>
class GuardedArray {
 public:
  /// @param at_end  true: the points end at such a page; false: the points begin after such a page
  GuardedArray(std::size_t count, bool at_end) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t bytes = count * sizeof(T), pages = (bytes + page - 1) / page * page;
    bytes_ = pages + 2 * page;
    memory_ = ::mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::runtime_error("mmap failed");
    auto* const start = static_cast<std::byte*>(memory_) + page;
    if (::mprotect(start, pages, PROT_READ | PROT_WRITE) != 0)
      throw std::runtime_error("mprotect failed");
    data_ = reinterpret_cast<T*>(at_end ? start + (pages - bytes) : start);
  }
  ~GuardedArray() { ::munmap(memory_, bytes_); }
  GuardedArray(const GuardedArray&) = delete;
  GuardedArray& operator=(const GuardedArray&) = delete;

  T* data() const { return data_; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  T* data_ = nullptr;
};

}  // namespace stencil::test
