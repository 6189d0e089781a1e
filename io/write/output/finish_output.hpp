#pragma once

#include <vector>

#include "io/write/blocks/block_checksums.hpp"
#include "io/write/output/output_state.hpp"

// The stages of OutputFile::commit, in the order in which they are called. All are collective, and
// an error on one rank is thrown on all ranks.

namespace stencil::storage {

/// Waits for the last snapshot, and collects the records of all snapshots.
/// @throws UsageError  not all snapshots were written
void end_snapshots(OutputState& state);

/// Checks that the output can represent its NaN points.
/// @param missing  number of NaN points on all ranks together
/// @throws WordsError  the output has an integer type and no value for missing points
void check_nan(const OutputSpec& spec, Index missing);

struct StoredBlocks {
  BlockChecksums checksums;
  std::vector<Written> records;  ///< records of the blocks that this rank has to read back
};

/// Stores the data that are still in memory, and destroys all objects that wrote blocks.
/// @throws UsageError  some points were not written by any rank
StoredBlocks store_blocks(OutputState& state);

/// Closes the file on all ranks, and reads the blocks of the records back from the disk.
/// @throws StorageError  the bytes in the file differ from those that were written, or another file
///                       has the name of this file
void check_blocks(OutputState& state, const std::vector<Written>& records);

/// Writes the attributes that mark the file as complete, flushes the file to the disk, checks its
/// structure, and renames it to its final name.
void name_output(OutputState& state, const BlockChecksums& checksums);

}  // namespace stencil::storage
