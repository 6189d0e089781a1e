#pragma once

#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/point_reader.hpp"

namespace stencil::storage {

/// Reads points that are `step` apart along each axis. The points between them are skipped where
/// that saves reading, that is, for whole rows of contiguous points and whole chunks. Otherwise
/// they are read piece by piece and discarded.
///
/// @param points  `start` in the dataset, and `count` of the selected points
/// @param take    like PointReader::Take, called for the selected points only
/// @throws StorageError
void read_every_nth(const PointReader& dataset, const DatasetFacts& facts, const Piece& points,
                    const std::vector<Index>& step, const PointReader::Take& take);

}  // namespace stencil::storage
