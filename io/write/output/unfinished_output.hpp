#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/grid/box.hpp"
#include "framework/grid/error.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/write/blocks/readback.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// The completed part of an output whose run was stopped. NAME.part is kept, with a record of the
/// blocks in it that are complete and on the disk. A later run with the same output writes the
/// remaining blocks.
struct UnfinishedOutput {
  std::string words;           ///< settings that determine the bytes of an output in windows
  int axis = 0;                ///< normal axis of the windows
  std::vector<Interval> done;  ///< completed intervals of output points along the axis
  std::vector<double> times;   ///< times of the completed snapshots; empty for an output in windows
  storage::WriteCounts counts;
  std::uint64_t inode = 0;  ///< inode of NAME.part
  Index bytes = 0;          ///< length of NAME.part
  Index modified = 0;       ///< time of the last change of NAME.part (ns since 1970)
  Index first_byte = 0;     ///< file offset of the dataset
  /// For windows: checksum of all bytes of NAME.part except the points.
  std::uint64_t structure = 0;
  std::vector<std::string> skipped;  ///< see OutputCounts
  std::vector<storage::Written> records;

  /// Number of completed output points along the axis.
  Index outputs() const;
};

/// Error: a record was damaged after it was written, so that its run starts from the beginning.
struct DamagedRecord : StorageError {
  using StorageError::StorageError;
};

/// Time of the last change of a file, in ns since 1970.
Index last_change(const struct stat& state);

/// Converts a record to bytes for broadcasts and files. @throws DamagedRecord  `name` is used in
/// the message
std::string serialize(const UnfinishedOutput& unfinished);
UnfinishedOutput unfinished_from(const std::string& bytes, const std::string& name);

/// Writes a record to a temporary file, flushes it to the disk and renames it. @throws StorageError
void write_unfinished(const std::string& file, const UnfinishedOutput& unfinished);
/// Reads a record; std::nullopt if the file does not exist. @throws DamagedRecord; StorageError the
/// file cannot be opened
std::optional<UnfinishedOutput> read_unfinished(const std::string& file);

/// Returns whether `file` exists and is neither a record nor a damaged record.
/// @throws StorageError  the file system fails
bool is_foreign(const std::string& file);

/// Rejects a file of this name that is neither a record nor a damaged record. Call this function
/// before a record is written or removed. @throws WordsError
void require_own_record(const std::string& file);

/// Checksum of the structure of an unfinished output, that is, of all its bytes except the points.
/// `part` is open for reading or writing. @throws StorageError
std::uint64_t structure_of(int part, const OutputSpec& spec, const UnfinishedOutput& unfinished);

/// Returns whether the output under construction is the output that the record describes and has
/// not changed since the record was made. Length and time of the last change are compared in
/// addition to the inode number, because file systems reuse inode numbers.
bool is_still_there(const UnfinishedOutput& unfinished, const std::string& output);

/// Sets `inode`, `bytes` and `modified`, by which is_still_there() recognises the output under
/// construction.
/// @returns whether there is such a file
bool look_at_part(UnfinishedOutput& unfinished, const std::string& output);

/// Reads back this rank's share of the blocks and, on rank 0 for an output in windows, the
/// structure. @returns whether the checksums agree
bool is_as_written(const UnfinishedOutput& unfinished, const OutputSpec& spec, int rank, int ranks);

}  // namespace stencil
