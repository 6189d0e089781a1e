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

/// What a checkpoint says of the snapshots that its run has written before.
struct SnapshotsSaved {
  Index count = 0;
  storage::WriteCounts counts;  ///< of all of them
  std::uint64_t checksum = 0;   ///< of their record, see checksum_of_snapshots()
};

/// `3 0 0 0 8f2c...`: in the order of the members. @returns nothing if the text is none
std::string text_of(const SnapshotsSaved& saved);
std::optional<SnapshotsSaved> snapshots_saved_from(const std::string& text);

/// A checksum of the record of some snapshots: their times, and place, size and checksum of each
/// block. @pre the records are in the order of their blocks
std::uint64_t checksum_of_snapshots(const UnfinishedOutput& unfinished);

/// The record of the first `count` snapshots of an output. @returns nothing if the output has fewer
/// snapshots, or if blocks of them are missing
std::optional<UnfinishedOutput> first_snapshots(const UnfinishedOutput& unfinished, Index count,
                                                const OutputSpec& spec);

namespace storage {

/// Restores the structure that an unfinished output had when only the snapshots of the record were
/// in it, whatever happened to the file since, even if HDF5 can no longer open it. A new structure
/// is created in a scratch file next to it. Points that are not packed are kept, and all other
/// bytes are copied to the file. Packed chunks are copied to the scratch file, snapshot by snapshot
/// in their original order, and compared with their checksums; the scratch file then replaces the
/// file. On one rank, by the owner of the lock.
///
/// @param spec       the specification of the whole output
/// @param structure  records what is written besides blocks
/// @param lock       the lock of the output, in which the scratch file is noted
/// @throws StorageError  no room; a block of a packed output is not what was written; a file of the
///                       user has the name of the scratch file
CreatedOutput restore_snapshots(const OutputSpec& spec, const OutputPaths& paths,
                                const UnfinishedOutput& unfinished, FileStructure& structure,
                                OutputLock& lock);

}  // namespace storage
}  // namespace stencil
