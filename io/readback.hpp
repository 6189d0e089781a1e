#pragma once

#include <cstdint>
#include <vector>

#include "framework/parallel/communicator.hpp"
#include "io/dataset.hpp"
#include "io/pieces.hpp"

namespace stencil::storage {

/// What one rank wrote in one call.
struct Written {
  Piece piece;
  std::uint64_t checksum = 0;  ///< of its points as written
};

/// Checksum of memory (XXH3).
std::uint64_t checksum_of(const void* memory, std::size_t bytes);

/// The records of the next rank, for this one to check: a rank that checked its own would be
/// served by its own caches. Collective.
std::vector<Written> records_of_next_rank(const Communicator& communicator,
                                          const std::vector<Written>& own);

/// Reads pieces back, without MPI, and compares checksums.
///
/// @param file  the file under construction
/// @throws StorageError  unreadable, or other points than were written
void check_written(const std::string& file, const OutputSpec& spec,
                   const std::vector<Written>& records);

}  // namespace stencil::storage
