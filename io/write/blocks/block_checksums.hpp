#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/parallel/communicator.hpp"
#include "io/write/blocks/output_blocks.hpp"
#include "io/write/blocks/readback.hpp"

namespace stencil::storage {

/// Checksums of the points of a finished file, which are stored in that file. Each value is the
/// checksum of `blocks_each` successive blocks.
struct BlockChecksums {
  std::vector<std::uint64_t> values;
  Index blocks_each = 1;  ///< the last value may cover fewer blocks
};

/// Upper bound of the number of values in a file: 8 KiB.
inline constexpr Index most_checksums = 1024;

/// Returns checksums that are all 0 for the blocks of a grid; the number of values depends on the
/// grid.
BlockChecksums empty_checksums(const BlockGrid& grid);

/// Returns the checksums of an output on rank 0, computed from the records of all ranks; empty on
/// other ranks. The checksums do not depend on the number of ranks or on windows. Collective.
/// @throws Error on every rank: there is not enough memory
///
/// @param own, more  records of this rank, in any order
/// @param grid       the grid of the output; the records of all ranks together cover all its blocks
BlockChecksums checksums_of_all(const Communicator& communicator, const std::vector<Written>& own,
                                const std::vector<Written>& more, const BlockGrid& grid);

/// Gathers the numbers of all ranks on rank 0, in the order of ranks; empty on other ranks.
/// Collective.
/// @throws Error  on every rank: there is not enough memory
std::vector<Index> gather_numbers(const Communicator& communicator, const std::vector<Index>& own);

/// Gathers the records of all ranks on rank 0, in the order of their blocks; empty on other ranks.
/// Collective.
std::vector<Written> gather_records(const Communicator& communicator,
                                    const std::vector<Written>& own);

/// Returns a text that explains the checksums to readers of the file.
std::string words_of(const BlockChecksums& checksums, const BlockGrid& grid);

}  // namespace stencil::storage
