#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "framework/parallel/communicator.hpp"

namespace stencil::storage {

/// Returns a checksum of the length of a file and of some of its blocks: the first, the last, and
/// others at even distances.
///
/// @param blocks  number of blocks of 4 KiB, at least 2; a file with no more blocks is read
///                completely
/// @throws StorageError  the file cannot be read
std::uint64_t sample_of(const std::string& file, Index blocks);

/// Compares every file on each rank with the file of the same name on rank 0: a copy on the disk of
/// one node may be out of date. Each rank reads at most 16 blocks of 4 KiB of each file, and fewer
/// if there are more than 64 files. Collective.
///
/// @throws StorageError  on all ranks: the file of some rank differs or cannot be read
void require_same_files(const Communicator& communicator, const std::vector<std::string>& files);

/// Compares numbers of this rank with those of rank 0. `own` must have the same number of elements
/// on all ranks. Collective.
///
/// @param name  returns the name of the file to which the i-th number belongs
/// @throws StorageError  on all ranks: the numbers of some rank differ; the message names the rank
void require_same_numbers(const Communicator& communicator, const std::vector<std::uint64_t>& own,
                          const std::function<std::string(std::size_t i)>& name);

/// Name of a rank in messages: `rank 3 on node7`.
std::string name_of_rank(int rank);

}  // namespace stencil::storage
