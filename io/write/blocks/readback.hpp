#pragma once

#include <cstdint>
#include <vector>

#include "framework/parallel/communicator.hpp"
#include "io/write/blocks/output_blocks.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Record of a block that a rank wrote.
struct Written {
  Index block = 0;             ///< number of the block in the BlockGrid
  std::uint64_t checksum = 0;  ///< checksum of the bytes that the file should contain
  Index bytes = 0;
  Index at = 0;  ///< position in the file in bytes; for a packed block, its position in the
                 ///< PackedStore of the rank that packed it
};

/// Number of threads that read back blocks of up to `block_bytes` bytes, each with memory for one
/// block.
int readback_threads(Index block_bytes);

/// Checksum of memory (XXH3).
std::uint64_t checksum_of(const void* memory, std::size_t bytes);

/// Compares the checksum of the bytes of a block, as read back from the file, to the checksum in
/// its record. @throws StorageError  the checksums differ
void check_block(const Written& record, const std::byte* bytes, const BlockGrid& grid,
                 const std::string& where);

/// Throws a StorageError that says that the data written to `where` cannot be read back. @param
/// error an errno
[[noreturn]] void throw_unreadable(const std::string& where, int error);

/// Distributes the records of blocks to the ranks that check the blocks. These ranks did not write
/// the blocks, because a rank would read its own blocks from its page cache. Collective.
///
/// @param own        records of this rank, in the order of block numbers
/// @param by_first   whether rank 0 has written all blocks, although other ranks have packed some
///                   of them
std::vector<Written> records_to_check(const Communicator& communicator, std::vector<Written> own,
                                      bool by_first);

/// Reads blocks back, without MPI, and compares checksums. Packed blocks are read through HDF5, so
/// that its index of chunks is also checked.
///
/// @param file  the open file under construction
/// @param name  name of the file, for messages
/// @throws StorageError  the blocks cannot be read, or their bytes differ from those that were
///                       written
void check_written(int file, const std::string& name, const OutputSpec& spec,
                   const std::vector<Written>& records);

/// Like check_written(), for blocks whose position in the file is known, packed or not. Does not
/// use HDF5, which cannot open a file whose writing was interrupted. @throws StorageError
void check_bytes(int file, const std::string& name, const OutputSpec& spec,
                 const std::vector<Written>& records);

}  // namespace stencil::storage
