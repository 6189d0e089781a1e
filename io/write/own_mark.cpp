#include "io/write/own_mark.hpp"

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
#include "io/write/xdmf.hpp"

namespace stencil::storage {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t head_bytes = std::size_t{1} << 20;

[[noreturn]] void refuse(const char* what, const std::string& name, int error) {
  throw StorageError(fmt::format("cannot {} {}: {}: {}", what, one_line(name), std::strerror(error),
                                 remedy_of(error)));
}

/// Nothing if it cannot be read.
std::optional<std::string> head_of(int folder, const std::string& name, int flags) {
  const Descriptor file(::openat(folder, name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags));
  if (!file) return std::nullopt;
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

std::uint16_t number_at(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  return static_cast<std::uint16_t>(byte(at) | byte(at + 1) << 8);
}

/// The value of the attribute `stencil_complete`, of 32 bits, as version 3 of HDF5's attribute
/// message stores it: version, flags, sizes of name, type and dataspace, encoding; then these, and
/// the value.
std::optional<std::int32_t> complete_in(std::string_view head) {
  constexpr auto name = "stencil_complete\0"sv;
  constexpr std::size_t before = 9;
  for (std::size_t at = head.find(name); at != head.npos; at = head.find(name, at + 1)) {
    if (at < before || head[at - before] != 3 || number_at(head, at - 7) != name.size()) continue;
    const std::size_t value = at + name.size() + number_at(head, at - 5) + number_at(head, at - 3);
    std::int32_t number = 0;
    if (value + sizeof number > head.size()) continue;
    std::memcpy(&number, head.data() + value, sizeof number);
    return number;
  }
  return std::nullopt;
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

bool is_foreign_checkpoint(const std::string& name) {
  if (!state_of(AT_FDCWD, name)) return false;
  struct stat state {};
  if (::stat(name.c_str(), &state) != 0 || !S_ISREG(state.st_mode)) return true;
  const auto head = head_of(AT_FDCWD, name, 0);
  if (!head) return errno == EACCES;  // else it is damaged, and passed over where it is read
  // of several names some are left in a damaged file
  constexpr std::array names{"stencil_missing_points"sv, "stencil_nan_points"sv,
                             "stencil_infinite_points"sv};
  return std::none_of(names.begin(), names.end(),
                      [&](std::string_view one) { return head->find(one) != head->npos; }) &&
         head->find_first_not_of('\0') != head->npos;
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
