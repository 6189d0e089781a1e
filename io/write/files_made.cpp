#include "io/write/files_made.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/write/fresh_file.hpp"
#include "io/write/lock_owner.hpp"
#include "io/write/nameplate.hpp"
#include "io/write/own_mark.hpp"

namespace stencil::storage {
namespace {

constexpr std::string_view made_word = "made ", fresh_word = "fresh ";

/// When a file was made. @returns 0 where the system does not say it
Index time_of_birth(int file) {
  struct statx state {};
  if (::statx(file, "", AT_EMPTY_PATH, STATX_BTIME, &state) != 0) return 0;
  if ((state.stx_mask & STATX_BTIME) == 0) return 0;
  return Index{state.stx_btime.tv_sec} * 1'000'000'000 + state.stx_btime.tv_nsec;
}

/// Whether a file begins as an HDF5 file does, or with zeros, which HDF5 has not yet replaced.
bool may_be_hdf5(int file) {
  constexpr std::string_view signature = "\211HDF\r\n\032\n";
  const std::optional<std::string> head = text_in(file);
  return head &&
         (head->starts_with(signature) || head->find_first_not_of('\0') == std::string::npos);
}

bool is_made(int file, const std::string& name, const FilesMade& made) {
  const FileBirth birth = birth_of(file, name);
  return std::any_of(made.files.begin(), made.files.end(), [&](const FileBirth& other) {
    if (birth.inode != other.inode) return false;
    return birth.time != 0 && other.time != 0 ? birth.time == other.time : may_be_hdf5(file);
  });
}

bool is_left_output(int folder, const std::string& name, const FilesMade& made) {
  const OwnMark mark = own_mark(folder, name);
  if (mark == OwnMark::unfinished) return true;
  if (mark == OwnMark::absent) return false;
  const Descriptor file(
      ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat state {};
  if (!file || ::fstat(file.number(), &state) != 0 || !S_ISREG(state.st_mode)) return false;
  return state.st_size == 0 || is_made(file.number(), name, made);
}

}  // namespace

FileBirth birth_of(int file, const std::string& name) {
  struct stat state {};
  if (::fstat(file, &state) != 0)
    throw StorageError(fmt::format("cannot look at {}: {}: {}", one_line(name),
                                   std::strerror(errno), remedy_of(errno)));
  return {state.st_ino, time_of_birth(file)};
}

std::string line_of(const FileBirth& birth) {
  return fmt::format("{}{} {}\n", made_word, birth.inode, birth.time);
}

std::string line_of_fresh(const std::string& name) {
  return fmt::format("{}{}\n", fresh_word, name);
}

std::string lines_of(const FilesMade& made) {
  constexpr std::size_t most = 16;  // a run that is killed and started again and again adds some
  std::string lines;
  for (std::size_t i = made.files.size() - std::min(made.files.size(), most); i < made.files.size();
       ++i)
    lines += line_of(made.files[i]);
  const std::size_t names = made.fresh_names.size();
  for (std::size_t i = names - std::min(names, most); i < names; ++i)
    lines += line_of_fresh(made.fresh_names[i]);
  return lines;
}

FilesMade files_made_in(std::string_view text) {
  FilesMade made;
  for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(fresh_word)) made.fresh_names.emplace_back(line.substr(fresh_word.size()));
    if (!line.starts_with(made_word)) continue;
    std::istringstream numbers{std::string(line.substr(made_word.size()))};
    if (FileBirth birth; numbers >> birth.inode >> birth.time) made.files.push_back(birth);
  }
  return made;
}

bool is_behind_owner(std::string_view text) {
  const std::size_t end = text.find_last_of('\n');
  std::string_view last = text.substr(end == text.npos ? 0 : end + 1);
  for (std::string_view rest = text.substr(0, text.size() - last.size()); !rest.empty();
       rest.remove_prefix(rest.find('\n') + 1))
    if (!rest.starts_with(made_word) && !rest.starts_with(fresh_word)) return false;
  last = last.substr(0, last.find_last_not_of('\0') + 1);
  return last.starts_with(made_word) || made_word.starts_with(last) ||
         last.starts_with(fresh_word) || fresh_word.starts_with(last);
}

void add_files_of_lock(int folder, const std::string& lock, FilesMade& made) {
  const Descriptor file(
      ::openat(folder, lock.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  const std::optional<std::string> text = file ? text_in(file.number()) : std::nullopt;
  if (!text || !owner_from(*text)) return;
  const FilesMade more = files_made_in(*text);
  made.files.insert(made.files.end(), more.files.begin(), more.files.end());
  made.fresh_names.insert(made.fresh_names.end(), more.fresh_names.begin(), more.fresh_names.end());
}

void remove_left_output(int folder, const std::string& name, const FilesMade& made) {
  if (is_left_output(folder, name, made)) ::unlinkat(folder, name.c_str(), 0);
}

void remove_left_fresh_files(int folder, const FilesMade& made) {
  for (const std::string& name : made.fresh_names)
    if (is_fresh_name(name)) remove_left_file(folder, name);
}

}  // namespace stencil::storage
