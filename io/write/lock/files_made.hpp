#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// Identifies a file among all files that have or had its name: its inode number, and its creation
/// time, because file systems reuse the inode numbers of removed files.
struct FileBirth {
  std::uint64_t inode = 0;
  Index time = 0;  ///< ns since 1970; 0 if the file system does not store it
};

/// Reads the identity of a file.
/// @param file  open file
/// @throws StorageError
FileBirth birth_of(int file, const std::string& name);

/// The files that a run records in its lock, so that the next run recognises them if the first run
/// is killed.
struct FilesMade {
  std::vector<FileBirth> files;
  /// Names of temporary files, with random digits, in the folder of the lock. They are recorded
  /// before the files are created.
  std::vector<std::string> fresh_names;
};

/// Returns a line of a lock for one file. @pre the name has no line break
std::string line_of(const FileBirth& birth);
std::string line_of_fresh(const std::string& name);
/// Returns the lines of a lock after its first line, for the most recent files.
std::string lines_of(const FilesMade& made);

/// Parses the lines of a lock after its first one. An incomplete last line, left by a crash, is
/// ignored.
FilesMade files_made_in(std::string_view text);

/// Returns whether a text may follow the first line of a lock. It may consist of lines of
/// lines_of(), an incomplete line, or zeros, which a crash of the machine can leave.
bool is_behind_owner(std::string_view text);

}  // namespace stencil::storage
