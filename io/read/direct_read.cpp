#include "io/read/direct_read.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>

#include "framework/grid/error.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/system_error.hpp"

namespace stencil::storage {
namespace {

constexpr Index block_bytes = Index{256} << 10;  // fits into the cache of one core
// for shorter runs, system calls take longer than copying
constexpr Index shortest_run_bytes = Index{16} << 10;

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

/// The rows of the file that contain the points of a hyperslab. Each row is one contiguous range of
/// the file. All rows contain the same number of points of the hyperslab, at the same positions
/// within the row.
struct DirectFile::Rows {
  Piece wide;       ///< the hyperslab, extended to the dataset's full extent along the axes of a
                    ///< row
  Index row = 1;    ///< points of a row in the file
  Index taken = 1;  ///< number of points of the hyperslab in a row
  Index first = 0;  ///< position in the row of the first of these points
  Scattered places{};

  /// Returns whether reading whole rows takes less time than reading each run of the hyperslab
  /// separately.
  bool are_dense(Index element_bytes) const {
    // largest number of points that are read for one point that is used
    constexpr Index most_read = 32;
    return row * element_bytes <= block_bytes && row <= most_read * taken;
  }
};

DirectFile::Rows DirectFile::rows_of(const std::vector<Index>& dims, const Piece& piece,
                                     Index element_bytes) {
  Rows rows{.wide = piece};
  std::vector<Index> count, pitch;
  for (std::size_t axis = dims.size();
       axis-- > 0 && rows.row * element_bytes < shortest_run_bytes;) {
    rows.wide.start[axis] = 0;
    rows.wide.count[axis] = dims[axis];
    rows.first += piece.start[axis] * rows.row;
    count.insert(count.begin(), piece.count[axis]);
    pitch.insert(pitch.begin(), rows.row);
    rows.row *= dims[axis];
    rows.taken *= piece.count[axis];
  }
  rows.places = Scattered(count, pitch);
  return rows;
}

namespace {

template <class Word>
void pick(const Scattered& places, Index count, const std::byte* row, std::byte* to) {
  const auto* from = reinterpret_cast<const Word*>(row);
  auto* next = reinterpret_cast<Word*>(to);
  places.for_rows(0, count, [&](Index offset, Index n, Index pitch) {
    for (Index i = 0; i < n; ++i) *next++ = from[offset + i * pitch];
  });
}

void pick(const Scattered& places, Index count, Index element_bytes, const std::byte* row,
          std::byte* to) {
  if (element_bytes == 1) return pick<std::uint8_t>(places, count, row, to);
  if (element_bytes == 2) return pick<std::uint16_t>(places, count, row, to);
  if (element_bytes == 4) return pick<std::uint32_t>(places, count, row, to);
  pick<std::uint64_t>(places, count, row, to);
}

}  // namespace

void DirectFile::read_rows(const std::vector<Index>& dims, const Rows& rows,
                           const Take& take) const {
  const Runs runs({std::vector<Index>(dims.size(), 0), dims}, rows.wide);
  const Index count = rows.wide.points() / rows.row;
  const Index each = std::max<Index>(1, block_bytes / element_bytes_ / rows.row);  // rows per block
  const Index blocks = (count - 1) / each + 1;
  std::atomic<int> failed{0};
#pragma omp parallel if (blocks > 1)
  {
    // the points that are read, followed by the points that are extracted from them
    const std::unique_ptr<std::byte[]> buffer(
        new (std::nothrow) std::byte[static_cast<std::size_t>(2 * block_bytes)]);
    if (!buffer) failed = ENOMEM;
#pragma omp for schedule(static)
    for (Index i = 0; i < blocks; ++i) {
      if (failed != 0) continue;
      const Index first = i * each, n = std::min(each, count - first);
      if (const int error = error_of_block(runs, first * rows.row, n * rows.row, buffer.get())) {
        failed = error;
        continue;
      }
      std::byte* const picked = buffer.get() + block_bytes;
      for (Index row = 0; row < n; ++row)
        pick(rows.places, rows.taken, element_bytes_,
             buffer.get() + (row * rows.row + rows.first) * element_bytes_,
             picked + row * rows.taken * element_bytes_);
      take(picked, first * rows.taken, n * rows.taken);
    }
  }
  throw_if(failed);
}

bool DirectFile::read(const std::vector<Index>& dims, const Piece& piece, const Take& take) const {
  const Runs runs({std::vector<Index>(dims.size(), 0), dims}, piece);
  const Index points = piece.points(), block = block_bytes / element_bytes_;
  if (runs.length() < points && runs.length() * element_bytes_ < shortest_run_bytes) {
    const Rows rows = rows_of(dims, piece, element_bytes_);
    if (!rows.are_dense(element_bytes_)) return false;
    read_rows(dims, rows, take);
    return true;
  }
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
  throw_if(failed);
  return true;
}

void DirectFile::throw_if(int error) const {
  if (error == cut_off)
    throw StorageError(fmt::format(
        "{} ends before its last point: the file was cut off while it was read", where_));
  if (error != 0)
    throw StorageError(fmt::format("cannot read {}: {}", where_, std::strerror(error)));
}

}  // namespace stencil::storage
