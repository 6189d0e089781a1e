#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept { *this = std::move(other); }
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }
  /// Closes the descriptor. @returns 0 or an errno; written data may be lost if the result is not 0
  int close();
  /// Releases ownership of the descriptor.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

/// Returned by the functions below if the file ends before the requested bytes.
inline constexpr int cut_off = -1;

/// Reads exactly `bytes`, beginning at offset `at` of a file; repeats interrupted and short calls.
/// @returns 0, an errno, or cut_off
int read_exactly(int descriptor, std::byte* to, Index bytes, Index at);

/// Like read_exactly(), but reads up to `most` bytes if the file has them. This is for direct I/O,
/// which requires whole pages, although the last page of a file may be incomplete.
int read_at_least(int descriptor, std::byte* to, Index bytes, Index most, Index at);

/// Writes exactly `bytes`, beginning at offset `at` of a file; repeats interrupted and short calls.
/// @returns 0 or an errno
int write_exactly(int descriptor, const std::byte* from, Index bytes, Index at);

/// Returns a path by which an open file can be opened again, even if its folder has been moved or
/// renamed.
std::string name_of_open(int descriptor);

}  // namespace stencil::storage
