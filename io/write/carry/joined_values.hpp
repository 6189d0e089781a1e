#pragma once

#include <hdf5.h>

#include <functional>
#include <string>

#include "io/hdf5/handle.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Returns the coordinates of one of the joined datasets; an invalid handle if this dataset has no
/// coordinates.
using CoordinateFinder = std::function<Handle(const DatasetPath&)>;

/// Returns whether points are missing along this axis according to the times of the first joined
/// dataset, so that the position of a point along the axis differs from its index in that dataset.
bool has_gaps_inside(const OutputSpec& spec, std::size_t axis);

/// Makes a dataset with the coordinates of the output's points along the axis of a join, if the
/// coordinates are not evenly spaced. The coordinate of each point comes from the file that
/// contains the point. Points that are in no file get coordinates between the coordinates of their
/// neighbours. Times are converted to the unit of the first file.
///
/// @param from  coordinates of the first file, without scale_factor or add_offset
/// @param find  finds the coordinates of any file
/// @returns an invalid handle if a file has no such coordinates, or coordinates of another kind or
///          unit, or if an output point lies beyond the points of all files
/// @throws Unreadable, StorageError
Handle carry_joined_values(hid_t from, const OutputSpec& spec, std::size_t axis,
                           const CoordinateFinder& find, hid_t group, const std::string& name,
                           const std::string& what);

}  // namespace stencil::storage
