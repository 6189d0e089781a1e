#include "io/write/blocks/file_seal.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/write/blocks/readback.hpp"
#include "io/write/write_errors.hpp"

namespace stencil::storage {
namespace {

constexpr std::array<char, 40> the_mark{"stencil_run: the seal of this file, 1\n"};

/// The seal as stored in the file, in the byte order of the machine.
struct Stored {
  Index first = 0, last = 0;
  std::uint64_t checksum = 0;
  std::array<char, the_mark.size()> mark{};
};
constexpr Index seal_bytes = sizeof(Stored);
static_assert(seal_bytes == 64, "no bytes of a seal are without a meaning");

Index length_of(int file, const std::string& name) {
  struct stat state {};
  if (::fstat(file, &state) != 0)
    throw StorageError(fmt::format("cannot get the status of {}: {}: {}", one_line(name),
                                   std::strerror(errno), remedy_of(errno)));
  if (!S_ISREG(state.st_mode))
    throw StorageError(
        fmt::format("{} is not a regular file and not a checkpoint", one_line(name)));
  return state.st_size;
}

}  // namespace

std::uint64_t checksum_around(int file, const Interval& points, Index end,
                              const std::string& name) {
  constexpr Index most = Index{1} << 20;
  std::vector<std::byte> bytes(static_cast<std::size_t>(most));
  std::vector<std::uint64_t> sums{static_cast<std::uint64_t>(points.first),
                                  static_cast<std::uint64_t>(points.last),
                                  static_cast<std::uint64_t>(end)};
  for (const Interval& part : {Interval{0, points.first}, Interval{points.last, end}})
    for (Index at = part.first; at < part.last; at += most) {
      const Index n = std::min(most, part.last - at);
      if (const int error = read_exactly(file, bytes.data(), n, at))
        throw_unreadable(one_line(name), error);
      sums.push_back(checksum_of(bytes.data(), static_cast<std::size_t>(n)));
    }
  return checksum_of(sums.data(), sums.size() * sizeof(sums[0]));
}

void write_seal(int file, const std::string& name, const Interval& points) {
  Descriptor both(::open(name_of_open(file).c_str(), O_RDWR | O_CLOEXEC));
  const std::string what = "cannot seal " + one_line(name);
  if (!both) throw_unwritable(what, errno, name);
  const Index end = length_of(both.number(), name);
  const Stored stored{points.first, points.last, checksum_around(both.number(), points, end, name),
                      the_mark};
  if (const int error = write_exactly(both.number(), reinterpret_cast<const std::byte*>(&stored),
                                      seal_bytes, end))
    throw_unwritable(what, error, name);
  if (const int error = both.close()) throw_unwritable(what, error, name);
}

bool ends_with_seal(int file, Index bytes) {
  std::array<char, the_mark.size()> mark{};
  const Index size = std::ssize(mark);
  if (bytes < seal_bytes ||
      read_exactly(file, reinterpret_cast<std::byte*>(mark.data()), size, bytes - size) != 0)
    return false;
  Index same = 0;
  for (std::size_t i = 0; i < mark.size(); ++i) same += mark[i] == the_mark[i];
  return 2 * same > size;
}

FileSeal checked_seal(const std::string& file) {
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!open)
    throw StorageError(fmt::format("cannot open {}: {}: {}", one_line(file), std::strerror(errno),
                                   remedy_of(errno)));
  const Index end = length_of(open.number(), file) - seal_bytes;
  if (end == -seal_bytes)
    throw StorageError(
        fmt::format("{} is empty, as a crash may leave a checkpoint", one_line(file)));
  Stored stored;
  const int error =
      end < 0 ? cut_off
              : read_exactly(open.number(), reinterpret_cast<std::byte*>(&stored), seal_bytes, end);
  if (error > 0) throw_unreadable(one_line(file), error);
  if (stored.mark != the_mark)
    throw StorageError(
        fmt::format("{} is not a checkpoint of this program in this version, or its end is damaged",
                    one_line(file)));
  const FileSeal seal{{stored.first, stored.last}, stored.checksum};
  const bool is_sane =
      0 <= seal.points.first && seal.points.first <= seal.points.last && seal.points.last <= end;
  if (!is_sane || checksum_around(open.number(), seal.points, end, file) != seal.checksum)
    throw StorageError(fmt::format(
        "{} is damaged: its contents other than the points differ from what was written",
        one_line(file)));
  return seal;
}

}  // namespace stencil::storage
