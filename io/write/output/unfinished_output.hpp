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

/// The completed part of an output whose run was stopped: NAME.part stays, with a record of the
/// blocks in it that are whole and on the disk. A later run with the same output continues after
/// them.
struct UnfinishedOutput {
  std::string words;           ///< what decides the bytes of an output in windows
  int axis = 0;                ///< normal axis of the windows
  std::vector<Interval> done;  ///< outputs along the axis
  std::vector<double> times;   ///< of the snapshots that are done; none: it is written in windows
  storage::WriteCounts counts;
  std::uint64_t inode = 0;           ///< of NAME.part
  Index bytes = 0;                   ///< its length
  Index modified = 0;                ///< when it was last written to (ns since 1970)
  Index first_byte = 0;              ///< of the dataset in it
  std::uint64_t structure = 0;       ///< in windows: checksum of its bytes but the points
  std::vector<std::string> skipped;  ///< see OutputCounts
  std::vector<storage::Written> records;

  /// Number of outputs along the axis that are done.
  Index outputs() const;
};

/// A record that was damaged since it was written. Its run starts from the beginning.
struct DamagedRecord : StorageError {
  using StorageError::StorageError;
};

/// When a file was last written to, in ns since 1970.
Index last_change(const struct stat& state);

/// For broadcasts and files, and back. @throws DamagedRecord  `name` is for the message
std::string serialize(const UnfinishedOutput& unfinished);
UnfinishedOutput unfinished_from(const std::string& bytes, const std::string& name);

/// Writes a record, flushes it to the disk and then gives it its name. @throws StorageError
void write_unfinished(const std::string& file, const UnfinishedOutput& unfinished);
/// Nothing if there is no such file. @throws DamagedRecord; StorageError  it cannot be opened
std::optional<UnfinishedOutput> read_unfinished(const std::string& file);

/// Whether `file` exists and is neither a record nor a damaged record.
/// @throws StorageError  the file system fails
bool is_foreign(const std::string& file);

/// To be called before a record is written or removed: refuses a file of that name that is not a
/// record, not even a damaged one. @throws WordsError
void require_own_record(const std::string& file);

/// Checksum of the structure of an unfinished output, which is open as `part`, for reading or
/// writing: of all its bytes but the points. @throws StorageError
std::uint64_t structure_of(int part, const OutputSpec& spec, const UnfinishedOutput& unfinished);

/// Whether the output under construction is still the one of the record, and was not changed since.
/// The file's inode number alone would not prove this, because it is soon given to another file.
bool is_still_there(const UnfinishedOutput& unfinished, const std::string& output);

/// Stores the facts about the output under construction by which is_still_there() recognizes it.
/// @returns whether there is such a file
bool look_at_part(UnfinishedOutput& unfinished, const std::string& output);

/// Whether this rank's share of its blocks reads back as written, and on rank 0, for an output in
/// windows, also its structure.
bool is_as_written(const UnfinishedOutput& unfinished, const OutputSpec& spec, int rank, int ranks);

}  // namespace stencil
