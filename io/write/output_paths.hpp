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

  /// Names of the files within the folder.
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

/// Checks that this process reads none of the output's files at the moment.
/// @throws WordsError  an InputDataset has one of them open
void check_not_read(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that the folder is there and writable. @throws StorageError
void check_folder(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that the file under construction can be made: a file of this name is one of a killed run,
/// whose lock is there still, or an unfinished output by its content. Another one, a finished
/// output too, stays. @throws StorageError  naming it
void require_own_part(const OutputPaths& paths);

/// @throws StorageError  a file of that name exists already and is not to be overwritten, or the
///                       name of its companion belongs to a file of another program
void check_absent(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that the file system has room, beside what an unfinished output of that name takes: it is
/// gone on with, or replaced. @throws StorageError with needed and available bytes
void check_free_space(const OutputPaths& paths, Index needed);

/// Advice after a failed write: `N bytes are available in FOLDER: free some, ...`.
std::string room_in(const std::string& folder);

/// @throws StorageError  `what: reason: what to do`, for a call on an output that failed with
/// `error`
[[noreturn]] void throw_unwritable(const std::string& what, int error, const std::string& output);

/// Runs `work`, which writes through HDF5. @throws StorageError  with the space that is left
void with_room(const std::string& output, const std::function<void()>& work);

/// Opens the folder of an output. Its files are opened relative to it, so that it may be moved
/// during the run. @throws StorageError
Descriptor open_folder(const OutputPaths& paths);

/// Creates the file under construction, empty and open for writing. Replaces one that a killed run
/// has left; never follows a link. @throws StorageError
Descriptor create_part(int folder, const OutputPaths& paths);

/// Opens the file under construction, on any rank. On network file systems a rank sees data of
/// other ranks only after they have closed the file, and a page that contains points of two ranks
/// is written correctly only by writers that do not read. @throws StorageError
///
/// @param flags  O_WRONLY or O_RDONLY
Descriptor open_part(int folder, const OutputPaths& paths, int rank, int flags);

/// Copies owner and permissions of the replaced file to the finished file; if the group cannot be
/// kept, the file's group gets no access. Called on the rank that owns the file.
void keep_access(int file, int folder, const OutputPaths& paths);

/// Reserves the blocks of a file that has its final length, so that a full disk is detected early.
///
/// @throws StorageError
void reserve_blocks(int file, const std::string& name);

/// Flushes a file to the disk (fsync). @throws StorageError
void bring_to_disk(int file, const std::string& name);

/// Flushes the names in a folder to the disk, if its file system supports it.
/// @throws StorageError
void bring_names_to_disk(int folder, const std::string& name);

/// Whether there is free space for the data; the size of compressed data is not known before they
/// are written. @throws StorageError
void check_room(const OutputSpec& spec, const OutputPaths& paths);

}  // namespace stencil::storage
