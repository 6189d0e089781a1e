#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/grid/box.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/write/readback.hpp"

namespace stencil {

/// What is done of an output whose run was stopped: NAME.part stays, and a record of the blocks in
/// it that are whole and on the disk. A later run with the same output goes on behind them.
struct UnfinishedOutput {
  std::string words;           ///< what decides the bytes of the output
  int axis = 0;                ///< normal axis of the windows
  std::vector<Interval> done;  ///< outputs along the axis
  storage::WriteCounts counts;
  std::uint64_t inode = 0;           ///< of NAME.part
  Index bytes = 0;                   ///< its length
  Index first_byte = 0;              ///< of the dataset in it
  std::vector<std::string> skipped;  ///< see OutputCounts
  std::vector<storage::Written> records;

  /// Number of outputs along the axis that are done.
  Index outputs() const;
};

/// For broadcasts and files, and back. @throws StorageError  damaged; `name` is for the message
std::string serialize(const UnfinishedOutput& unfinished);
UnfinishedOutput unfinished_from(const std::string& bytes, const std::string& name);

/// Writes a record, brings it to the disk and then gives it its name. @throws StorageError
void write_unfinished(const std::string& file, const UnfinishedOutput& unfinished);
/// Nothing if there is no such file. @throws StorageError  unreadable or damaged
std::optional<UnfinishedOutput> read_unfinished(const std::string& file);

/// Whether the output under construction is still the one of the record.
bool is_still_there(const UnfinishedOutput& unfinished, const std::string& output);

}  // namespace stencil
