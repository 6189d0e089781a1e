#include "io/write/lock/files_made.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/system_error.hpp"

namespace stencil::storage {
namespace {

constexpr std::string_view made_word = "made ", fresh_word = "fresh ";

/// Returns the creation time of a file; 0 if the system does not report this time.
Index time_of_birth(int file) {
  struct statx state {};
  if (::statx(file, "", AT_EMPTY_PATH, STATX_BTIME, &state) != 0) return 0;
  if ((state.stx_mask & STATX_BTIME) == 0) return 0;
  return Index{state.stx_btime.tv_sec} * 1'000'000'000 + state.stx_btime.tv_nsec;
}

}  // namespace

FileBirth birth_of(int file, const std::string& name) {
  struct stat state {};
  if (::fstat(file, &state) != 0)
    throw StorageError(fmt::format("cannot get the status of {}: {}: {}", one_line(name),
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
  // The lists are limited, because a run that is killed and restarted adds files at each restart.
  constexpr std::size_t most = 16;
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

}  // namespace stencil::storage
