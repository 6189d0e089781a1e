#pragma once

#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/point_reader.hpp"

namespace stencil::storage {

/// Reads points that are `step` apart along each axis. Points between them are skipped if that
/// saves reading: whole rows of contiguous points, whole chunks. Otherwise they are read as well
/// and left out, in memory for one piece.
///
/// @param points  `start` in the dataset, `count` of the points that are read
/// @param take    as PointReader::Take, for the points that are read
/// @throws StorageError
void read_every_nth(const PointReader& dataset, const DatasetFacts& facts, const Piece& points,
                    const std::vector<Index>& step, const PointReader::Take& take);

}  // namespace stencil::storage
