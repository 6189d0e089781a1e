#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// What distinguishes a file from all others that have or had its name: its inode number, and the
/// time when the file was made, since file systems use the numbers of removed files again.
struct FileBirth {
  std::uint64_t inode = 0;
  Index time = 0;  ///< ns since 1970; 0: the file system does not keep the time
};

/// @param file  open
/// @throws StorageError
FileBirth birth_of(int file, const std::string& name);

/// The files that a run notes in its lock, so that the next run recognises them if the first one is
/// killed.
struct FilesMade {
  std::vector<FileBirth> files;
  /// Names of temporary files, with random digits, in the folder of the lock. They are noted before
  /// the files are made.
  std::vector<std::string> fresh_names;
};

/// The lines of a lock after its first line. @pre the name has no line break
std::string line_of(const FileBirth& birth);
std::string line_of_fresh(const std::string& name);
/// The lines of a lock after its first line, for the last few files.
std::string lines_of(const FilesMade& made);

/// Reads the lines of a lock after its first one. A last line that is incomplete because of a crash
/// is ignored.
FilesMade files_made_in(std::string_view text);

/// Whether a text is valid after the first line of a lock: such lines, the beginning of one, or
/// zeros, which a crash of the machine leaves.
bool is_behind_owner(std::string_view text);

}  // namespace stencil::storage
