#include "io/read/direct_read.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>

#include "framework/grid/error.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/system_error.hpp"

namespace stencil::storage {
namespace {

constexpr Index block_bytes = Index{256} << 10;  // fits into the cache of one core
constexpr Index shortest_run_bytes =
    Index{16} << 10;  // for shorter runs, system calls cost more than copying

}  // namespace

DirectFile::DirectFile(const std::string& file, const std::string& where, Index offset,
                       Index element_bytes)
    : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)),
      where_(where),
      offset_(offset),
      element_bytes_(element_bytes) {
  if (descriptor_ < 0)
    throw StorageError(fmt::format("cannot open {}: {}: {}", one_line(file), std::strerror(errno),
                                   remedy_of(errno)));
}

DirectFile::~DirectFile() {
  ::close(descriptor_);
}

int DirectFile::error_of_block(const Runs& runs, Index first, Index n, std::byte* buffer) const {
  for (Index done = 0; done < n;) {
    const Index run = (first + done) / runs.length();
    const Index inside = first + done - run * runs.length();
    const Index length = std::min(n - done, runs.length() - inside);
    const int error =
        read_exactly(descriptor_, buffer + done * element_bytes_, length * element_bytes_,
                     offset_ + (runs.offset(run) + inside) * element_bytes_);
    if (error != 0) return error;
    done += length;
  }
  return 0;
}

bool DirectFile::read(const std::vector<Index>& dims, const Piece& piece, const Take& take) const {
  const Runs runs({std::vector<Index>(dims.size(), 0), dims}, piece);
  const Index points = piece.points(), block = block_bytes / element_bytes_;
  if (runs.length() < points && runs.length() * element_bytes_ < shortest_run_bytes) return false;
  const Index blocks = (points - 1) / block + 1;
  std::atomic<int> failed{0};
#pragma omp parallel if (blocks > 1)
  {
    const std::unique_ptr<std::byte[]> buffer(new (std::nothrow)
                                                  std::byte[static_cast<std::size_t>(block_bytes)]);
    if (!buffer) failed = ENOMEM;
#pragma omp for schedule(static)
    for (Index i = 0; i < blocks; ++i) {
      if (failed != 0) continue;
      const Index first = i * block, n = std::min(block, points - first);
      if (const int error = error_of_block(runs, first, n, buffer.get()))
        failed = error;
      else
        take(buffer.get(), first, n);
    }
  }
  if (failed == cut_off)
    throw StorageError(fmt::format(
        "{} ends before its last point: the file was cut off while it was read", where_));
  if (failed != 0)
    throw StorageError(fmt::format("cannot read {}: {}", where_, std::strerror(failed)));
  return true;
}

}  // namespace stencil::storage
