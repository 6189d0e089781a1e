#include "io/write/lock/own_mark.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/write/blocks/file_seal.hpp"
#include "io/write/xdmf.hpp"

namespace stencil::storage {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t head_bytes = std::size_t{1} << 20;

[[noreturn]] void refuse(const char* what, const std::string& name, int error) {
  throw StorageError(fmt::format("cannot {} {}: {}: {}", what, one_line(name), std::strerror(error),
                                 remedy_of(error)));
}

Descriptor opened(int folder, const std::string& name, int flags) {
  return Descriptor(::openat(folder, name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags));
}

/// Returns the first bytes of an open file; std::nullopt, with errno set, if they cannot be read.
std::optional<std::string> head_of(const Descriptor& file) {
  std::string head(head_bytes, '\0');
  std::size_t size = 0;
  while (size < head.size()) {
    const ssize_t got =
        ::pread(file.number(), head.data() + size, head.size() - size, static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  head.resize(size);
  return head;
}

std::optional<std::string> head_of(int folder, const std::string& name, int flags) {
  const Descriptor file = opened(folder, name, flags);
  return file ? head_of(file) : std::nullopt;
}

/// Reads a little-endian number of `size` bytes.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;)
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

/// Returns the position of an attribute's name in an attribute message of HDF5 of version 3. Such a
/// message consists of version, flags, the sizes of name, type and dataspace, the encoding, the
/// name, the type, the dataspace and the value. Occurrences of the name outside such a message are
/// ignored.
///
/// @param name  including the null byte at its end
/// @param from  position at which the search begins
/// @returns npos if there is no such message
std::size_t find_message(std::string_view head, std::string_view name, std::size_t from = 0) {
  constexpr std::size_t before = 9;
  for (std::size_t at = head.find(name, from); at != head.npos; at = head.find(name, at + 1))
    if (at >= before && head[at - before] == 3 && number_at(head, at - 7, 2) == name.size())
      return at;
  return head.npos;
}

/// Returns the value of the 32-bit attribute `stencil_complete`.
std::optional<std::int32_t> complete_in(std::string_view head) {
  constexpr auto name = "stencil_complete\0"sv;
  for (std::size_t at = find_message(head, name); at != head.npos;
       at = find_message(head, name, at + 1)) {
    const std::size_t value =
        at + name.size() + number_at(head, at - 5, 2) + number_at(head, at - 3, 2);
    std::int32_t number = 0;
    if (value + sizeof number > head.size()) continue;
    std::memcpy(&number, head.data() + value, sizeof number);
    return number;
  }
  return std::nullopt;
}

constexpr std::size_t superblock_bytes = 48;
constexpr auto signature = "\x89HDF\r\n\x1a\n"sv;

/// Returns whether an HDF5 file was truncated before its first attribute. Such a file is so short
/// that it contains no points.
bool is_cut_off_early(std::string_view head) {
  constexpr std::size_t address_of_end = 28, most = 1024;
  if (head.size() > most || head.substr(0, signature.size()) != signature.substr(0, head.size()))
    return false;
  return head.size() < superblock_bytes || number_at(head, address_of_end, 8) > head.size();
}

/// Returns whether the first bytes show that only the superblock of an HDF5 file has been written.
bool has_superblock_only(std::string_view head) {
  constexpr auto start = "\x89HDF\r\n\x1a\n\x03\x08\x08"sv;  // version 3, addresses of 8 bytes
  return head.starts_with(start) && head.find_first_not_of('\0', superblock_bytes) == head.npos;
}

/// Returns whether a file begins like an HDF5 file, or its superblock has not been written yet.
bool begins_as_hdf5(std::string_view head) {
  return head.starts_with(signature) || head.find_first_not_of('\0') >= superblock_bytes;
}

/// Returns whether the first data after the superblock are the texts of attributes of this program,
/// in a heap of HDF5.
bool begins_with_own_heap(std::string_view head) {
  const std::size_t first = head.find_first_not_of('\0');
  return first != head.npos && first >= superblock_bytes &&
         head.substr(first).starts_with("GCOL") &&
         (head.find("XXH3-64 of the little-endian") != head.npos ||
          head.find("version of the program=") != head.npos);
}

/// Returns whether a file begins with attributes that checkpoints have but outputs do not have. Two
/// such attributes are sufficient, because a damaged file may have lost others.
bool has_attributes_of_checkpoint(std::string_view head) {
  constexpr std::array names{"stencil_run\0"sv, "stencil_steps_done\0"sv,
                             "stencil_missing_points\0"sv, "stencil_nan_points\0"sv,
                             "stencil_infinite_points\0"sv};
  return std::count_if(names.begin(), names.end(), [&](std::string_view name) {
           return find_message(head, name) != head.npos;
         }) >= 2;
}

}  // namespace

std::optional<struct stat> state_of(int folder, const std::string& name) {
  struct stat state {};
  if (::fstatat(folder, name.c_str(), &state, AT_SYMLINK_NOFOLLOW) == 0) return state;
  if (errno != ENOENT && errno != ENOTDIR) refuse("look at", name, errno);
  return std::nullopt;
}

OwnMark own_mark(int folder, const std::string& name) {
  const auto state = state_of(folder, name);
  if (!state) return OwnMark::absent;
  if (!S_ISREG(state->st_mode)) return OwnMark::foreign;
  const auto head = head_of(folder, name, O_NOFOLLOW);
  if (!head) refuse("read", name, errno);
  if (head->find("stencil_checksums\0"sv) == head->npos) return OwnMark::foreign;
  const auto complete = complete_in(*head);
  if (!complete) return OwnMark::foreign;
  return *complete == 0 ? OwnMark::unfinished : OwnMark::finished;
}

bool holds_zeros_only(int file, Index bytes) {
  std::string part(head_bytes, '\0');
  for (Index at = 0; at < bytes;) {
    const off_t data = ::lseek(file, at, SEEK_DATA);  // this skips holes without reading them
    if (data < 0 && errno == ENXIO) return true;
    if (data >= 0) at = data;
    const Index size = std::min<Index>(std::ssize(part), bytes - at);
    if (size <= 0) return true;
    if (read_exactly(file, reinterpret_cast<std::byte*>(part.data()), size, at) != 0) return false;
    if (part.find_first_not_of('\0') < static_cast<std::size_t>(size)) return false;
    at += size;
  }
  return true;
}

bool is_foreign_checkpoint(const std::string& name) {
  if (!state_of(AT_FDCWD, name)) return false;
  struct stat state {};
  if (::stat(name.c_str(), &state) != 0 || !S_ISREG(state.st_mode)) return true;
  const Descriptor file = opened(AT_FDCWD, name, 0);
  if (!file && errno == EACCES) return true;
  if (!file && errno == ENOENT) return false;  // the run that holds the lock has renamed it
  if (!file) refuse("open", name, errno);
  if (ends_with_seal(file.number(), state.st_size)) return false;
  const auto head = head_of(file);
  if (!head) refuse("read", name, errno);
  const bool is_checkpoint = head->starts_with(signature) && has_attributes_of_checkpoint(*head);
  return !is_checkpoint && !is_cut_off_early(*head) &&
         !holds_zeros_only(file.number(), state.st_size);
}

bool is_left_unfinished(const std::string& name) {
  const auto state = state_of(AT_FDCWD, name);
  if (!state || !S_ISREG(state->st_mode)) return false;
  const Descriptor file = opened(AT_FDCWD, name, O_NOFOLLOW);
  if (!file && errno == ENOENT) return true;  // the run that holds the lock has renamed it
  const auto head = file ? head_of(file) : std::nullopt;
  if (!head) refuse("read", name, errno);
  return (begins_as_hdf5(*head) && has_attributes_of_checkpoint(*head)) ||
         is_cut_off_early(*head) || has_superblock_only(*head) || begins_with_own_heap(*head) ||
         ends_with_seal(file.number(), state->st_size) ||
         holds_zeros_only(file.number(), state->st_size);
}

bool is_foreign_companion(int folder, const std::string& name) {
  const auto state = state_of(folder, name);
  if (!state) return false;
  const auto head = S_ISREG(state->st_mode) ? head_of(folder, name, O_NOFOLLOW) : std::nullopt;
  return !head || head->substr(0, 200).find(xdmf_begin) == head->npos;
}

void remove_left_file(int folder, const std::string& name) {
  struct stat state {};
  if (::fstatat(folder, name.c_str(), &state, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(state.st_mode))
    ::unlinkat(folder, name.c_str(), 0);
}

}  // namespace stencil::storage
