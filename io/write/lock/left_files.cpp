#include "io/write/lock/left_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "io/hdf5/file_access.hpp"
#include "io/write/lock/fresh_file.hpp"
#include "io/write/lock/lock_owner.hpp"
#include "io/write/lock/nameplate.hpp"
#include "io/write/lock/own_mark.hpp"

namespace stencil::storage {
namespace {

/// Returns whether a file begins like an HDF5 file, or with zeros that HDF5 has not replaced yet.
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
