#pragma once

#include <vector>

#include "io/read/stored_dataset.hpp"

namespace stencil::storage {

/// Reads points that are `step` apart along each axis. What lies between them is passed over where
/// that saves reading: whole rows of contiguous points, whole chunks; elsewhere it is read, too,
/// and left out, in memory for one piece.
///
/// @param points  `start` in the dataset, `count` of the points that are read
/// @param take    as StoredDataset::Take, for the points that are read
/// @throws StorageError
void read_every_nth(const StoredDataset& dataset, const DatasetFacts& facts, const Piece& points,
                    const std::vector<Index>& step, const StoredDataset::Take& take);

}  // namespace stencil::storage
