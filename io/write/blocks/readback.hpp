#pragma once

#include <cstdint>
#include <vector>

#include "framework/parallel/communicator.hpp"
#include "io/write/blocks/output_blocks.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Record of a block that a rank wrote.
struct Written {
  Index block = 0;             ///< its number in the BlockGrid
  std::uint64_t checksum = 0;  ///< of its bytes as they should be in the file
  Index bytes = 0;
  Index at = 0;  ///< byte in the file; of a packed block, where the writer's PackedStore has it
};

/// Number of threads that read back blocks of up to `block_bytes` bytes, each with memory for one
/// block.
int readback_threads(Index block_bytes);

/// Checksum of memory (XXH3).
std::uint64_t checksum_of(const void* memory, std::size_t bytes);

/// @throws StorageError  a block that was read back has another checksum than its record
void check_block(const Written& record, const std::byte* bytes, const BlockGrid& grid,
                 const std::string& where);

/// @throws StorageError  what was written to `where` cannot be read back
[[noreturn]] void throw_unreadable(const std::string& where, int error);

/// Records of blocks that another rank wrote, for this rank to check: a rank would read its own
/// blocks from its cache. Collective.
///
/// @param own        in the order of block numbers
/// @param by_first   all blocks were written by rank 0, whichever rank packed them
std::vector<Written> records_to_check(const Communicator& communicator, std::vector<Written> own,
                                      bool by_first);

/// Reads blocks back, without MPI, and compares checksums; packed ones through HDF5, so that its
/// index of chunks is checked, too.
///
/// @param file  the file under construction, open
/// @param name  the name of the file, for messages
/// @throws StorageError  the blocks cannot be read, or their bytes differ from those that were
///                       written
void check_written(int file, const std::string& name, const OutputSpec& spec,
                   const std::vector<Written>& records);

/// Like check_written(), for blocks whose place in the file is known, packed or not. Does not use
/// HDF5, which cannot open a file that was abandoned while it was written. @throws StorageError
void check_bytes(int file, const std::string& name, const OutputSpec& spec,
                 const std::vector<Written>& records);

}  // namespace stencil::storage
