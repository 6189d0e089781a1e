#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// Inode number and creation time of a file. Together they distinguish the file from all other
/// files that have had the same name; the inode number alone does not, because file systems reuse
/// the numbers of removed files.
struct FileBirth {
  std::uint64_t inode = 0;
  Index time = 0;  ///< ns since 1970; 0 if the file system does not store it
};

/// Reads the identity of a file.
/// @param file  open file
/// @throws StorageError
FileBirth birth_of(int file, const std::string& name);

/// The files that a run records in its lock. If the run is killed, the next run recognises its
/// files by these records.
struct FilesMade {
  std::vector<FileBirth> files;
  /// Names of temporary files in the folder of the lock; the names contain random digits. They are
  /// recorded before the files are created.
  std::vector<std::string> fresh_names;
};

/// Returns a line of a lock for one file. @pre the name has no line break
std::string line_of(const FileBirth& birth);
std::string line_of_fresh(const std::string& name);
/// Returns the lines of a lock after its first line, for the most recent files.
std::string lines_of(const FilesMade& made);

/// Parses the lines of a lock after its first line. An incomplete last line, left by a crash, is
/// ignored.
FilesMade files_made_in(std::string_view text);

/// Returns whether a text may follow the first line of a lock. Such a text consists of lines that
/// lines_of() returns, possibly followed by an incomplete line or by zeros, which a crash of the
/// machine can leave.
bool is_behind_owner(std::string_view text);

}  // namespace stencil::storage
