#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace stencil {

/// The file that a name refers to, so that it can be compared with other names. The file and its
/// folders need not exist.
struct FileIdentity {
  std::string entry;   ///< absolute; links to folders followed, a link at the end not
  std::string target;  ///< as `entry`, with a link at the end followed, even to no file
  dev_t device = 0;    ///< of the file to which the name leads
  ino_t inode = 0;     ///< 0: there is no file
};

FileIdentity identity_of(const std::string& name);

/// Whether writing, renaming or removing one of two names could change what the other one refers
/// to: they are one path in two spellings, one is a link to the other, or they are hard links to
/// one file.
bool is_same(const FileIdentity& one, const FileIdentity& other);

/// The absolute path to which a name leads, with links followed; the file need not exist.
std::filesystem::path resolved(const std::filesystem::path& name);

}  // namespace stencil
