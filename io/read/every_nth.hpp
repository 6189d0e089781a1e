#pragma once

#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/point_reader.hpp"

namespace stencil::storage {

/// Reads points that are `step` apart along each axis. Whole rows of contiguous points, and whole
/// chunks, that contain no selected point are skipped. Other points between the selected points are
/// read and discarded.
///
/// @param points  the selected points: `start` is the index of the first selected point in the
///                dataset, `count` is the number of selected points
/// @param take    like PointReader::Take, called for the selected points only
/// @throws StorageError
void read_every_nth(const PointReader& dataset, const DatasetFacts& facts, const Piece& points,
                    const std::vector<Index>& step, const PointReader::Take& take);

}  // namespace stencil::storage
