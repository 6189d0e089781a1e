#include "io/write/blocks/file_structure.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/file_access.hpp"

namespace stencil::storage {
namespace {

constexpr Index most_bytes = Index{1} << 20;  // size of a range; limits the memory for reading back

std::uint64_t sum_of(const std::byte* from, Index bytes) {
  return checksum_of(from, static_cast<std::size_t>(bytes));
}

}  // namespace

int FileStructure::write(int file, const std::byte* from, Index bytes, Index at) {
  if (const int error = write_points(file, from, bytes, at)) return error;
  add(from, bytes, at);
  return 0;
}

int FileStructure::write_points(int file, const std::byte* from, Index bytes, Index at) {
  if (const int error = forget(file, at, at + bytes)) return fail(error);
  return fail(write_exactly(file, from, bytes, at));
}

int FileStructure::set_length(int file, Index bytes) {
  if (const int error = forget(file, bytes, std::numeric_limits<Index>::max())) return fail(error);
  int error = 0;
  do {
    error = ::ftruncate(file, bytes) == 0 ? 0 : errno;
  } while (error == EINTR);
  return fail(error);
}

int FileStructure::fail(int error) {
  if (error_ == 0) error_ = error;
  return error;
}

std::vector<Written> FileStructure::records() const {
  std::vector<Written> records;
  records.reserve(ranges_.size());
  for (const auto& [at, range] : ranges_) records.push_back({-1, range.checksum, range.bytes, at});
  return records;
}

void FileStructure::add(const std::byte* from, Index bytes, Index at) {
  for (Index done = 0; done < bytes; done += most_bytes) {
    const Index n = std::min(most_bytes, bytes - done);
    ranges_.insert_or_assign(at + done, Range{n, sum_of(from + done, n)});
  }
}

/// Removes bytes from all ranges. If only a part of a range is removed, the whole range is read
/// from the file and compared with its checksum, and a new checksum is computed for the remaining
/// bytes.
int FileStructure::forget(int file, Index first, Index last) {
  auto next = ranges_.lower_bound(first);
  if (next != ranges_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second.bytes > first) next = before;
  }
  std::vector<std::byte> bytes;
  while (next != ranges_.end() && next->first < last) {
    const auto [at, range] = *next;
    const Index end = at + range.bytes;
    if (at < first || end > last) {
      bytes.resize(static_cast<std::size_t>(range.bytes));
      const int error = read_exactly(file, bytes.data(), range.bytes, at);
      if (error != 0) return error == cut_off ? EIO : error;
      if (sum_of(bytes.data(), range.bytes) != range.checksum) return EIO;
    }
    next = ranges_.erase(next);
    if (at < first) add(bytes.data(), first - at, at);
    if (end > last) add(bytes.data() + (last - at), end - last, last);
  }
  return 0;
}

void check_structure(int file, const std::string& name, const std::vector<Written>& records) {
  std::vector<std::byte> bytes;
  for (const Written& record : records) {
    bytes.resize(static_cast<std::size_t>(record.bytes));
    const int error = read_exactly(file, bytes.data(), record.bytes, record.at);
    if (error != 0) throw_unreadable(one_line(name), error);
    if (sum_of(bytes.data(), record.bytes) != record.checksum)
      throw StorageError(fmt::format(
          "what was read back from {} at byte {} ({} bytes of its metadata) is not what was "
          "written: the file system lost data, nothing is kept; use another folder",
          one_line(name), record.at, record.bytes));
  }
}

}  // namespace stencil::storage
