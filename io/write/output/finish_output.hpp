#pragma once

#include <vector>

#include "io/write/blocks/block_checksums.hpp"
#include "io/write/output/output_state.hpp"

// The stages of OutputFile::commit, in this order. All are collective, and throw errors that all
// ranks have agreed on.

namespace stencil::storage {

/// Waits for the last snapshot, and takes the records of all of them.
/// @throws UsageError  not all snapshots were written
void end_snapshots(OutputState& state);

/// @param missing  points that are NaN, on all ranks together
/// @throws WordsError  an integer output, which has no value for them
void check_nan(const OutputSpec& spec, Index missing);

struct StoredBlocks {
  BlockChecksums checksums;
  std::vector<Written> records;  ///< of the blocks that this rank has to read back
};

/// Stores what still waits in memory, and releases everything that wrote blocks.
/// @throws UsageError  points that no rank has written
StoredBlocks store_blocks(OutputState& state);

/// Closes the file on all ranks, and reads the blocks of the records back from the disk.
/// @throws StorageError  the file holds other bytes, or is another file
void check_blocks(OutputState& state, const std::vector<Written>& records);

/// Writes the attributes that mark the file as complete, flushes the file to the disk, checks its
/// structure, and gives it its name.
void name_output(OutputState& state, const BlockChecksums& checksums);

}  // namespace stencil::storage
