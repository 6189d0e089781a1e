#include "io/hdf5/file_access.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace stencil::storage {
namespace {

constexpr Index most_per_call = Index{1} << 30;  // Linux transfers slightly less than 2 GiB per
                                                 // call

}  // namespace

int Descriptor::close() {
  const int number = std::exchange(number_, -1);
  // Linux closes the descriptor even if close() returns EINTR
  return number < 0 || ::close(number) == 0 || errno == EINTR ? 0 : errno;
}

int read_exactly(int descriptor, std::byte* to, Index bytes, Index at) {
  return read_at_least(descriptor, to, bytes, bytes, at);
}

int read_at_least(int descriptor, std::byte* to, Index bytes, Index most, Index at) {
  while (bytes > 0) {
    const auto size = static_cast<std::size_t>(std::min(most, most_per_call));
    const ssize_t got = ::pread(descriptor, to, size, at);
    if (got < 0 && errno != EINTR) return errno;
    if (got == 0) return cut_off;
    if (got > 0) to += got, at += got, bytes -= got, most -= got;
  }
  return 0;
}

int write_exactly(int descriptor, const std::byte* from, Index bytes, Index at) {
  while (bytes > 0) {
    const auto size = static_cast<std::size_t>(std::min(bytes, most_per_call));
    const ssize_t done = ::pwrite(descriptor, from, size, at);
    if (done < 0 && errno != EINTR) return errno;
    if (done == 0) return EIO;  // otherwise the loop would never end
    if (done > 0) from += done, at += done, bytes -= done;
  }
  return 0;
}

std::string name_of_open(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

}  // namespace stencil::storage
