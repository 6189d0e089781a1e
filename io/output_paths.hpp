#pragma once

#include <string>

#include "io/dataset.hpp"

namespace stencil::storage {

/// The files of one output.
struct OutputPaths {
  std::string final;  ///< where the finished file goes, symbolic links resolved
  std::string part;   ///< the file under construction
  std::string lock;
  std::string folder;

  static OutputPaths of(const std::string& file);
};

/// Checks everything about an output that needs no lock: the names, the shape against chunk and
/// compression, the folder, and that no file of the input would be overwritten.
///
/// @throws WordsError, StorageError
void check_output(const OutputSpec& spec, const OutputPaths& paths);

/// @throws StorageError  a file of that name exists already and is not to be overwritten
void check_absent(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that the file system has room. @throws StorageError with needed and available bytes
void check_free_space(const OutputPaths& paths, Index needed);

/// What to do about a failed write: `N bytes are available in FOLDER: free some, ...`.
std::string room_in(const std::string& folder);

/// Reserves the blocks of a file that has its final length, so that a full disk shows now.
///
/// @throws StorageError
void reserve_blocks(const std::string& file);

/// Brings a file to the disk, or a folder where its file system can do that. @throws StorageError
void bring_to_disk(const std::string& path);

}  // namespace stencil::storage
