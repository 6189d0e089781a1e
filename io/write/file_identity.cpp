#include "io/write/file_identity.hpp"

#include <sys/stat.h>

#include <system_error>

namespace stencil {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // the limit of Linux

/// Returns the absolute path of a name. Links to folders are followed; a link at the end of the
/// path is not followed.
fs::path entry_of(const fs::path& name) {
  std::error_code error;
  const fs::path whole = fs::absolute(name, error);
  const fs::path last = whole.filename();
  if (last.empty() || last == "." || last == "..") return fs::weakly_canonical(whole, error);
  const fs::path folder = fs::weakly_canonical(whole.parent_path(), error);
  return (error ? whole.parent_path().lexically_normal() : folder) / last;
}

}  // namespace

fs::path resolved(const fs::path& name) {
  fs::path path = entry_of(name);
  for (int links = 0; links < most_links; ++links) {
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;  // the entry is not a link
    path = entry_of(path.parent_path() / target);
  }
  return path;
}

FileIdentity identity_of(const std::string& name) {
  FileIdentity identity{entry_of(name).string(), resolved(name).string()};
  struct stat state {};
  if (::stat(name.c_str(), &state) != 0) return identity;
  identity.device = state.st_dev;
  identity.inode = state.st_ino;
  return identity;
}

bool is_same(const FileIdentity& one, const FileIdentity& other) {
  if (one.inode != 0 && one.inode == other.inode && one.device == other.device) return true;
  return one.entry == other.entry || one.entry == other.target || one.target == other.entry ||
         one.target == other.target;
}

}  // namespace stencil
