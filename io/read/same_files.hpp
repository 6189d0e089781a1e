#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "framework/parallel/communicator.hpp"

namespace stencil::storage {

/// A checksum of the length of a file and of some of its blocks: the first one, the last one, and
/// others at even distances.
///
/// @param blocks  of 4 KiB, at least 2; a file of no more blocks is read as a whole
/// @throws StorageError  the file cannot be read
std::uint64_t sample_of(const std::string& file, Index blocks);

/// Compares every file that each rank finds under its name with the one that rank 0 finds: a copy
/// on the disk of one node may be out of date. Each rank reads at most 16 blocks of 4 KiB of each
/// file, and fewer if there are more than 64 files. Collective.
///
/// @throws StorageError  on all ranks: a rank reads another file, or cannot read it
void require_same_files(const Communicator& communicator, const std::vector<std::string>& files);

/// Compares numbers of this rank with those of rank 0, which has the same number of them.
/// Collective.
///
/// @param name  the name of the file that the i-th number belongs to
/// @throws StorageError  on all ranks: they differ on some rank, which is named
void require_same_numbers(const Communicator& communicator, const std::vector<std::uint64_t>& own,
                          const std::function<std::string(std::size_t i)>& name);

/// `rank 3 on node7`, for messages.
std::string name_of_rank(int rank);

}  // namespace stencil::storage
