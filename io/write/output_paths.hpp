#pragma once

#include <functional>
#include <string>

#include "io/hdf5/file_access.hpp"
#include "io/write/output_file.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// The files of one output.
struct OutputPaths {
  std::string final;  ///< where the finished file goes, symbolic links resolved
  std::string part;   ///< the file under construction
  std::string lock;
  std::string folder;

  /// Their names in the folder.
  std::string final_name() const { return final.substr(final.rfind('/') + 1); }
  std::string part_name() const { return final_name() + ".part"; }
  std::string lock_name() const { return final_name() + ".lock"; }

  static OutputPaths of(const std::string& file);
};

/// Checks everything about an output that needs no lock: the names, the shape against chunk and
/// compression, the folder, and that no file of the input would be overwritten.
///
/// @throws WordsError, StorageError
void check_output(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that the folder is there and writable. @throws StorageError
void check_folder(const OutputSpec& spec, const OutputPaths& paths);

/// @throws StorageError  a file of that name exists already and is not to be overwritten
void check_absent(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that the file system has room. @throws StorageError with needed and available bytes
void check_free_space(const OutputPaths& paths, Index needed);

/// What to do about a failed write: `N bytes are available in FOLDER: free some, ...`.
std::string room_in(const std::string& folder);

/// @throws StorageError  `what: reason: what to do`, for a call on an output that failed with
/// `error`
[[noreturn]] void throw_unwritable(const std::string& what, int error, const std::string& output);

/// Does `work`, which writes through HDF5. @throws StorageError  with the room that is left
void with_room(const std::string& output, const std::function<void()>& work);

/// Opens the folder of an output: what is in it is reached from there, so that it may be moved
/// while the run goes on. @throws StorageError
Descriptor open_folder(const OutputPaths& paths);

/// Makes an empty file under construction, open for writing, in place of one that a killed run has
/// left, never through a link. @throws StorageError
Descriptor create_part(int folder, const OutputPaths& paths);

/// Opens it on any rank. On network file systems a rank sees what others wrote only where they have
/// closed it before, and a page at the border of two ranks' points is safe only with writers that
/// do not read. @throws StorageError
///
/// @param flags  O_WRONLY or O_RDONLY
Descriptor open_part(int folder, const OutputPaths& paths, int rank, int flags);

/// Lets a finished file be read and written by whom the file that it replaces may be; nobody else
/// may where its group cannot be kept. On the rank that owns it.
void keep_access(int file, int folder, const OutputPaths& paths);

/// Reserves the blocks of a file that has its final length, so that a full disk shows now.
///
/// @throws StorageError
void reserve_blocks(int file, const std::string& name);

/// Brings a file to the disk. @throws StorageError
void bring_to_disk(int file, const std::string& name);

/// Brings the names in a folder to the disk, where its file system can do that. @throws
/// StorageError
void bring_names_to_disk(int folder, const std::string& name);

/// Whether there is free space for the data; the size of compressed data is not known before they
/// are written. @throws StorageError
void check_room(const OutputSpec& spec, const OutputPaths& paths);

}  // namespace stencil::storage
