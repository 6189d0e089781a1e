#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/hdf5/conversion.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/write/blocks/file_structure.hpp"
#include "io/write/lock/output_lock.hpp"
#include "io/write/output/created_output.hpp"
#include "io/write/output/unfinished_output.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// The data in a checkpoint about the snapshots that its run has written so far.
struct SnapshotsSaved {
  Index count = 0;
  storage::WriteCounts counts;  ///< counts of all these snapshots
  std::uint64_t checksum = 0;   ///< checksum of their record, see checksum_of_snapshots()
};

/// Converts the members, in their order, to a text: `3 0 0 0 8f2c...`. @returns std::nullopt for an
/// invalid text
std::string text_of(const SnapshotsSaved& saved);
std::optional<SnapshotsSaved> snapshots_saved_from(const std::string& text);

/// Returns a checksum of the record of some snapshots: their times, and position, size and checksum
/// of each block. @pre the records are in the order of their blocks
std::uint64_t checksum_of_snapshots(const UnfinishedOutput& unfinished);

/// Returns the record of the first `count` snapshots of an output. @returns std::nullopt if the
/// output has fewer snapshots, or if blocks of them are missing
std::optional<UnfinishedOutput> first_snapshots(const UnfinishedOutput& unfinished, Index count,
                                                const OutputSpec& spec);

namespace storage {

/// Restores the structure that an unfinished output had when it contained only the snapshots of the
/// record. The function also works if HDF5 can no longer open the file, because it creates a new
/// structure in a scratch file next to the output. If the points are not packed, they stay where
/// they are, and all other bytes are copied from the scratch file to the output. If the points are
/// packed, their chunks are copied to the scratch file, snapshot by snapshot in their original
/// order, and compared with their checksums; the scratch file then replaces the output. To be
/// called on one rank, which owns the lock.
///
/// @param spec       specification of the whole output
/// @param structure  records all writes except those of blocks
/// @param lock       lock of the output, in which the scratch file is recorded
/// @throws StorageError  there is no space; the checksum of a block of a packed output differs; a
///                       file of the user has the name of the scratch file
CreatedOutput restore_snapshots(const OutputSpec& spec, const OutputPaths& paths,
                                const UnfinishedOutput& unfinished, FileStructure& structure,
                                OutputLock& lock);

}  // namespace storage
}  // namespace stencil
