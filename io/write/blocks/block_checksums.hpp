#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/parallel/communicator.hpp"
#include "io/write/blocks/output_blocks.hpp"
#include "io/write/blocks/readback.hpp"

namespace stencil::storage {

/// Checksums that a finished file keeps of its own points: each of a few successive blocks.
struct BlockChecksums {
  std::vector<std::uint64_t> values;
  Index blocks_each = 1;  ///< the last value may be of fewer
};

/// Upper bound of the values that a file keeps: 8 KiB.
inline constexpr Index most_checksums = 1024;

/// As many values as a file of these blocks keeps, all 0.
BlockChecksums empty_checksums(const BlockGrid& grid);

/// The checksums of an output on rank 0, from the records of all ranks; empty elsewhere. They
/// depend neither on ranks nor on windows. Collective. @throws Error  on every rank: no memory
///
/// @param own, more  records of this rank, in any order
/// @param grid       the grid of the output; the records of all ranks together cover all its blocks
BlockChecksums checksums_of_all(const Communicator& communicator, const std::vector<Written>& own,
                                const std::vector<Written>& more, const BlockGrid& grid);

/// The numbers of all ranks, one rank after the other, on rank 0; empty elsewhere. Collective.
/// @throws Error  on every rank: no memory
std::vector<Index> gather_numbers(const Communicator& communicator, const std::vector<Index>& own);

/// The records of all ranks on rank 0, in the order of their blocks; empty elsewhere. Collective.
std::vector<Written> gather_records(const Communicator& communicator,
                                    const std::vector<Written>& own);

/// What the values are, for readers of the file.
std::string words_of(const BlockChecksums& checksums, const BlockGrid& grid);

}  // namespace stencil::storage
