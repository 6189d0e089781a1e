#include "io/write/blocks/packed_store.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/write_errors.hpp"

namespace stencil::storage {

int PackedStore::open_file() const {
  const int without_name = ::openat(folder_, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  const bool is_unknown = errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT;
  if (without_name >= 0 || !is_unknown) return without_name;
  // if the file system does not support unnamed files, a file is created and its name is removed
  std::random_device random;
  int named = -1;
  for (int attempt = 0; named < 0 && attempt < 10; ++attempt) {
    const std::string name = fmt::format(".stencil_packed.{:08x}{:08x}", random(), random());
    named =
        ::openat(folder_, name.c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0600);
    if (named >= 0) ::unlinkat(folder_, name.c_str(), 0);
    if (named < 0 && errno != EEXIST) break;
  }
  return named;
}

Index PackedStore::add(std::span<const std::byte> chunk) {
  const auto bytes = static_cast<Index>(chunk.size());
  Index at = 0;
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (!file_ && held_ + bytes <= most_in_memory) {
      if (!memory_) memory_ = CpuExecutor().allocate(most_in_memory);
      std::memcpy(memory_.get() + held_, chunk.data(), chunk.size());
      return std::exchange(held_, held_ + bytes);
    }
    if (!file_) {
      file_ = Descriptor(open_file());
      if (!file_)
        throw_unwritable("cannot make a file for packed chunks beside " + one_line(output_), errno,
                         output_);
    }
    at = file_bytes_;
    file_bytes_ += bytes;
  }
  if (const int error = write_exactly(file_.number(), chunk.data(), bytes, at))
    throw_unwritable("cannot keep packed chunks of " + one_line(output_), error, output_);
  return most_in_memory + at;
}

void PackedStore::clear() {
  held_ = 0;
  file_ = Descriptor();
  file_bytes_ = 0;
}

void PackedStore::read(Index at, Index bytes, std::byte* to) const {
  if (at < most_in_memory) {
    std::memcpy(to, memory_.get() + at, static_cast<std::size_t>(bytes));
    return;
  }
  if (const int error = read_exactly(file_.number(), to, bytes, at - most_in_memory))
    throw StorageError(fmt::format(
        "cannot read packed chunks of {} back: {}: choose another folder", one_line(output_),
        error == cut_off ? "they are cut off" : std::strerror(error)));
}

}  // namespace stencil::storage
