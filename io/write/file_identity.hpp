#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace stencil {

/// Identity of the file to which a name refers, for comparison with other names. The file and its
/// folders need not exist.
struct FileIdentity {
  std::string entry;   ///< absolute path; links to folders are followed, but not a link at the end
  std::string target;  ///< like `entry`, but a link at the end is followed, even if it leads to no
                       ///< file
  dev_t device = 0;    ///< device of the file to which the name leads
  ino_t inode = 0;     ///< 0 if there is no file
};

FileIdentity identity_of(const std::string& name);

/// Returns whether writing, renaming or removing one of two names could change the file to which
/// the other name refers. This is the case if the names are two spellings of one path, if one is a
/// link to the other, or if both are hard links to one file.
bool is_same(const FileIdentity& one, const FileIdentity& other);

/// Returns the absolute path to which a name leads. Links are resolved; the file need not exist.
std::filesystem::path resolved(const std::filesystem::path& name);

}  // namespace stencil
